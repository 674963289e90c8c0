import { inject } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * Servers that share a database: changes are made on the first, clients connect to the second. With SQLite, both are
 * the same server.
 */
export interface ServerPair {
  readonly first: TestServer
  readonly second: TestServer
  /** URL of the second server. */
  readonly url: string
  close(): Promise<void>
}

/** Starts two servers with PostgreSQL, or one with SQLite. The second server listens on a port. */
export async function startServerPair(): Promise<ServerPair> {
  const place = await readyPlace()
  const start = async () => {
    const server = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
    // the next server on this database recreates them
    await server.db.rows("delete from users where username in ('editor', 'viewer')")
    return server
  }
  const first = await start()
  const second = inject('driver') === 'postgres' ? await start() : first
  const { url } = await second.server.listen()
  return {
    first,
    second,
    url,
    close: async () => {
      await second.close()
      if (second !== first) await first.close()
      await place.remove()
    },
  }
}
