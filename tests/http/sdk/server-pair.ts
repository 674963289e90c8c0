import { inject } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Servers of one database: changes are made at the first, clients connect to the second. One and the same with SQLite. */
export interface ServerPair {
  readonly first: TestServer
  readonly second: TestServer
  /** Address of the second. */
  readonly url: string
  close(): Promise<void>
}

/** Starts two servers on PostgreSQL, or one on SQLite; the second one listens. */
export async function startServerPair(): Promise<ServerPair> {
  const place = await readyPlace()
  const start = async () => {
    const server = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
    // the next server of the place adds them again
    await server.db.rows("delete from users where username in ('editor', 'viewer')")
    return server
  }
  const first = await start()
  const second = inject('driver') === 'postgres' ? await start() : first
  const { url } = await second.server.listen()
  return {
    ...{ first, second, url },
    close: async () => {
      await second.close()
      if (second !== first) await first.close()
      await place.remove()
    },
  }
}
