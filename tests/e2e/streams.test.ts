import { STREAM_REFUSALS } from '@burgee/serving/sdk/stream-refusal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenStream, openStream } from '../http/events/open-stream.ts'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { callAs } from '../support/call-as.ts'
import { nodeSdk } from '../support/sdks.ts'
import { startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'

/** Streams of real processes across restarts and workers. */
const ADMIN = '*:*.admin-secret'
const CLIENT = 'default:development.client-secret'
const KEY = 'web-key'
const FLAG = '/api/admin/projects/default/features/told'
/** Time limit in milliseconds. The SDK waits for 2 s after its first failure, and longer after each further failure. */
const SDK_PATIENCE_MS = 45_000

const folder = temporaryFolder()
let server: BurgeeProcess
let url: string

async function start(port = '0'): Promise<void> {
  server = runBurgee(['server'], {
    DATA_DIR: folder.path,
    HTTP_PORT: port,
    HTTP_HOST: '127.0.0.1',
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
  })
  url = `http://127.0.0.1:${await server.find(/listening on port (\d+)/)}`
}

async function stop(): Promise<void> {
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
}

beforeAll(async () => {
  await start()
  await callAs(ADMIN, 'POST', `${url}/api/admin/projects/default/features`, { name: 'told' })
})
afterAll(async () => {
  await stop()
  folder.remove()
})

const turn = (state: 'on' | 'off') => callAs(ADMIN, 'POST', `${url}${FLAG}/environments/development/${state}`)

test(
  'an SDK on a stream survives five restarts of its server, one after the other, and follows what comes then',
  async () => {
    const sdk = nodeSdk({
      url: `${url}/api`,
      customHeaders: { Authorization: CLIENT },
      experimentalMode: { type: 'streaming' },
    })
    sdk.on('error', () => {}).on('warn', () => {})
    try {
      await until(() => sdk.isSynchronized())
      await turn('on')
      await until(() => sdk.isEnabled('told'))
      for (let restart = 1; restart <= 5; restart += 1) {
        await stop()
        await start(new URL(url).port)
        expect(sdk.isEnabled('told')).toBe(true)
      }
      await turn('off')
      await until(() => !sdk.isEnabled('told'), SDK_PATIENCE_MS)
    } finally {
      sdk.destroy()
    }
  },
  SDK_PATIENCE_MS + 15_000,
)

describe('a proxy of two workers that follows a stream', () => {
  let proxy: BurgeeProcess
  let base: string

  beforeAll(async () => {
    proxy = runBurgee(['proxy'], {
      UNLEASH_URL: `${url}/api`,
      UNLEASH_API_TOKEN: CLIENT,
      UNLEASH_PROXY_CLIENT_KEYS: KEY,
      PROXY_PORT: '0',
      FLAG_WORKERS: '2',
      FLAG_FETCH_INTERVAL: '600000',
    })
    base = `http://127.0.0.1:${await proxy.find(/listening on port (\d+)/)}`
    await until(async () => (await fetch(`${base}/proxy/health`)).status === 200)
  })
  afterAll(async () => {
    proxy.kill('SIGTERM')
    expect(await proxy.ended).toBe(0)
  })

  const isOn = async (): Promise<boolean> => {
    const reply = await fetch(`${base}/proxy`, { headers: { authorization: KEY, connection: 'close' } })
    const { toggles } = (await reply.json()) as { toggles: { name: string }[] }
    return toggles.some(({ name }) => name === 'told')
  }
  const isOnEverywhere = async (): Promise<boolean> =>
    (await Promise.all(Array.from({ length: 6 }, isOn))).every((one) => one)
  const streamAddress = async (): Promise<string> => {
    const reply = await fetch(`${base}/ofrep/v1/evaluate/flags`, { method: 'POST', headers: { authorization: KEY } })
    const { eventStreams } = (await reply.json()) as { eventStreams: { endpoint: { requestUri: string } }[] }
    return `${base}${eventStreams[0]?.endpoint.requestUri}`
  }

  test('has a change in both, long before the next poll, and sends it to pages of both', async () => {
    // each worker returns stream URLs that the other worker also accepts
    const streams = await Promise.all(Array.from({ length: 6 }, async () => openStream(await streamAddress(), {})))
    try {
      const before = streams.map(({ heard }) => heard.length)
      await turn('on')
      await until(isOnEverywhere)
      for (const [index, stream] of streams.entries()) await stream.next(() => true, before[index])
      expect(streams.map(({ heard }) => heard.at(-1)?.data)).toEqual(
        streams.map(() => expect.objectContaining({ type: 'refetchEvaluation' })),
      )
    } finally {
      for (const stream of streams) stream.close()
    }
  })

  test('ends the streams of pages with itself', async () => {
    const stream = await openStream(await streamAddress(), {})
    proxy.kill('SIGTERM')
    await until(() => stream.hasEnded())
    expect(await proxy.ended).toBe(0)
  })
})

test('streams stop before the file descriptors of a server do, and requests are answered', async () => {
  const place = temporaryFolder()
  const env = { DATA_DIR: place.path, HTTP_PORT: '0', HTTP_HOST: '127.0.0.1', INIT_CLIENT_API_TOKENS: CLIENT }
  const small = runBurgee(['server'], env, undefined, 300)
  const at = `http://127.0.0.1:${await small.find(/listening on port (\d+)/)}`
  const headers = { authorization: CLIENT }
  const opened: OpenStream[] = []
  let refused: Response | undefined
  while (refused === undefined) {
    const stream = await openStream(`${at}/api/client/streaming`, headers).catch(({ reply }) => reply as Response)
    if (stream instanceof Response) refused = stream
    else opened.push(stream)
  }
  expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([
    429,
    '60',
    STREAM_REFUSALS.descriptors,
  ])
  expect(opened.length).toBeLessThanOrEqual(300 - 128)
  const polls = Array.from({ length: 100 }, () => fetch(`${at}/api/client/features`, { headers }))
  expect(new Set((await Promise.all(polls)).map(({ status }) => status))).toEqual(new Set([200]))
  expect(small.output()).toMatch(/MAX_STREAMS \(10000\) does not fit: .* streams stop at 172\./)
  expect(small.output()).toContain('Event stream refused: no file descriptors left for streams')
  for (const stream of opened) stream.close()
  small.kill('SIGTERM')
  expect(await small.ended).toBe(0)
  const doctor = runBurgee(['doctor'], env, undefined, 300)
  expect(await doctor.ended).toBe(0)
  expect(doctor.output()).toMatch(/^warn +streams +MAX_STREAMS \(10000\) does not fit/m)
  place.remove()
})

test.each<[string, readonly string[], Record<string, string>]>([
  ['burgee start', ['start'], { PORT: '0', PROXY_PORT: '0' }],
  ['a proxy of two workers', ['proxy', '--workers', '2'], { PROXY_PORT: '0', FLAG_PROXY_CLIENT_KEYS: 'key' }],
  ['an edge of two workers', ['edge', '--workers', '2'], { PORT: '0', TOKENS: '*:development.secret' }],
])('%s warns once that there are too few file descriptors', async (_name, args, env) => {
  const upstream = await startUpstream()
  const place = temporaryFolder()
  const given = { DATA_DIR: place.path, FLAG_URL: upstream.url, UPSTREAM_URL: upstream.url, FLAG_API_TOKEN: 'token' }
  const burgee = runBurgee(args, { ...given, ...env }, undefined, 300)
  await burgee.find(/port \d+|listening|Server/i)
  await burgee.find(/does not fit/)
  burgee.kill('SIGTERM')
  await burgee.ended
  expect(burgee.output().match(/does not fit/g)).toHaveLength(1)
  await upstream.close()
  place.remove()
})
