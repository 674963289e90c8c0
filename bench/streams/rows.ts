import { setTimeout as sleep } from 'node:timers/promises'
import { type Contestant, startContestant } from '../server/contestant.ts'
import { openPostgresDatabases } from '../server/postgres-databases.ts'
import { type Audience, percentile, seedFlags, startAudience, timedFlips } from './audience.ts'

/** Time until the streams received a change, in milliseconds. */
export interface DeliveryTimes {
  readonly streams: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Cost of the streams for one process. */
export interface FanOut extends DeliveryTimes {
  readonly idleBytes: number
  readonly cpuUs: number
}

const FLAGS = 50
const MANY = { MAX_STREAMS: '100000' }
/** The process is not pinned, because the clients run on the same machine. */
const ANYWHERE = { pin: [], env: MANY }

/** Measures one process with many streams. */
export async function measureFanOut(streams: number, flips: number): Promise<FanOut> {
  return withServer(async (server, audience) => {
    await audience.open([server.port], 100)
    await sleep(1000)
    const before = await server.account()
    await audience.open([server.port], streams - 100)
    await sleep(2000)
    const open = await server.account()
    const times = await timedFlips(audience, server.port, flips)
    const after = await server.account()
    return {
      streams,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      idleBytes: (open.rssBytes - before.rssBytes) / (streams - 100),
      cpuUs: (after.cpuUs - open.cpuUs) / streams / flips,
    }
  })
}

/** Measures three servers that share one PostgreSQL. The flag is switched on one of the servers. */
export async function measureNodes(streams: number, flips: number): Promise<DeliveryTimes> {
  const databases = await openPostgresDatabases()
  const servers: Contestant[] = []
  const audience = startAudience(2)
  try {
    const databaseUrl = await databases.create()
    for (let count = 0; count < 3; count += 1) {
      servers.push(await startContestant({ name: 'postgres', databaseUrl, ...ANYWHERE }))
    }
    const ports = servers.map(({ port }) => port)
    await seedFlags(ports[0] ?? 0, FLAGS)
    await audience.open(ports, streams)
    const times = await timedFlips(audience, ports[0] ?? 0, flips)
    return { streams, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) }
  } finally {
    audience.stop()
    for (const server of servers) await server.stop()
    await databases.close()
  }
}

/** Runs work with a server on a new embedded database with some flags. */
export async function withServer<T>(work: (server: Contestant, audience: Audience) => Promise<T>): Promise<T> {
  const server = await startContestant({ name: 'sqlite', ...ANYWHERE })
  const audience = startAudience(2)
  try {
    await seedFlags(server.port, FLAGS)
    return await work(server, audience)
  } finally {
    audience.stop()
    await server.stop()
  }
}
