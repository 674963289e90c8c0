import { connect } from 'node:net'
import { SILENT } from '@burgee/kit/log/logger'
import { type BurgeeProxy, createProxy } from '@burgee/proxy/proxy'
import { readProxySetup } from '@burgee/proxy/proxy-setup'
import { connectHttp } from '@burgee/proxy/upstream/connection'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMON, CONFIGURATIONS } from '../../peer/configurations.ts'
import { type Answer, Exchange } from '../../peer/exchange.ts'
import { DOCUMENT } from '../../peer/feature-document.ts'
import { aim } from '../../peer/requests/build.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

/**
 * Requests get the same replies on the fast lane and through the HTTP server: all requests of tests/peer are sent to
 * two proxies, one with the fast lane and one without it.
 */
interface Lanes {
  readonly upstream: FakeUpstream
  readonly proxies: readonly BurgeeProxy[]
  readonly urls: readonly string[]
}

async function startLanes(env: Readonly<Record<string, string>>, isUnready = false): Promise<Lanes> {
  const upstream = await startUpstream(DOCUMENT)
  if (isUnready) upstream.answerWith((_request, response) => void response.writeHead(404).end())
  const config = { flagUrl: upstream.url, logger: SILENT, port: 0, host: '127.0.0.1' }
  const started = [true, false].map(async (httpFastLane) => {
    const { plugins, ...setup } = await readProxySetup(config, {
      env: { ...COMMON, ...env, UNLEASH_URL: upstream.url, HTTP_FAST_LANE: String(httpFastLane) },
    })
    const connection = connectHttp({ ...setup, strategyNames: [] })
    const proxy = createProxy({ ...setup, plugins, connection, random: () => 0.25 })
    const { url } = await proxy.listen()
    if (!isUnready) await until(() => proxy.isReady())
    return { proxy, url }
  })
  const both = await Promise.all(started)
  return { upstream, proxies: both.map(({ proxy }) => proxy), urls: both.map(({ url }) => url) }
}

async function stopLanes({ upstream, proxies }: Lanes): Promise<void> {
  await Promise.all(proxies.map((proxy) => proxy.close()))
  await upstream.close()
}

/** Removes times, and the keep-alive headers that one of the two lanes omits after a rejected body. */
function timeless({ status, headers, body }: Answer): unknown {
  const { date: _date, ...rest }: Record<string, string> = headers
  if (status >= 400 && rest.connection !== 'close') {
    delete rest.connection
    delete rest['keep-alive']
  }
  return { status, headers: rest, body }
}

describe.each(CONFIGURATIONS)('$name', ({ env, requests, base = '', keyHeader = 'authorization', isUnready }) => {
  let lanes: Lanes
  beforeAll(async () => {
    lanes = await startLanes(env, isUnready)
  })
  afterAll(() => stopLanes(lanes))

  test(`${requests.length} requests`, { timeout: 120_000 }, async () => {
    const exchanges = lanes.urls.map((url) => new Exchange(url))
    // metrics change over time
    for (const draft of requests.filter(({ path }) => !path.includes('prometheus'))) {
      const request = aim(draft, { base, keyHeader })
      // sent three times, because repeated requests are answered from memory
      for (let round = 0; round < 3; round++) {
        const [fast, plain] = await Promise.all(exchanges.map((exchange) => exchange.play(request)))
        if (fast === undefined || plain === undefined) throw new Error('An answer is missing')
        expect(timeless(fast), JSON.stringify(request)).toEqual(timeless(plain))
      }
    }
    for (const exchange of exchanges) exchange.close()
  })
})

const HEAD = 'Host: a\r\nAuthorization: k1\r\n'
const JSON_HEAD = `${HEAD}Content-Type: application/json\r\n`
const BODY = '{"context":{"userId":"u7","sessionId":"1"}}'
const GET = `GET /proxy?userId=u7&sessionId=1 HTTP/1.1\r\n${HEAD}\r\n`
const POST = `POST /proxy HTTP/1.1\r\n${JSON_HEAD}Content-Length: ${BODY.length}\r\n\r\n`
const posting = (head: string, body: string) => [`POST /proxy HTTP/1.1\r\n${JSON_HEAD}${head}\r\n\r\n${body}`]

describe('bytes on the wire', () => {
  let lanes: Lanes
  beforeAll(async () => {
    lanes = await startLanes({ ENABLE_ALL_ENDPOINT: 'true' })
  })
  afterAll(() => stopLanes(lanes))

  test.each<[string, string[], RegExp]>([
    ['one request', [GET], /^HTTP\/1\.1 200 /],
    ['three at once', [GET + GET + GET], /(HTTP\/1\.1 200 [\s\S]*){3}/],
    ['POST and GET at once', [POST + BODY + GET], /(HTTP\/1\.1 200 [\s\S]*){2}/],
    ['a refusal between two', [GET + GET.replace('u7', '1&userId=2') + GET], /200[\s\S]*400[\s\S]*200/],
    ['in small pieces', [GET.slice(0, 20), GET.slice(20, 50), GET.slice(50)], /^HTTP\/1\.1 200 /],
    ['a body in pieces', [POST, BODY.slice(0, 10), BODY.slice(10)], /^HTTP\/1\.1 200 /],
    ['a body that does not end', [POST, BODY.slice(0, 10)], /^$/],
    ['a body in chunks', posting('Transfer-Encoding: chunked', `2b\r\n${BODY}\r\n0\r\n\r\n`), /200/],
    ['a body of no bytes', posting('Content-Length: 0', ''), /^HTTP\/1\.1 200 /],
    ['no body', [`POST /proxy HTTP/1.1\r\n${HEAD}\r\n`], /^HTTP\/1\.1 200 /],
    ['two lengths', posting('Content-Length: 2\r\nContent-Length: 3', '{}'), /^HTTP\/1\.1 400 /],
    ['a length that is too large', posting('Content-Length: 2000000', '{}'), /^HTTP\/1\.1 413 /],
    ['a body that is not JSON', posting('Content-Length: 2', '{x'), /^HTTP\/1\.1 400 /],
    ['a deep body', posting('Content-Length: 1200', '['.repeat(600) + ']'.repeat(600)), /400/],
    ['a body that asks first', [POST.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'), BODY], /100[\s\S]*200/],
    ['a GET with a body', [`GET /proxy HTTP/1.1\r\n${JSON_HEAD}Content-Length: 2\r\n\r\n{}`], /^HTTP\/1\.1 200 /],
    ['HEAD', [GET.replace('GET', 'HEAD')], /content-length/i],
    ['HTTP/1.0', [GET.replace('HTTP/1.1', 'HTTP/1.0')], /200/],
    ['HTTP/1.0 that stays', [GET.replace('HTTP/1.1\r\n', 'HTTP/1.0\r\nConnection: keep-alive\r\n')], /keep-alive/],
    ['the last request', [GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')], /Connection: close/],
    ['no host', [GET.replace('Host: a\r\n', '')], /^HTTP\/1\.1 400 /],
    ['a whole address', [GET.replace('GET /', 'GET http://a/')], /^HTTP/],
    ['a fragment', [GET.replace('u7', 'u7#x=1?y')], /^HTTP\/1\.1 200 /],
    ['another protocol', [GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')], /200/],
    ['all, with a body', [POST.replace('/proxy', '/proxy/all') + BODY], /^HTTP\/1\.1 200 /],
    ['bytes beyond ASCII', posting('Content-Length: 29', '{"context":{"userId":"\xc3\xbc\xff\xff"}}'), /200/],
  ])('%s', async (_name, parts, form) => {
    const [fast, plain] = await Promise.all(lanes.urls.map((url) => transcript(url, parts)))
    expect(normal(fast ?? '')).toEqual(normal(plain ?? ''))
    expect(fast).toMatch(form)
  })

  test.each([
    ['on', 0],
    ['off', 24],
  ])(
    'use the configured path: with the option %s the HTTP server handles %i of 24 plain requests',
    async (option, expected) => {
      const lane = option === 'on' ? 0 : 1
      const { app } = lanes.proxies[lane] as BurgeeProxy
      let seen = 0
      const count = () => {
        seen += 1
      }
      app.server.on('request', count)
      const url = lanes.urls[lane] as string
      for (const request of [GET, POST + BODY]) {
        const text = await transcript(
          url,
          Array.from({ length: 12 }, () => request),
        )
        expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(12)
      }
      app.server.off('request', count)
      expect(seen).toBe(expected)
    },
  )

  test('replies are counted alike', () => {
    const counts = ({ series }: BurgeeProxy) => series.text().match(/burgee_proxy_(http_requests|eval|repeat)\S* .*/g)
    const [fast, plain] = lanes.proxies.map((proxy) => counts(proxy)?.sort())
    expect(fast).toEqual(plain)
    expect(fast?.length).toBeGreaterThan(3)
  })
})

/** Returns everything received until the connection ends or no more data arrives. */
function transcript(url: string, parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    let silence = setTimeout(() => {}, 0)
    const end = () => {
      socket.destroy()
      resolve(text.replaceAll(/Date: [^\r]+/g, 'Date: now'))
    }
    const waitOn = () => {
      clearTimeout(silence)
      silence = setTimeout(end, 400)
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      waitOn()
    })
    socket.on('close', end)
    socket.on('error', reject)
    socket.on('connect', async () => {
      for (const part of parts) {
        waitOn()
        socket.write(part, 'latin1')
        await new Promise((written) => setTimeout(written, 30))
      }
    })
  })
}

/** Splits replies and sorts their header lines, with lower-case names. */
function normal(text: string): string[][] {
  return text.split(/(?=HTTP\/1\.1 \d)/).map((reply) => {
    const [head = '', ...body] = reply.split('\r\n\r\n')
    const [status = '', ...all] = head.split('\r\n')
    const isRefusal = /^HTTP\/1\.1 4/.test(status) && !/^connection: close/im.test(head)
    const lines = all.filter((line) => !isRefusal || !/^(connection|keep-alive):/i.test(line))
    return [status, ...lines.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase())).sort(), ...body]
  })
}
