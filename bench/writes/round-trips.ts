import { connect, createServer, type Socket } from 'node:net'
import { createServerWriter } from './contestants.ts'
import { changeConcurrently } from './measure.ts'

/** Round trips that changes take, for a given number of clients. */
export interface RoundTrips {
  readonly clients: number
  readonly perChange: number
}

const CHANGES = 20
/** SQL function that takes a lock; only the connection for changes calls it. */
const LOCK = 'pg_advisory_xact_lock'

/** Counts the round trips of the connection for changes, by watching its traffic. */
export async function countRoundTrips(url: string, clients: readonly number[]): Promise<RoundTrips[]> {
  const target = new URL(url)
  const relay = await openCountingRelay({ host: target.hostname, port: Number(target.port) })
  const way = new URL(url)
  way.hostname = '127.0.0.1'
  way.port = String(relay.port)
  const own = await createServerWriter({ databaseUrl: way.href })
  const rows: RoundTrips[] = []
  for (const count of clients) {
    const before = relay.trips()
    await changeConcurrently(own, count, CHANGES)
    rows.push({ clients: count, perChange: (relay.trips() - before) / (count * CHANGES) })
  }
  await own.close()
  relay.close()
  return rows
}

/**
 * Opens a TCP relay to PostgreSQL. On a connection that has taken the lock for changes, the relay counts each request
 * that follows a response, which is one round trip.
 */
async function openCountingRelay(target: { readonly host: string; readonly port: number }) {
  let trips = 0
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    let isAnswered = true
    let isWriter = false
    near.on('data', (bytes) => {
      isWriter ||= bytes.includes(LOCK)
      if (isWriter && isAnswered) trips += 1
      isAnswered = false
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      isAnswered = true
      near.write(bytes)
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    trips: () => trips,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
