import { createBoundedServer, listenBounded } from './http/bounded-servers.ts'

/** A port that nobody listens on just now; without `host`, on no address. Rejects where there is no such address. */
export async function freePort(host?: string): Promise<number> {
  const server = createBoundedServer({ kind: 'probe' })
  await listenBounded(server, { port: 0, host })
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return typeof address === 'object' && address !== null ? address.port : 0
}
