import { execFileSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee } from '../../support/burgee.ts'
import { casesOf } from '../../support/cases.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

/**
 * The built proxy in a separate process: whatever it receives, it stays up, answers correctly, and has bounded memory
 * use.
 */
const KEY = 'robust-key'
const MOST_RSS_KB = 450_000
const feature = (name: string, constraint?: object) => ({
  name,
  enabled: true,
  strategies: constraint === undefined ? [] : [{ name: 'default', constraints: [constraint] }],
})
const DOCUMENT = {
  version: 2,
  features: [
    feature('steady'),
    feature('region', { contextName: 'region', operator: 'STR_CONTAINS', values: ['eu'] }),
    feature('number', { contextName: 'region', operator: 'NUM_GT', value: '1' }),
    feature('version', { contextName: 'region', operator: 'SEMVER_GT', value: '1.0.0' }),
    feature('pattern', { contextName: 'region', operator: 'REGEX', value: '^(a+)+$' }),
  ],
}

let upstream: FakeUpstream
let proxy: BurgeeProcess
let port: number
let url: string

beforeAll(async () => {
  upstream = await startUpstream(DOCUMENT)
  proxy = runBurgee(['proxy'], {
    FLAG_URL: upstream.url,
    FLAG_API_TOKEN: 'token',
    FLAG_PROXY_CLIENT_KEYS: KEY,
    FLAG_FETCH_INTERVAL: '100',
    FLAG_METRICS_INTERVAL: '200',
    ENABLE_ALL_ENDPOINT: 'true',
    PROXY_PORT: '0',
  })
  port = Number(await proxy.find(/port (\d+)/))
  url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${url}/proxy/health`)).ok)
})
afterAll(async () => {
  proxy.kill('SIGTERM')
  expect(await proxy.ended).toBe(0)
  await upstream.close()
})

const headers = { authorization: KEY, 'content-type': 'application/json' }
const post = (body: BodyInit, more: Record<string, string> = {}, path = '/proxy'): Promise<Response> =>
  fetch(`${url}${path}`, { method: 'POST', headers: { ...headers, ...more }, body })

/** Returns true if the proxy answers an ordinary request correctly, unaffected by earlier requests. */
async function isWell(): Promise<boolean> {
  const response = await fetch(`${url}/proxy?region=eu`, { headers })
  const { toggles } = (await response.json()) as { toggles: { name: string; enabled: boolean }[] }
  return JSON.stringify(toggles.map((toggle) => toggle.name)) === '["steady","region"]'
}

function rssKb(): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(proxy.pid)]).toString())
}

describe('hostile contexts', () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  test.each<[string, () => Promise<Response>, number]>([
    ['region[toString]=1', () => fetch(`${url}/proxy?region[toString]=1`, { headers }), 200],
    ['region[valueOf][x]=1', () => fetch(`${url}/proxy?region[valueOf][x]=1&region[toString]=2`, { headers }), 200],
    ['properties[__proto__][x]=1', () => fetch(`${url}/proxy?properties[__proto__][x]=1`, { headers }), 200],
    [
      'constructor[prototype][enabled]=1',
      () => fetch(`${url}/proxy?constructor[prototype][enabled]=1`, { headers }),
      200,
    ],
    ['an object with toString', () => post('{"context":{"region":{"toString":1,"valueOf":1}}}'), 200],
    ['an object with toJSON', () => post('{"context":{"region":{"toJSON":1}}}'), 200],
    ['__proto__ as context', () => post('{"context":{"__proto__":{"region":"eu"}}}'), 200],
    ['__proto__ as properties', () => post('{"context":{"properties":{"__proto__":"eu"}}}'), 200],
    [
      'toggles called like members',
      () => post('{"toggles":["__proto__","constructor","toString","hasOwnProperty"]}'),
      200,
    ],
    ['an evil text for a pattern', () => post(JSON.stringify({ context: { region: `${'a'.repeat(50_000)}!` } })), 200],
    ['nesting of 1,000 in a property', () => post(`{"context":{"x":${nested(1000)}}}`), 400],
    ['nesting of 10,000', () => post(`{"context":${nested(10_000)}}`), 400],
    ['nesting beyond the limit of a body', () => post(`{"context":${nested(50_000)}}`), 413],
    ['a list of lists', () => post(`{"toggles":${'['.repeat(50_000)}${']'.repeat(50_000)}}`), 400],
    ['10,000 toggles', () => post(JSON.stringify({ toggles: Array.from({ length: 10_000 }, (_, i) => `t${i}`) })), 200],
    ['5 MB of JSON', () => post(`{"context":{"x":"${'y'.repeat(5_000_000)}"}}`), 413],
    [
      '5 MB behind a small gzip',
      () => post(gzipSync(`{"context":{"x":"${'y'.repeat(5_000_000)}"}}`), { 'content-encoding': 'gzip' }),
      413,
    ],
    ['a corrupt gzip', () => post('no gzip', { 'content-encoding': 'gzip' }), 400],
    ['an unknown encoding', () => post('{}', { 'content-encoding': 'zstd' }), 415],
    ['an unknown charset', () => post('{}', { 'content-type': 'application/json; charset=latin1' }), 415],
    ['bytes that are no text', () => post(Buffer.from([0xff, 0xfe, 0x00])), 400],
    ['a query of 10 kB', () => fetch(`${url}/proxy?x=${'y'.repeat(10_000)}`, { headers }), 200],
    ['a query of 100 kB', () => fetch(`${url}/proxy?x=${'y'.repeat(100_000)}`, { headers }), 431],
    [
      '2,000 parameters',
      () => fetch(`${url}/proxy?${Array.from({ length: 2000 }, (_, i) => `${i}`).join('&')}`, { headers }),
      200,
    ],
  ])('%s', async (_name, ask, status) => {
    expect((await ask()).status).toBe(status)
    expect(await isWell()).toBe(true)
  })
})

describe('hostile counts', () => {
  const metrics = (toggles: string) =>
    `{"appName":"a","instanceId":"i","bucket":{"start":"2024-01-01T00:00:00Z","stop":"2024-01-01T00:01:00Z","toggles":${toggles}}}`
  const delivered = () =>
    upstream.seen.filter((request) => request.url.endsWith('/client/metrics')).map((request) => request.body)

  test.each([
    ['300000000', 202],
    ['4294967296', 202],
    ['1e15', 202],
    ['1e300', 202],
    ['-1', 400],
    ['1.5', 400],
    ['"many"', 400],
  ])('yes: %s → %i', async (count, status) => {
    const response = await post(metrics(`{"huge":{"yes":${count}}}`), {}, '/proxy/client/metrics')
    expect(response.status).toBe(status)
    expect(await isWell()).toBe(true)
  })

  test('they are summed without loss of order of magnitude and go upstream', async () => {
    await post(metrics('{"sum-me":{"yes":1e15,"no":300000000}}'), {}, '/proxy/client/metrics')
    await until(() => delivered().some((body) => body.includes('"sum-me":{"yes":1000000000000000,"no":300000000')))
  })

  test('200,000 invented names keep the memory bounded', async () => {
    for (let round = 0; round < 20; round += 1) {
      const names = Array.from({ length: 10_000 }, (_, i) => `"invented-${round}-${i}":{"yes":1}`)
      await post(metrics(`{${names.join(',')}}`), {}, '/proxy/client/metrics')
    }
    expect(await isWell()).toBe(true)
    expect(rssKb()).toBeLessThan(MOST_RSS_KB)
  })
})

describe('hostile connections', () => {
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket))
      socket.on('error', reject)
    })
  const sockets: Socket[] = []
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
  })

  test('2,000 idle connections and 200 half-sent requests do not keep others waiting', async () => {
    for (let batch = 0; batch < 22; batch += 1) {
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, open))))
    }
    for (const socket of sockets.slice(0, 100)) socket.write('GET /proxy HTTP/1.1\r\nHost: x\r\nAuth')
    for (const socket of sockets.slice(100, 200)) {
      socket.write(`POST /proxy HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\nContent-Length: 1000\r\n\r\n{"con`)
    }
    expect(await isWell()).toBe(true)
    expect(rssKb()).toBeLessThan(MOST_RSS_KB)
  })

  test.each([
    'GARBAGE\r\n\r\n',
    'GET /proxy HTTP/9.9\r\n\r\n',
    '\u0000\u0000\r\n\r\n',
    `GET / HTTP/1.1\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
  ])('get an HTTP error for bytes that are not HTTP: %j', async (bytes) => {
    const socket = await open()
    socket.on('error', () => {})
    socket.write(bytes)
    const [line] = await new Promise<string[]>((resolve) => {
      let text = ''
      socket.on('data', (chunk) => {
        text += String(chunk)
      })
      socket.on('close', () => resolve(text.split('\r\n')))
    })
    expect(line).toMatch(/^HTTP\/1.1 (400|431|505) /)
    expect(await isWell()).toBe(true)
  })
})

describe('an upstream that changes its mind every second, under load', () => {
  const MOODS: readonly Parameters<FakeUpstream['answerWith']>[0][] = [
    undefined,
    (_request, response) => void response.writeHead(200).end('{"features":[{"name":'),
    (_request, response) => void setTimeout(() => response.writeHead(200).end('{"features":[]'), 900),
    (_request, response) => void response.destroy(),
    (_request, response) => void response.writeHead(500).end('no'),
    (_request, response) => void response.writeHead(401).end('no'),
  ]
  const ROUNDS = casesOf('seconds of storm', { some: 12, full: 15, long: 60 })
  const SECOND_MS = 1000

  test('no wrong response, no crash, bounded memory, and the current state afterwards', {
    timeout: 120_000,
  }, async () => {
    let isRunning = true
    let asked = 0
    const load = Array.from({ length: 4 }, async () => {
      while (isRunning) {
        expect(await isWell()).toBe(true)
        asked += 1
      }
    })
    for (let round = 0; round < ROUNDS; round += 1) {
      upstream.answerWith(MOODS[round % MOODS.length])
      await new Promise((resolve) => setTimeout(resolve, SECOND_MS))
    }
    isRunning = false
    await Promise.all(load)
    upstream.answerWith(undefined)
    upstream.serve({ version: 2, features: [feature('after-the-storm')] })
    await until(async () => (await (await fetch(`${url}/proxy`, { headers })).text()).includes('after-the-storm'))
    process.stdout.write(`asked ${asked} times during the storm; ${rssKb()} kB\n`)
    expect(asked).toBeGreaterThan((1000 / 60) * ROUNDS)
    expect(rssKb()).toBeLessThan(MOST_RSS_KB)
  })
})
