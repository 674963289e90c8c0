import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestApp } from '../../test-support/app.ts'
import { dial, listen } from '../../test-support/socket.ts'
import type { HttpLimits } from './connections.ts'
import type { Content } from './content.ts'
import { createDateHeader } from './direct-connection.ts'
import { Reply, type Route, routesFor } from './route.ts'

const route = routesFor<string>()
const common = { summary: 'S.', tag: 't', permission: null, problems: [], replies: { 200: { description: 'OK' } } }
const apps: ReturnType<typeof createTestApp>[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

const DOT = '.'.charCodeAt(0)
const LARGE_BYTES = 32 * 1024 * 1024

/** Starts an app with hot routes. Counts requests to the HTTP server and bodies in pooled buffers. */
async function started(limits: Partial<HttpLimits> = {}) {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const counts = { http: 0, handled: 0, lent: 0, givenBack: 0, told: [] as number[] }
  const large: Content = {
    etag: 'W/"1-large"',
    length: LARGE_BYTES,
    bytes: () => Buffer.alloc(LARGE_BYTES, 'x'),
    lend: () => {
      counts.lent += 1
      return { bytes: large.bytes(), release: () => void counts.givenBack++ }
    },
    encoded: () => Buffer.alloc(0),
  }
  const memory = Buffer.alloc(3000, '.')
  memory.write('lent', 2000)
  const roomy = (headroomBytes: number): Content => ({
    ...large,
    length: 4,
    lend: () => {
      counts.lent += 1
      const surroundings = { memory, start: 2000, end: 2004, headroomBytes }
      return { bytes: memory.subarray(2000, 2004), surroundings, release: () => void counts.givenBack++ }
    },
  })
  const hot = { ...common, isHot: true, method: 'GET' } as const
  const seen = <T>(value: T) => {
    counts.handled += 1
    return value
  }
  const routes = [
    route({ ...hot, url: '/hot', handle: ({ caller }) => seen(caller.url) }),
    route({ ...hot, url: '/large', handle: () => seen(new Reply(200, large)) }),
    route({ ...hot, url: '/roomy', handle: () => new Reply(200, roomy(1000)) }),
    route({ ...hot, url: '/narrow', handle: () => new Reply(200, roomy(20)) }),
    route({ ...hot, url: '/address', handle: ({ caller }) => caller.remoteAddress }),
    route({
      ...hot,
      url: '/slow',
      handle: async () => {
        entered.resolve()
        await gate.promise
        return seen('done')
      },
    }),
    route({ ...hot, method: 'POST', url: '/hot', body: Type.Object({ a: Type.String() }), handle: ({ body }) => body }),
    route({ ...common, method: 'GET', url: '/cold', handle: () => 'cold' }),
  ] as Route<string>[]
  const onReply = ({ status }: { status: number }) => void counts.told.push(status)
  const app = createTestApp({ routes, onReply, limits: { closeGraceMs: 20_000, ...limits } })
  apps.push(app)
  const port = await listen(app)
  ;(app.server as Server).on('request', () => void counts.http++)
  return { app, port, counts, memory, release: gate.resolve, entered: entered.promise }
}

/**
 * Connects, and sends each piece after the previous piece was read. Pieces that are read together would form one chunk.
 */
async function dialInPieces(app: Awaited<ReturnType<typeof started>>['app'], port: number, pieces: readonly string[]) {
  const accepted = once(app.server, 'connection')
  const wire = await dial(port, '')
  const [far] = (await accepted) as [Socket]
  let sentBytes = 0
  for (const piece of pieces) {
    wire.socket.write(piece)
    sentBytes += Buffer.byteLength(piece)
    while (far.bytesRead < sentBytes) await sleep(1)
  }
  return wire
}

const HEADERS = 'HTTP/1.1\r\nHost: h\r\nAuthorization: k\r\n'
const get = (path: string) => `GET ${path} ${HEADERS}\r\n`
const post = (body: string) => `POST /hot ${HEADERS}Content-Length: ${body.length}\r\n\r\n${body}`

describe('answers on the socket', () => {
  test.each([
    ['GET', get('/hot?a=1'), /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n"\/hot\?a=1"$/],
    ['HEAD', `HEAD /hot ${HEADERS}\r\n`, /^HTTP\/1\.1 200 OK\r\n[\s\S]*content-length: 6\r\n[\s\S]*\r\n\r\n$/],
    ['POST', post('{"a":"b"}'), /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n\{"a":"b"\}$/],
    ['a refusal', 'GET /hot HTTP/1.1\r\nHost: h\r\n\r\n', /^HTTP\/1\.1 401 Unauthorized\r\n/],
    ['what does not fit the schema', post('{"b":1}'), /^HTTP\/1\.1 400 Bad Request\r\n/],
    ['the address', get('/address'), /"127\.0\.0\.1"$/],
  ])('%s', async (_name, text, reply) => {
    const { port, counts } = await started()
    const wire = await dial(port, text)
    await wire.until(reply)
    wire.socket.write(get('/hot'))
    await wire.until(/"\/hot"$/)
    expect(counts.http).toBe(0)
    wire.socket.destroy()
  })

  test.each([
    ['GET', get('/hot'), /"\/hot"$/],
    ['HEAD', `HEAD /hot ${HEADERS}\r\n`, /\r\n\r\n$/],
    ['If-None-Match', `GET /hot ${HEADERS}If-None-Match: *\r\n\r\n`, /\r\n\r\n$/],
    ['a refusal', 'GET /hot HTTP/1.1\r\nHost: h\r\n\r\n', /\}$/],
    ['a body', post('{"a":"b"}'), /\}$/],
  ])('match those of the HTTP server byte for byte: %s', async (_name, text, end) => {
    const { app, port, counts } = await started()
    const replies: string[] = []
    for (const pieces of [[text], [text.slice(0, 20), text.slice(20)]]) {
      const wire = await dialInPieces(app, port, pieces)
      await wire.until(end)
      replies.push(wire.received().replace(/Date: .* GMT/, 'Date: now'))
      wire.socket.destroy()
    }
    expect(replies[0]).toBe(replies[1])
    expect([replies[0]?.includes('Date: now'), counts.http]).toEqual([true, 1])
  })

  test('a delayed reply is sent before the reply to a later request', async () => {
    const { port, counts, release, entered } = await started()
    const wire = await dial(port, get('/slow'))
    await entered
    wire.socket.write(get('/hot'))
    await sleep(20)
    expect([wire.received(), counts.handled]).toEqual(['', 0])
    release()
    await wire.until(/"done"HTTP\/1\.1 200 OK[\s\S]*"\/hot"$/)
    expect([counts.http, counts.told]).toEqual([0, [200, 200]])
    wire.socket.destroy()
  })

  test.each<[string, readonly string[]]>([
    ['apart', [get('/large'), get('/large'), get('/large')]],
    ['at once', [get('/large').repeat(3)]],
  ])(
    'a client that asks %s and does not read gets one reply at a time, and lent buffers are returned',
    async (_name, pieces) => {
      const { port, counts } = await started()
      const wire = await dial(port, '')
      wire.socket.pause()
      for (const piece of pieces) {
        wire.socket.write(piece)
        await sleep(30)
      }
      expect(counts).toMatchObject({ handled: 1, lent: 1, givenBack: 0, told: [] })
      wire.socket.resume()
      while (counts.givenBack < 3) await once(wire.socket, 'data')
      wire.socket.destroy()
      await sleep(20)
      expect(counts).toMatchObject({ handled: 3, givenBack: 3 })
    },
  )

  test.each([
    ['in front of the body where there is room', '/roomy', true],
    ['apart from the body where there is not', '/narrow', false],
  ])('the head is written %s, and nowhere else', async (_name, path, isInFront) => {
    const { port, counts, memory } = await started()
    const wire = await dial(port, get(path))
    await wire.until(/^HTTP\/1\.1 200 OK\r\n[\s\S]*content-length: 4\r\n[\s\S]*\r\n\r\nlent$/)
    expect(counts).toMatchObject({ lent: 1, givenBack: 1 })
    const start = 2004 - (isInFront ? wire.received().length : 4)
    expect(memory.toString('latin1', start, 2004)).toBe(isInFront ? wire.received() : 'lent')
    expect([...memory.subarray(0, start), ...memory.subarray(2004)].every((byte) => byte === DOT)).toBe(true)
    wire.socket.destroy()
  })

  test.each([
    ['directly', ''],
    ['by the HTTP server', get('/cold')],
  ])('a buffer lent to a client that disconnects mid-reply is returned: %s', async (_name, before) => {
    const { port, counts } = await started()
    const wire = await dial(port, before)
    if (before !== '') await wire.until(/"cold"$/)
    wire.socket.pause()
    wire.socket.write(get('/large'))
    while (counts.lent < 1) await sleep(5)
    expect(counts.givenBack).toBe(0)
    wire.socket.destroy()
    while (counts.givenBack < 1) await sleep(5)
    expect(counts).toMatchObject({ givenBack: 1, told: before === '' ? [] : [200] })
  })

  test('a client that goes away before its reply is made', async () => {
    const { port, counts, release, entered } = await started()
    const wire = await dial(port, get('/slow'))
    await entered
    wire.socket.destroy()
    release()
    while (counts.handled < 1) await sleep(5)
    const other = await dial(port, get('/hot'))
    await other.until(/"\/hot"$/)
    other.socket.destroy()
  })

  test.each([
    ['before the reply is made', ''],
    ['behind a request that waits', get('/hot')],
  ])('a client that half-closes still gets its reply: %s', async (_name, behind) => {
    const { port, release, entered } = await started()
    const wire = await dial(port, get('/slow'))
    await entered
    wire.socket.end(behind)
    await sleep(30)
    release()
    expect(await wire.ended).toMatch(behind === '' ? /"done"$/ : /"done"HTTP[\s\S]*"\/hot"$/)
  })
})

describe('hands over', () => {
  test.each<[string, readonly string[], RegExp, number]>([
    ['another route', [get('/cold')], /"cold"$/, 1],
    ['half a head', [get('/hot').slice(0, 20), get('/hot').slice(20)], /"\/hot"$/, 1],
    ['two at once', [get('/hot?1') + get('/hot?2')], /"\/hot\?1"HTTP[\s\S]*"\/hot\?2"$/, 2],
    ['a body that comes later', [post('{"a":"b"}').slice(0, -9), '{"a":"b"}'], /\{"a":"b"\}$/, 1],
    ['chunks', [`POST /hot ${HEADERS}Transfer-Encoding: chunked\r\n\r\n9\r\n{"a":"b"}\r\n0\r\n\r\n`], /"b"\}$/, 1],
    ['the second request', [get('/hot'), get('/cold')], /"\/hot"HTTP[\s\S]*"cold"$/, 1],
    ['and never gets it back', [get('/cold'), get('/hot')], /"cold"HTTP[\s\S]*"\/hot"$/, 2],
    ['what is not HTTP', ['\x16\x03\x01\x02'], /^HTTP\/1\.1 400 Bad Request\r\n/, 0],
    ['what is not HTTP after a request', [get('/hot'), 'garbage\r\n\r\n'], /"\/hot"HTTP\/1\.1 400 Bad Request\r\n/, 0],
  ])('%s', async (_name, pieces, reply, requests) => {
    const { app, port, counts } = await started()
    const wire = await dialInPieces(app, port, pieces)
    await wire.until(reply)
    expect(counts.http).toBe(requests)
    wire.socket.destroy()
  })
})

describe('bounds', () => {
  test.each<[string, string, Partial<HttpLimits>, RegExp]>([
    ['silence from the start', '', { headersTimeoutMs: 40 }, /^$/],
    ['silence between requests', get('/hot'), { keepAliveTimeoutMs: 40 }, /"\/hot"$/],
    ['silence of both sides', get('/slow'), { idleTimeoutMs: 40 }, /^$/],
    [
      'silence after half a head',
      'GET /hot',
      { headersTimeoutMs: 40, requestTimeoutMs: 50, checkIntervalMs: 20 },
      /^HTTP\/1\.1 408 /,
    ],
  ])('%s', async (_name, text, limits, reply) => {
    const { port } = await started(limits)
    expect(await (await dial(port, text)).ended).toMatch(reply)
  })

  test('a reply that took long leaves the time between requests as it was', async () => {
    const { port, release, entered } = await started({ idleTimeoutMs: 60_000, keepAliveTimeoutMs: 40 })
    const wire = await dial(port, get('/slow'))
    await entered
    await sleep(80)
    release()
    expect(await wire.ended).toMatch(/"done"$/)
  })
})

describe('drain', () => {
  test.each([
    ['on the socket', '/hot', 0],
    ["by the platform's server", '/cold', 1],
  ])('every reply %s is the last of its connection, and new connections are taken', async (_name, path, http) => {
    const { app, port, counts } = await started()
    const silent = await dial(port, '')
    const idle = await dial(port, get('/hot'))
    await idle.until(/keep-alive[\s\S]*"\/hot"$/)
    app.drain()
    const kept = idle.received()
    idle.socket.write(get(path))
    silent.socket.write(get(path))
    const fresh = await dial(port, get(path))
    const lasts = [(await idle.ended).slice(kept.length), await silent.ended, await fresh.ended]
    for (const last of lasts) {
      expect(last).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n\r\n"/)
      expect(last).not.toMatch(/keep-alive/i)
    }
    expect(counts.http).toBe(3 * http)
  })

  test('a reply in progress sends Connection: close too, and idle connections stay open until the close', async () => {
    const { app, port, release, entered } = await started()
    const [idle, busy] = [await dial(port, get('/hot')), await dial(port, get('/slow'))]
    await Promise.all([idle.until(/"\/hot"$/), entered])
    app.drain()
    release()
    expect(await busy.ended).toMatch(/\r\nConnection: close\r\n\r\n"done"$/)
    expect(idle.socket.readyState).toBe('open')
    await app.close()
    await idle.ended
  })

  test('requests that arrive before the close are answered', async () => {
    const { app, port } = await started()
    const wire = await dial(port, get('/hot'))
    await wire.until(/"\/hot"$/)
    wire.socket.write(get('/hot?late'))
    const closed = app.close()
    expect(await wire.ended).toMatch(/"\/hot\?late"$/)
    await closed
  })
})

describe('close', () => {
  test('ends idle connections, lets a request in flight end', async () => {
    const { app, port, release, entered } = await started()
    const [silent, idle, busy] = [await dial(port, ''), await dial(port, get('/hot')), await dial(port, get('/slow'))]
    await Promise.all([idle.until(/"\/hot"$/), entered])
    const closed = app.close()
    expect([await silent.ended, await idle.ended]).toEqual(['', idle.received()])
    release()
    expect(await busy.ended).toMatch(/"done"$/)
    await closed
  })

  test('takes nothing that comes after', async () => {
    const { app, port, counts, release, entered } = await started()
    const wire = await dial(port, get('/slow'))
    await entered
    const closed = app.close()
    wire.socket.write(get('/hot'))
    await sleep(20)
    release()
    expect(await wire.ended).toMatch(/"done"$/)
    await closed
    expect(counts.handled).toBe(1)
  })

  test('cuts what does not end within the grace', async () => {
    const { app, port, entered } = await started({ closeGraceMs: 30 })
    const wire = await dial(port, get('/slow'))
    await entered
    await app.close()
    expect(await wire.ended).toBe('')
  })
})

test('the date is made once a second', () => {
  let now = 1_700_000_000_100
  const date = createDateHeader(() => now)
  const first = date()
  now += 899
  expect([first, date()]).toEqual(['Tue, 14 Nov 2023 22:13:20 GMT', first])
  now += 1
  expect(date()).toBe('Tue, 14 Nov 2023 22:13:21 GMT')
})
