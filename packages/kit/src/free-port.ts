import { createBoundedServer, listenBounded } from './http/bounded-servers.ts'

/**
 * Returns a port that is currently free on an address, or on all addresses if `host` is omitted. Rejects if the address
 * does not exist.
 */
export async function findFreePort(host?: string): Promise<number> {
  const server = createBoundedServer({ kind: 'probe' })
  await listenBounded(server, { port: 0, host })
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return typeof address === 'object' && address !== null ? address.port : 0
}
