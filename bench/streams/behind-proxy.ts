import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@burgee/kit/free-port'
import { EventReader } from '@burgee/kit/streams/event-reader'
import { startMeasured } from '../measured-process.ts'
import { TOKENS } from '../server/contestant.ts'
import { flip, percentile } from './audience.ts'
import { withServer } from './rows.ts'

/** p99 of a front-end request, in milliseconds. */
export interface Beside {
  readonly aloneMs: number
  readonly withStreamsMs: number
}

/** Median times since the request that switches the flag, in milliseconds. */
export interface BehindProxy {
  /** Time until the proxy returns the first response that contains the change. */
  readonly answerMs: number
  /** Time until a client of the proxy's OpenFeature stream has the new value. */
  readonly pageMs: number
}

const COMMAND = fileURLToPath(new URL('../server/from-sources.mjs', import.meta.url))
const KEY = 'bench-key'
const BETWEEN_FLIPS_MS = 300

/** Proxy that follows the stream of a server. */
interface Followed {
  readonly serverPort: number
  readonly proxyPort: number
}

/** Measures how long a change takes to get from a server through a proxy that otherwise polls once a minute. */
export async function measureBehindProxy(flips: number): Promise<BehindProxy> {
  return withProxy(async ({ serverPort, proxyPort }) => {
    const page = await openPage(`http://127.0.0.1:${proxyPort}`)
    await sleep(2000)
    const agent = new Agent({ keepAlive: true })
    const [answers, pages]: [number[], number[]] = [[], []]
    for (let index = 0; index < flips; index += 1) {
      const isOn = index % 2 === 0
      const beganAtMs = performance.now()
      const answered = answersWith(agent, proxyPort, isOn).then(() => answers.push(performance.now() - beganAtMs))
      const shown = page.becomes(isOn).then(() => pages.push(performance.now() - beganAtMs))
      await Promise.all([answered, shown, flip(serverPort, isOn)])
      await sleep(BETWEEN_FLIPS_MS)
    }
    agent.destroy()
    return { answerMs: percentile(answers, 0.5), pageMs: percentile(pages, 0.5) }
  })
}

/** Measures frontend requests at a proxy. Alternates between rounds without open streams and rounds with them. */
export async function measureBeside(streams: number, rounds: number, sliceMs: number): Promise<Beside> {
  return withProxy(async ({ proxyPort }, audience) => {
    const { pathname, search } = new URL(await streamAddress(`http://127.0.0.1:${proxyPort}`))
    const [alone, beside]: [number[], number[]] = [[], []]
    await frontendTimes(proxyPort, sliceMs)
    for (let round = 0; round < rounds; round += 1) {
      alone.push(percentile(await frontendTimes(proxyPort, sliceMs), 0.99))
      await audience.open([proxyPort], streams, {
        path: `${pathname}${search}`,
        token: KEY,
        begins: 'text/event-stream',
      })
      beside.push(percentile(await frontendTimes(proxyPort, sliceMs), 0.99))
      await audience.close()
    }
    return { aloneMs: percentile(alone, 0.5), withStreamsMs: percentile(beside, 0.5) }
  })
}

function withProxy<T>(
  work: (followed: Followed, audience: Parameters<Parameters<typeof withServer>[0]>[1]) => Promise<T>,
): Promise<T> {
  return withServer(async (server, audience) => {
    const port = await findFreePort('127.0.0.1')
    const proxy = await startMeasured({
      name: 'proxy',
      args: ['--conditions=source', COMMAND, 'proxy'],
      env: {
        FLAG_URL: `http://127.0.0.1:${server.port}/api`,
        FLAG_API_TOKEN: TOKENS.client,
        FLAG_BACKUP: 'false',
        FLAG_PROXY_CLIENT_KEYS: KEY,
        PORT: String(port),
        PROXY_HOST: '127.0.0.1',
        FLAG_FETCH_INTERVAL: '60000',
      },
      pin: [],
      isReady: async () => (await fetch(`http://127.0.0.1:${port}/proxy/health`)).status === 200,
    })
    try {
      return await work({ serverPort: server.port, proxyPort: port }, audience)
    } finally {
      await proxy.stop()
    }
  })
}

/** Evaluates all flags. The response also contains the URL of the change stream. */
async function evaluated(base: string) {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
  const reply = await fetch(`${base}/ofrep/v1/evaluate/flags`, { method: 'POST', headers, body: '{"context":{}}' })
  return (await reply.json()) as {
    flags: { key: string; value: unknown }[]
    eventStreams?: { url?: string; endpoint?: { origin?: string; requestUri: string } }[]
  }
}

async function streamAddress(base: string): Promise<string> {
  const { url, endpoint } = (await evaluated(base)).eventStreams?.[0] ?? {}
  return new URL(url ?? endpoint?.requestUri ?? '', endpoint?.origin ?? base).href
}

/** Follows the change stream whose URL an evaluation contains, and evaluates again after each message. */
async function openPage(base: string) {
  let isOn = false
  let changed = (): void => {}
  const reader = new EventReader(100_000)
  const stream = await fetch(await streamAddress(base))
  void (async () => {
    for await (const piece of stream.body ?? []) {
      if (!reader.read(piece).some(({ data }) => data.includes('refetchEvaluation'))) continue
      isOn = (await evaluated(base)).flags.some((flag) => flag.key === 'flipped' && flag.value === true)
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

/** Polls until a response has the flag in the expected state. */
async function answersWith(agent: Agent, port: number, isOn: boolean): Promise<void> {
  while ((await ask(agent, port)).includes('"flipped"') !== isOn) await sleep(1)
}

function ask(agent: Agent, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', agent, path: '/proxy?userId=7', headers: { authorization: KEY } }
    request(options, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      reply.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })
}

/** Measures eight front ends that send requests continuously. */
async function frontendTimes(port: number, sliceMs: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const times: number[] = []
  const until = performance.now() + sliceMs
  const askAgain = async () => {
    while (performance.now() < until) {
      const beganAtMs = performance.now()
      await ask(agent, port)
      times.push(performance.now() - beganAtMs)
    }
  }
  await Promise.all(Array.from({ length: 8 }, askAgain))
  agent.destroy()
  return times
}
