import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestApp } from '../../test-support/app.ts'
import { dial, listen } from '../../test-support/socket.ts'
import { toNetwork } from '../http/client-network.ts'
import type { HttpLimits } from '../http/connections.ts'
import { Reply, type Route, routesFor } from '../http/route.ts'
import { createEventMessage } from './event-message.ts'
import { type EventStream, EventStreams, type EventStreamsOptions } from './event-streams.ts'

const route = routesFor<string>()
const common = { summary: 'S.', tag: 't', permission: null, problems: [], replies: { 200: { description: 'OK' } } }
const apps: ReturnType<typeof createTestApp>[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

const CALLER = { network: toNetwork('192.0.2.1') }
const FIRST = createEventMessage({ id: '1', event: 'first', data: 'whole' })
const NEXT = createEventMessage({ data: 'next' })
const LARGE = createEventMessage({ data: 'x'.repeat(1024 * 1024) })

/** Starts an app with streams on both paths: /hot is answered on the socket, /cold by the HTTP server. */
async function started(
  options: Partial<EventStreamsOptions> = {},
  { waits = false, limits = {} }: { readonly waits?: boolean; readonly limits?: Partial<HttpLimits> } = {},
) {
  const streams = new EventStreams({ maxPerKind: 3, ...options })
  const [open, heard] = [new Set<EventStream>(), { told: [] as number[], ended: 0, caughtUp: 0 }]
  const handle = ({ caller }: { readonly caller: { readonly url: string } }) => {
    const refusal = streams.refusal('test', CALLER)
    if (refusal !== undefined) return new Reply(refusal === 'ending' ? 503 : 429)
    return streams.reply('test', CALLER, (stream) => {
      stream.send(FIRST)
      open.add(stream)
      const ended = () => {
        open.delete(stream)
        heard.ended += 1
      }
      const caughtUp = () => {
        heard.caughtUp += 1
        stream.send(FIRST)
      }
      return caller.url.endsWith('?whole') ? { ended, caughtUp } : { ended }
    })
  }
  const get = { ...common, method: 'GET' } as const
  const later = async (input: Parameters<typeof handle>[0]) => sleep(1).then(() => handle(input))
  const routes = [
    route({ ...get, url: '/hot', isHot: true, handle: waits ? later : handle }),
    route({ ...get, url: '/cold', handle: waits ? later : handle }),
  ] as Route<string>[]
  const onReply = ({ status }: { status: number }) => void heard.told.push(status)
  const app = createTestApp({ routes, onReply, streams, compress: true, limits: { closeGraceMs: 100, ...limits } })
  apps.push(app)
  return { app, streams, open, heard, port: await listen(app) }
}

const HEADERS = 'HTTP/1.1\r\nHost: h\r\nAuthorization: k\r\nAccept-Encoding: gzip\r\n'
const PATHS = ['/hot', '/cold'] as const
const get = (path: string) => `GET ${path} ${HEADERS}\r\n`
const HEAD_LINES = [
  'HTTP/1.1 200 OK',
  'cache-control: no-cache, no-transform',
  'x-accel-buffering: no',
  'content-type: text/event-stream',
  'Date: now',
  'Connection: close',
  'Transfer-Encoding: chunked',
]
const EVENT = /data: whole\n\n\r\n$/

/** Polls until a condition is true. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(1)
}

describe.each(PATHS)('%s', (path) => {
  test.each([false, true])('a stream, whose handler waits: %s', async (waits) => {
    const { streams, open, heard, port } = await started({}, { waits })
    const wire = await dial(port, get(path))
    await wire.until(EVENT)
    const [head, body] = wire.received().split('\r\n\r\n', 1 + 1)
    expect(head?.replace(/Date: .*/, 'Date: now').split('\r\n')).toEqual(HEAD_LINES)
    expect(body).toBe('20\r\nid: 1\nevent: first\ndata: whole\n\n\r\n')
    expect([streams.counts.get('test'), heard.told]).toEqual([1, [200]])
    for (const stream of open) expect(stream.send(NEXT)).toBe(true)
    await wire.until(/data: next\n\n\r\n$/)
    wire.socket.destroy()
    await until(() => heard.ended === 1)
    expect([streams.counts.get('test'), open.size]).toEqual([0, 0])
  })

  test('HEAD has the head alone, and starts nothing', async () => {
    const { streams, heard, port } = await started()
    const wire = await dial(port, `HEAD ${path} ${HEADERS}\r\n`)
    await wire.until(/\r\n\r\n$/)
    expect(wire.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\ncontent-type: text\/event-stream\r\n/)
    expect(wire.received()).not.toMatch(/content-length|chunked/i)
    expect([streams.counts.get('test'), heard.told]).toEqual([undefined, [200]])
    wire.socket.destroy()
  })

  test('HTTP/1.0 gets the body as it is, to the end of the connection', async () => {
    const { open, port } = await started()
    const wire = await dial(port, `GET ${path} HTTP/1.0\r\nAuthorization: k\r\n\r\n`)
    await wire.until(/data: whole\n\n$/)
    for (const stream of open) stream.end()
    const received = await wire.ended
    expect(received).toMatch(/\r\n\r\nid: 1\nevent: first\ndata: whole\n\n$/)
    expect(received).not.toMatch(/chunked/i)
  })

  test('comments keep it alive, all streams by one timer', async () => {
    const { port } = await started({ heartbeatMs: 60 })
    const wires = [await dial(port, get(path)), await dial(port, get(path))]
    await Promise.all(wires.map((wire) => wire.until(/(?:e\r\n: keep-alive\n\n\r\n){3}$/)))
    for (const { socket } of wires) socket.destroy()
  })

  test('no more of a kind than the limit, and again when one has gone', async () => {
    const { port, heard } = await started()
    const wires = [await dial(port, get(path)), await dial(port, get(path)), await dial(port, get(path))]
    await Promise.all(wires.map((wire) => wire.until(EVENT)))
    const refused = await dial(port, get(path))
    await refused.until(/^HTTP\/1\.1 429 /)
    wires[0]?.socket.destroy()
    await until(() => heard.ended === 1)
    const late = await dial(port, get(path))
    await late.until(EVENT)
    for (const { socket } of [...wires, refused, late]) socket.destroy()
  })

  test.each([
    ['a request behind it', get(path)],
    ['bytes that are no request', 'x'],
  ])('%s breaks it off', async (_name, more) => {
    const { port, heard } = await started()
    const wire = await dial(port, get(path))
    await wire.until(EVENT)
    wire.socket.write(more)
    await wire.ended
    await until(() => heard.ended === 1)
  })

  test('requests that came together with it break it off', async () => {
    const { port, heard } = await started({}, { waits: true })
    const wire = await dial(port, get(path) + get(path))
    await wire.ended
    await until(() => heard.ended === heard.told.length)
  })

  test('a client that sends nothing more has gone', async () => {
    const { port, heard } = await started()
    const wire = await dial(port, get(path))
    await wire.until(EVENT)
    wire.socket.end()
    await wire.ended
    await until(() => heard.ended === 1)
  })

  test('a client that has gone before its handler is done gets no stream', async () => {
    const { streams, app, port } = await started({}, { waits: true })
    const accepted = once(app.server, 'connection')
    const wire = await dial(port, get(path))
    const [far] = (await accepted) as [Socket]
    wire.socket.resetAndDestroy()
    await until(() => far.destroyed)
    await sleep(10)
    expect(streams.counts.get('test') ?? 0).toBe(0)
  })
})

/**
 * Sends messages until the client stays behind. The number of messages depends on the buffers of the operating system.
 */
async function fill(stream: EventStream): Promise<void> {
  for (let behind = 0; behind < 5; behind = stream.send(LARGE) ? 0 : behind + 1) await sleep(2)
}

describe.each(PATHS)('a client of %s that does not read', (path) => {
  test('gets a whole state once it reads again, and none of the events in between', async () => {
    const { open, heard, port } = await started()
    const wire = await dial(port, get(`${path}?whole`))
    await wire.until(EVENT)
    const [stream] = [...open] as [EventStream]
    wire.socket.pause()
    await fill(stream)
    expect([stream.isBehind, stream.send(NEXT)]).toEqual([true, false])
    const before = heard.caughtUp
    wire.socket.resume()
    await wire.until(/x\n\n\r\n20\r\nid: 1\nevent: first\ndata: whole\n\n\r\n$/)
    expect([heard.caughtUp - before, stream.isBehind, stream.send(NEXT)]).toEqual([1, false, true])
    await wire.until(/data: next\n\n\r\n$/)
    wire.socket.destroy()
  })

  test('gets cut off if no whole state is available', async () => {
    const { open, heard, port } = await started()
    const wire = await dial(port, get(path))
    await wire.until(EVENT)
    wire.socket.pause()
    await fill(...([...open] as [EventStream]))
    await until(() => heard.ended === 1)
    wire.socket.destroy()
  })

  test('gets cut off first if it buffers for longest while all connections together exceed the limit', async () => {
    const { open, heard, port } = await started({}, { limits: { maxBufferedBytes: 1200 * 1024 } })
    const wires = [await dial(port, get(`${path}?whole`))]
    await wires[0]?.until(EVENT)
    wires.push(await dial(port, get(`${path}?whole`)))
    await wires[1]?.until(EVENT)
    for (const { socket } of wires) socket.pause()
    const [first, second] = [...open] as [EventStream, EventStream]
    await fill(first)
    for (let count = 0; count < 100 && heard.ended === 0; count += 1) {
      second.send(createEventMessage({ data: 'y'.repeat(1024 * 1024) }))
      await sleep(1)
    }
    expect([heard.ended, open.has(first)]).toEqual([1, false])
    for (const { socket } of wires) socket.destroy()
  })
})

describe('the end of a process', () => {
  test('ends streams one after the other, as replies end', async () => {
    const { streams, app, port, heard } = await started()
    const wires = [await dial(port, get('/hot')), await dial(port, get('/cold')), await dial(port, get('/hot'))]
    await Promise.all(wires.map((wire) => wire.until(EVENT)))
    app.drain()
    streams.drain(150)
    await until(() => heard.ended === 1)
    expect(streams.counts.get('test')).toBe(2)
    expect(streams.refusal('test', CALLER)).toBe('ending')
    const refused = await dial(port, get('/hot'))
    await refused.until(/^HTTP\/1\.1 503 /)
    for (const text of await Promise.all(wires.map(({ ended }) => ended))) expect(text).toMatch(/\r\n0\r\n\r\n$/)
    await until(() => streams.counts.get('test') === 0)
  })

  test('does not wait for streams', async () => {
    const { app, port } = await started()
    const wires = [await dial(port, get('/hot')), await dial(port, get('/cold'))]
    await Promise.all(wires.map((wire) => wire.until(EVENT)))
    await app.close()
    for (const text of await Promise.all(wires.map(({ ended }) => ended))) expect(text).toMatch(/\r\n0\r\n\r\n$/)
  })

  test('ends a stream that would begin then', async () => {
    const { streams, port, open } = await started({}, { waits: true })
    const wire = await dial(port, get('/hot'))
    streams.drain(0)
    await wire.until(/^HTTP\/1\.1 503 /)
    expect(open.size).toBe(0)
    wire.socket.destroy()
  })
})
