import type { ClientBase } from 'pg'
import { classifyDbError, DatabaseUnavailable, explainDbError, isConnectionLost } from '../errors.ts'
import type { Primary } from './primary.ts'
import { WrongServer } from './server-identity.ts'
import type { Session } from './session.ts'
import { WRITER_LOCK_TEXT } from './writer-lock.ts'

/** Statements that take longer are asked after on another session. */
export const WAITING_MS = 3000
/** The server has waited for a request for so long, while the request is under way here: one of them does not arrive. */
const UNHEARD_MS = 2000
/** A server that stops in the middle of a change loses its turn after ten seconds. */
const LOCKED_MS = 12_000
const UNCONFIRMED_MS = 10_000
/** Shorter than the limit of the driver, which could not say why. */
const GIVEN_UP_MS = 30_000
const ANSWER_MS = 3000

const LOCKED = `Changes wait for more than ${LOCKED_MS / 1000} seconds for a lock that another session holds`
const UNCONFIRMED = 'its commits wait for a standby to confirm them (synchronous_standby_names)'

const CUT_SHORT = 'the wait for its standby was cancelled: the change is there, and a failover may lose it'

/** Text that does not compress, about 128 kB. */
const NEEDS_ROOM = `insert into settings (name, value)
  select gen_random_uuid()::text, string_agg(gen_random_uuid()::text, '') from generate_series(1, 3600)`

/** How the server sees a session. */
interface SeenSession {
  readonly pid: number
  readonly isIdle: boolean
  readonly wait: string | null
  readonly sinceMs: number
}

const SEEN = `select pid, coalesce(state like 'idle%', false) as "isIdle",
  case when wait_event_type = 'Lock' then 'Lock' else wait_event end as wait,
  (extract(epoch from clock_timestamp() - state_change) * 1000)::float8 as "sinceMs"
  from pg_stat_activity where pid = any($1)`
/** Only what a lost session of this node holds is taken from it. */
const END_HOLDER = `select pg_terminate_backend(pid) from pg_locks
  where pid = $1 and locktype = 'advisory' and granted`

/**
 * Asks on another session after those that wait for an answer. Ends sessions whose requests or answers do not arrive: a
 * network that swallows packets says nothing, and the driver would wait for half a minute. Notes why changes wait.
 */
export async function examineWaiting(client: ClientBase, primary: Primary): Promise<void> {
  const waiting = primary.waiting(WAITING_MS)
  if (waiting.length === 0) return
  const pids = waiting.map(({ report }) => report.processId)
  const { rows } = await ask<SeenSession>(client, SEEN, [pids])
  for (const session of waiting) {
    // answered since it was asked after
    if (session.waitingMs < WAITING_MS) continue
    const seen = rows.find(({ pid }) => pid === session.report.processId)
    if (seen === undefined || (seen.isIdle && seen.sinceMs >= UNHEARD_MS)) {
      session.abandon(new Error('No sign of life'))
      if (session.purpose === 'changes') await ask(client, END_HOLDER, [session.report.processId])
    } else if (session.purpose === 'changes') explainWait(session, seen, primary)
  }
}

function explainWait(session: Session, { wait, sinceMs }: SeenSession, primary: Primary): void {
  if (wait === 'Lock' && sinceMs >= LOCKED_MS) primary.failed(LOCKED)
  if (wait !== 'SyncRep' || sinceMs < UNCONFIRMED_MS) return
  primary.failed(`The database does not confirm changes: ${UNCONFIRMED}`)
  if (sinceMs >= GIVEN_UP_MS) session.abandon(new DatabaseUnavailable(UNCONFIRMED))
}

/**
 * Commits, and throws DatabaseUnavailable if an administrator cancelled the wait for the standby: PostgreSQL answers such
 * a commit like any other, and a failover would lose it.
 */
export async function commitConfirmed(commit: () => Promise<unknown>, primary: Primary): Promise<void> {
  const before = primary.unconfirmed
  await commit()
  if (primary.unconfirmed > before) throw new DatabaseUnavailable(CUT_SHORT)
}

/** Notes how a change ends. A lost connection says nothing about the next change. */
export async function noteOutcome<T>(change: Promise<T>, primary: Primary): Promise<T> {
  try {
    const result = await change
    primary.succeeded()
    return result
  } catch (error) {
    const kind = classifyDbError(error)
    const isNoted = error instanceof WrongServer || isConnectionLost(error)
    if (!isNoted && (kind === 'unavailable' || kind === 'denied')) primary.failed(refusalOf(error))
    throw error
  }
}

/** Finds out whether changes that have failed would succeed now. */
export async function retryChanges(client: ClientBase, primary: Primary): Promise<void> {
  try {
    await tryChange(client)
    primary.succeeded()
  } catch (error) {
    if (!isConnectionLost(error)) primary.failed(refusalOf(error))
  }
}

function refusalOf(error: unknown): string {
  return `The database refuses changes: ${explainDbError(error) ?? 'it gives no reason'}`
}

/**
 * Writes a row that stays as it is, as a change would, after one that needs more room than a table has left and is undone:
 * on a full disk, small writes may still succeed. Rejects with what the database throws.
 */
async function tryChange(client: ClientBase): Promise<void> {
  await ask(client, `begin read write; set local statement_timeout = ${ANSWER_MS}`)
  await ask(client, `${WRITER_LOCK_TEXT}; savepoint room`)
  await ask(client, NEEDS_ROOM)
  await ask(client, `rollback to room; update settings set value = value where name = 'instanceId'; commit`)
}

function ask<R>(client: ClientBase, text: string, values?: unknown[]): Promise<{ readonly rows: readonly R[] }> {
  const query = { text, query_timeout: 2 * ANSWER_MS, ...(values === undefined ? {} : { values }) }
  return client.query(query as { text: string }) as unknown as Promise<{ readonly rows: readonly R[] }>
}
