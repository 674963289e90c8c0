import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@burgee/kit/free-port'
import { EventReader } from '@burgee/kit/streams/event-reader'
import { startMeasured } from '../measured-process.ts'
import { type Contestant, startContestant, TOKENS } from '../server/contestant.ts'
import { openPostgresDatabases } from '../server/postgres-databases.ts'
import { type Audience, flip, percentile, seedFlags, startAudience, timedFlips } from './audience.ts'

/** How long a change took, in milliseconds, and to how many streams. */
export interface Told {
  readonly streams: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** What streams of one process cost. */
export interface FanOut extends Told {
  readonly idleBytes: number
  readonly cpuUs: number
}

/** The p99 of a frontend request, in milliseconds. */
export interface Beside {
  readonly aloneMs: number
  readonly withStreamsMs: number
}

const FLAGS = 50
const COMMAND = fileURLToPath(new URL('../server/from-sources.mjs', import.meta.url))
const MANY = { MAX_STREAMS: '100000' }
/** Both cores: whoever listens is on the same machine. */
const ANYWHERE = { pin: [], env: MANY }

/** One process with many streams. */
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
      ...{ streams, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) },
      idleBytes: (open.rssBytes - before.rssBytes) / (streams - 100),
      cpuUs: (after.cpuUs - open.cpuUs) / streams / flips,
    }
  })
}

/** Requests of front ends while nobody streams and while some do, in turn. */
export async function measureBeside(streams: number, rounds: number, sliceMs: number): Promise<Beside> {
  return withServer(async (server, audience) => {
    const [alone, beside]: [number[], number[]] = [[], []]
    await frontendTimes(server.port, sliceMs)
    for (let round = 0; round < rounds; round += 1) {
      alone.push(percentile(await frontendTimes(server.port, sliceMs), 0.99))
      await audience.open([server.port], streams)
      beside.push(percentile(await frontendTimes(server.port, sliceMs), 0.99))
      await audience.close()
    }
    return { aloneMs: percentile(alone, 0.5), withStreamsMs: percentile(beside, 0.5) }
  })
}

/** Three servers on one PostgreSQL, and a flip at one of them. */
export async function measureNodes(streams: number, flips: number): Promise<Told> {
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

/** From a flip at a server to the new value at who follows the OpenFeature stream of a proxy: median, in milliseconds. */
export async function measurePage(flips: number): Promise<number> {
  return withServer(async (server) => {
    const port = await freePort('127.0.0.1')
    const key = 'bench-key'
    const proxy = await startMeasured({
      name: 'proxy',
      args: ['--conditions=source', COMMAND, 'proxy'],
      env: {
        ...{ FLAG_URL: `http://127.0.0.1:${server.port}/api`, FLAG_API_TOKEN: TOKENS.client, FLAG_BACKUP: 'false' },
        ...{ FLAG_PROXY_CLIENT_KEYS: key, PORT: String(port), PROXY_HOST: '127.0.0.1', FLAG_FETCH_INTERVAL: '60000' },
      },
      pin: [],
      isReady: async () => (await fetch(`http://127.0.0.1:${port}/proxy/health`)).status === 200,
    })
    try {
      const page = await openPage(`http://127.0.0.1:${port}`, key)
      await sleep(2000)
      const times: number[] = []
      for (let index = 0; index < flips; index += 1) {
        const isOn = index % 2 === 0
        const beganAtMs = performance.now()
        await Promise.all([page.becomes(isOn), flip(server.port, isOn)])
        times.push(performance.now() - beganAtMs)
        await sleep(300)
      }
      return percentile(times, 0.5)
    } finally {
      await proxy.stop()
    }
  })
}

/** Follows the stream that an evaluation names, and evaluates again where it says so. */
async function openPage(base: string, key: string) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const evaluate = async () => {
    const reply = await fetch(`${base}/ofrep/v1/evaluate/flags`, { method: 'POST', headers, body: '{"context":{}}' })
    return (await reply.json()) as {
      flags: { key: string; value: unknown }[]
      eventStreams?: { url?: string; endpoint?: { origin?: string; requestUri: string } }[]
    }
  }
  const first = await evaluate()
  const { url, endpoint } = first.eventStreams?.[0] ?? {}
  const address = url ?? new URL(endpoint?.requestUri ?? '', endpoint?.origin ?? base).href
  let isOn = false
  let changed = (): void => {}
  const reader = new EventReader(100_000)
  const stream = await fetch(new URL(address, base))
  void (async () => {
    for await (const piece of stream.body ?? []) {
      if (!reader.read(piece).some(({ data }) => data.includes('refetchEvaluation'))) continue
      isOn = (await evaluate()).flags.some((flag) => flag.key === 'flipped' && flag.value === true)
      changed()
    }
  })().catch(() => {})
  const becomes = (wanted: boolean) =>
    new Promise<void>((resolve) => {
      changed = () => {
        if (isOn === wanted) resolve()
      }
      changed()
    })
  return { becomes }
}

async function withServer<T>(work: (server: Contestant, audience: Audience) => Promise<T>): Promise<T> {
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

/** Eight front ends that ask again and again. */
async function frontendTimes(port: number, sliceMs: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const times: number[] = []
  const until = performance.now() + sliceMs
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const beganAtMs = performance.now()
      const options = { port, host: '127.0.0.1', agent, path: '/api/proxy?userId=7' }
      request({ ...options, headers: { authorization: TOKENS.frontend } }, (reply) => {
        reply.resume().on('end', () => {
          times.push(performance.now() - beganAtMs)
          resolve()
        })
      })
        .on('error', reject)
        .end()
    })
  const askAgain = async () => {
    while (performance.now() < until) await ask()
  }
  await Promise.all(Array.from({ length: 8 }, askAgain))
  agent.destroy()
  return times
}
