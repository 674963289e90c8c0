import type { ClientBase } from 'pg'
import { classifyDbError, DatabaseUnavailable, explainDbError, isConnectionLost } from '../../errors.ts'
import type { Session } from './database-session.ts'
import type { Primary } from './primary-server.ts'
import { WrongServer } from './server-identity.ts'
import { WRITER_LOCK_TEXT } from './writer-lock.ts'

/** Time in milliseconds for which a statement may wait before another session investigates why. */
export const WAITING_MS = 3000
/**
 * Time in milliseconds after which an unanswered statement counts as lost if the server reports its session as idle all
 * the while: either the request or the answer was lost.
 */
const UNANSWERED_MS = 2000
/**
 * Time in milliseconds after which waiting for a lock is reported. A node that stalls during a change loses its
 * session, and with it the lock, after ten seconds; a longer wait therefore has another cause.
 */
const LOCKED_MS = 12_000
const UNCONFIRMED_MS = 10_000
/**
 * Time in milliseconds after which a node gives up on a statement. Shorter than the driver's time limit, because the
 * driver could not report the reason.
 */
const GIVEN_UP_MS = 30_000
const ANSWER_MS = 3000

const LOCKED = `Changes wait for more than ${LOCKED_MS / 1000} seconds for a lock that another session holds`
const UNCONFIRMED = 'its commits wait for a standby to confirm them (synchronous_standby_names)'

const CUT_SHORT = 'the wait for its standby was cancelled: the change is committed, but a failover may lose it'

/** Text of about 128 kB that cannot be compressed. */
const NEEDS_ROOM = `insert into settings (name, value)
  select gen_random_uuid()::text, string_agg(gen_random_uuid()::text, '') from generate_series(1, 3600)`

/** Statement that fails immediately if another session holds a lock on a table that changes to flags need. */
const NEEDS_TABLES = `lock table events, features, feature_environments, feature_strategies, segments, settings
  in row exclusive mode nowait`

/** State of a session, as reported by the server. */
interface SessionActivity {
  readonly pid: number
  readonly isIdle: boolean
  readonly wait: string | null
  readonly sinceMs: number
}

const SELECT_ACTIVITY = `select pid, coalesce(state like 'idle%', false) as "isIdle",
  case when wait_event_type = 'Lock' then 'Lock' else wait_event end as wait,
  (extract(epoch from clock_timestamp() - state_change) * 1000)::float8 as "sinceMs"
  from pg_stat_activity where pid = any($1)`
/** Ends lost sessions of this node that still hold the writer lock. */
const END_HOLDER = `select pg_terminate_backend(pid) from pg_locks
  where pid = $1 and locktype = 'advisory' and granted`

/**
 * Investigates from another session why statements have been waiting for a long time, and records the reason. Ends
 * sessions whose requests or answers were lost: a network that drops packets reports no error, so the driver would wait
 * for half a minute.
 */
export async function investigateLongWaits(client: ClientBase, primary: Primary): Promise<void> {
  const waiting = primary.listWaiting(WAITING_MS)
  if (waiting.length === 0) return
  const pids = waiting.map(({ report }) => report.processId)
  const { rows } = await sendQuery<SessionActivity>(client, SELECT_ACTIVITY, [pids])
  for (const session of waiting) {
    // the statement was answered while this query was running
    if (session.waitingMs < WAITING_MS) continue
    const seen = rows.find(({ pid }) => pid === session.report.processId)
    if (seen === undefined || (seen.isIdle && seen.sinceMs >= UNANSWERED_MS)) {
      session.abandon(new Error('No sign of life'))
      if (session.purpose === 'changes') await sendQuery(client, END_HOLDER, [session.report.processId])
    } else if (session.purpose === 'changes') explainWait(session, seen, primary)
  }
}

function explainWait(session: Session, { wait, sinceMs }: SessionActivity, primary: Primary): void {
  if (wait === 'Lock' && sinceMs >= LOCKED_MS) primary.recordFailure(LOCKED)
  if (wait !== 'SyncRep' || sinceMs < UNCONFIRMED_MS) return
  primary.recordFailure(`The database does not confirm changes: ${UNCONFIRMED}`)
  if (sinceMs >= GIVEN_UP_MS) session.abandon(new DatabaseUnavailable(UNCONFIRMED))
}

/**
 * Commits. Throws DatabaseUnavailable if an administrator cancelled the wait for the standby: PostgreSQL reports such a
 * commit as successful, but a failover would lose it.
 */
export async function commitConfirmed(commit: () => Promise<unknown>, primary: Primary): Promise<void> {
  const before = primary.unconfirmed
  await commit()
  if (primary.unconfirmed > before) throw new DatabaseUnavailable(CUT_SHORT)
}

/**
 * Records whether a change succeeded or failed. Ignores failures caused by lost connections, because the next change
 * can succeed on another connection.
 */
export async function recordOutcome<T>(change: Promise<T>, primary: Primary): Promise<T> {
  try {
    const result = await change
    primary.recordSuccess()
    return result
  } catch (error) {
    const kind = classifyDbError(error)
    const isNoted = error instanceof WrongServer || isConnectionLost(error)
    if (!isNoted && (kind === 'unavailable' || kind === 'denied')) primary.recordFailure(describeRefusal(error))
    throw error
  }
}

/** After changes have failed, tests whether a change would succeed now. */
export async function retryChanges(client: ClientBase, primary: Primary): Promise<void> {
  try {
    await tryChange(client)
    primary.recordSuccess()
  } catch (error) {
    if (!isConnectionLost(error)) primary.recordFailure(describeRefusal(error))
  }
}

function describeRefusal(error: unknown): string {
  return `The database rejects changes: ${explainDbError(error) ?? 'it returns no reason'}`
}

/**
 * Performs the steps of a change without changing data: locks tables, and sets a row to the value that it already has.
 * First inserts a row that is too large for the free space inside the table, and rolls the insert back, because small
 * writes can succeed even on a full disk. Rejects with the database's error if the test fails.
 */
async function tryChange(client: ClientBase): Promise<void> {
  await sendQuery(client, `begin read write; set local statement_timeout = ${ANSWER_MS}`)
  await sendQuery(client, `${WRITER_LOCK_TEXT}; ${NEEDS_TABLES}; savepoint room`)
  await sendQuery(client, NEEDS_ROOM)
  await sendQuery(client, `rollback to room; update settings set value = value where name = 'instanceId'; commit`)
}

function sendQuery<R>(client: ClientBase, text: string, values?: unknown[]): Promise<{ readonly rows: readonly R[] }> {
  const query = { text, query_timeout: 2 * ANSWER_MS, ...(values === undefined ? {} : { values }) }
  return client.query(query as { text: string }) as unknown as Promise<{ readonly rows: readonly R[] }>
}
