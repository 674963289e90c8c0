import type { HostClient } from './hosts.ts'

/** The pooler in between gives statements of one session to several servers. */
export class PoolerRefused extends Error {
  override readonly name = 'PoolerRefused'

  constructor() {
    super(
      'The pooler between Burgee and PostgreSQL does not keep sessions: set pool_mode = session for this database, or let DATABASE_URL lead to PostgreSQL itself',
    )
  }
}

const ANSWER_MS = 5000
const LOOKS = 5
/** PgBouncer's answer to `begin` where pool_mode = statement. */
const NO_TRANSACTIONS = /transaction blocks not allowed/i

/**
 * Throws PoolerRefused where a pooler in transaction or statement mode is in between. Sets nothing: what a session sets
 * there would reach other programs. Without a pooler, the driver knows the backend by its number.
 */
export async function requireSessions(makeClient: () => HostClient): Promise<void> {
  const [one, other] = [makeClient(), makeClient()]
  for (const client of [one, other]) client.on('error', () => {})
  try {
    await one.connect()
    const first = await backendOf(one)
    if (first === (one as { processID?: number }).processID) return
    await other.connect()
    await hold(other)
    for (let look = 0; look < LOOKS; look += 1) {
      // where there is only one server connection, it is held by the other session
      const now = await backendOf(one).catch(() => undefined)
      if (now !== first) throw new PoolerRefused()
    }
  } finally {
    await Promise.all([one.end(), other.end()]).catch(() => {})
  }
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
