import { DatabaseUnavailable } from '../../errors.ts'
import type { HostClient } from './hosts.ts'

/** Thrown if the pooler allows this node fewer sessions than it needs. */
export class PoolerTooSmall extends DatabaseUnavailable {
  override readonly name = 'PoolerTooSmall'
}

/** Input of the pooler check. */
export interface PoolerCheck {
  readonly makeClient: () => HostClient
  /** Maximum number of sessions that a node uses at the same time. */
  readonly sessions: number
  readonly warn: (line: string) => void
}

/** Thrown if the pooler runs the statements of one session on several server connections. */
export class PoolerRefused extends Error {
  override readonly name = 'PoolerRefused'

  constructor() {
    super(
      'The pooler between Burgee and PostgreSQL does not preserve sessions: set pool_mode = session for this database, or point DATABASE_URL at PostgreSQL itself',
    )
  }
}

/**
 * Number of sessions that a node uses outside its pools: one listens for changes, and one checks which server the
 * address leads to.
 */
export const SESSIONS_BESIDE_POOL = 2
const ANSWER_MS = 5000
const BACKEND_CHECKS = 5
/** Minimum number of sessions: the ones that remain open while a node runs, and one that checks the address. */
const MIN_SESSIONS = 4
/** Error with which PgBouncer answers `begin` if pool_mode is statement. */
const NO_TRANSACTIONS = /transaction blocks not allowed/i

/**
 * Throws PoolerRefused behind a pooler in transaction or statement mode, and PoolerTooSmall if the pooler provides too
 * few sessions. Does not detect this by changing settings, because changed settings would also affect other programs
 * that use the pooler. If the backend reports the same process id that the driver knows, there is no pooler and no
 * further check is needed.
 */
export async function requireSessions({ makeClient, sessions, warn }: PoolerCheck): Promise<void> {
  const one = makeClient()
  const others = Array.from({ length: sessions - 1 }, makeClient)
  for (const client of [one, ...others]) client.on('error', () => {})
  try {
    await one.connect()
    const first = await readBackendPid(one)
    if (first === (one as { processID?: number }).processID) return
    const held = await Promise.allSettled(others.map((client) => client.connect().then(() => holdSession(client))))
    const refusal = held.find((end) => end.status === 'rejected' && end.reason instanceof PoolerRefused)
    if (refusal?.status === 'rejected') throw refusal.reason
    // all other sessions occupy server connections at this point, so a pooler in transaction mode gives this session a
    // different server connection, or none
    for (let look = 0; look < BACKEND_CHECKS; look += 1) {
      if ((await readBackendPid(one).catch(() => undefined)) !== first) throw new PoolerRefused()
    }
    requireEnoughSessions(1 + held.filter(({ status }) => status === 'fulfilled').length, sessions, warn)
  } finally {
    await Promise.all([one, ...others].map((client) => client.end())).catch(() => {})
  }
}

/**
 * Logs a warning if there are fewer sessions than expected, and throws PoolerTooSmall below the minimum. All nodes
 * share the connections of the pooler, so more sessions may become available later.
 */
function requireEnoughSessions(found: number, wanted: number, warn: (line: string) => void): void {
  if (found >= wanted) return
  const line = `The pooler between Burgee and PostgreSQL gave this server ${found} of ${wanted} sessions within ${ANSWER_MS / 1000} seconds: raise its default_pool_size to ${wanted} for each server, or lower DATABASE_POOL_MAX, which is ${wanted - SESSIONS_BESIDE_POOL} here`
  if (found < Math.min(MIN_SESSIONS, wanted)) throw new PoolerTooSmall(line)
  warn(line)
}

async function holdSession(client: HostClient): Promise<void> {
  try {
    await sendQuery(client, 'begin')
    await sendQuery(client, 'select 1')
  } catch (error) {
    if (error instanceof Error && NO_TRANSACTIONS.test(error.message)) throw new PoolerRefused()
    throw error
  }
}

async function readBackendPid(client: HostClient): Promise<number | undefined> {
  const { rows } = await sendQuery(client, 'select pg_backend_pid() as pid')
  return (rows[0] as { pid?: number } | undefined)?.pid
}

function sendQuery(client: HostClient, text: string) {
  return client.query({ text, query_timeout: ANSWER_MS } as { text: string })
}
