import { createServer } from 'node:net'

/** A port that nobody listens on just now; without `host`, on no address. Rejects where there is no such address. */
export function freePort(host?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
