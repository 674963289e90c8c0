import { DatabaseUnavailable } from '../errors.ts'
import type { HostClient } from './hosts.ts'

/** The pooler in between gives this node fewer sessions than it cannot do without. */
export class PoolerTooSmall extends DatabaseUnavailable {
  override readonly name = 'PoolerTooSmall'
}

/** What a check of the pooler is given. */
export interface PoolerCheck {
  readonly makeClient: () => HostClient
  /** Sessions that a node may need at once. */
  readonly sessions: number
  readonly warn: (line: string) => void
}

/** The pooler in between gives statements of one session to several servers. */
export class PoolerRefused extends Error {
  override readonly name = 'PoolerRefused'

  constructor() {
    super(
      'The pooler between Burgee and PostgreSQL does not keep sessions: set pool_mode = session for this database, or let DATABASE_URL lead to PostgreSQL itself',
    )
  }
}

/** Sessions of a node beside those of its pools: one listens, one looks where the address leads. */
export const SESSIONS_BESIDE_POOL = 2
const ANSWER_MS = 5000
const LOOKS = 5
/** Sessions that stay open as long as a node runs, one more that looks where the address leads, and none to spare. */
const MIN_SESSIONS = 4
/** PgBouncer's answer to `begin` where pool_mode = statement. */
const NO_TRANSACTIONS = /transaction blocks not allowed/i

/**
 * Throws PoolerRefused where a pooler in transaction or statement mode is in between, and PoolerTooSmall where it gives
 * too few sessions. Sets nothing: what a session sets there would reach other programs. Without a pooler, the driver
 * knows the backend by its number, and nothing more is asked.
 */
export async function requireSessions({ makeClient, sessions, warn }: PoolerCheck): Promise<void> {
  const one = makeClient()
  const others = Array.from({ length: sessions - 1 }, makeClient)
  for (const client of [one, ...others]) client.on('error', () => {})
  try {
    await one.connect()
    const first = await backendOf(one)
    if (first === (one as { processID?: number }).processID) return
    const held = await Promise.allSettled(others.map((client) => client.connect().then(() => hold(client))))
    const refusal = held.find((end) => end.status === 'rejected' && end.reason instanceof PoolerRefused)
    if (refusal?.status === 'rejected') throw refusal.reason
    // where there is only one server connection, it is held by another session
    for (let look = 0; look < LOOKS; look += 1) {
      if ((await backendOf(one).catch(() => undefined)) !== first) throw new PoolerRefused()
    }
    judgeSize(1 + held.filter(({ status }) => status === 'fulfilled').length, sessions, warn)
  } finally {
    await Promise.all([one, ...others].map((client) => client.end())).catch(() => {})
  }
}

/** Nodes share the pool of a pooler, so that most of what is missing may be free at another time. */
function judgeSize(found: number, wanted: number, warn: (line: string) => void): void {
  if (found >= wanted) return
  const line = `The pooler between Burgee and PostgreSQL gave this server ${found} of ${wanted} sessions within ${ANSWER_MS / 1000} seconds: raise its default_pool_size to ${wanted} for each server, or lower DATABASE_POOL_MAX, which is ${wanted - SESSIONS_BESIDE_POOL} here`
  if (found < Math.min(MIN_SESSIONS, wanted)) throw new PoolerTooSmall(line)
  warn(line)
}

async function hold(client: HostClient): Promise<void> {
  try {
    await ask(client, 'begin')
    await ask(client, 'select 1')
  } catch (error) {
    if (error instanceof Error && NO_TRANSACTIONS.test(error.message)) throw new PoolerRefused()
    throw error
  }
}

async function backendOf(client: HostClient): Promise<number | undefined> {
  const { rows } = await ask(client, 'select pg_backend_pid() as pid')
  return (rows[0] as { pid?: number } | undefined)?.pid
}

function ask(client: HostClient, text: string) {
  return client.query({ text, query_timeout: ANSWER_MS } as { text: string })
}
