import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestApp, KEY } from '../../test-support/app.ts'
import { dial, listen } from '../../test-support/socket.ts'
import type { HttpLimits } from './connections.ts'
import { type Caller, type Route, routesFor } from './route.ts'

const apps: ReturnType<typeof createTestApp>[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

/** Starts an app with a route whose replies wait until they are released. */
async function started(limits: Partial<HttpLimits> = {}) {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const routes = [
    routesFor<string>()({
      method: 'GET',
      url: '/slow',
      summary: 'S.',
      tag: 't',
      permission: null,
      problems: [],
      replies: { 200: { description: 'OK' } },
      handle: async () => {
        entered.resolve()
        await gate.promise
        return 'done'
      },
    }),
    routesFor<string>()({
      method: 'POST',
      url: '/slow',
      summary: 'S.',
      tag: 't',
      permission: null,
      problems: [],
      replies: { 200: { description: 'OK' } },
      handle: () => 'done',
    }),
  ] as Route<string>[]
  const begun: string[] = []
  const first = ({ url }: Caller) => {
    begun.push(url)
    return {}
  }
  const app = createTestApp({ routes, first, limits: { closeGraceMs: 20_000, ...limits } })
  apps.push(app)
  return { app, port: await listen(app), release: gate.resolve, entered: entered.promise, begun }
}

const SLOW = 'GET /slow HTTP/1.1\r\nHost: h\r\nAuthorization: k\r\n\r\n'

describe('more connections than may be open', () => {
  const MAX = 64
  const request = 'GET /never HTTP/1.1\r\nHost: h\r\n\r\n'
  /** Connects as a client of a network; all of 127.0.0.0/8 is this machine. */
  const from = async (port: number, localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    await once(socket, 'connect')
    return { socket, closed: once(socket, 'close') }
  }

  test('the oldest idle ones of the network that has the most are closed, and others are answered', async () => {
    const { port, entered, release } = await started({ maxConnections: MAX })
    const busy = await dial(port, SLOW)
    await entered
    const other = await from(port, '127.0.0.2')
    const idle = []
    for (let count = 0; count < MAX - 2; count += 1) idle.push(await from(port, '127.0.0.1'))
    const newcomer = await from(port, '127.0.0.3')
    await idle[0]?.closed
    const late = await from(port, '127.0.0.1')
    await idle[1]?.closed
    for (const { socket } of [other, newcomer, late]) {
      socket.write(request)
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 404 /)
      socket.destroy()
    }
    expect(idle.slice(2).every(({ socket }) => !socket.destroyed)).toBe(true)
    release()
    await busy.until(/done/)
    for (const { socket } of idle) socket.destroy()
    busy.socket.destroy()
  })
})

describe('bytes that are not HTTP', () => {
  test.each([
    ['no request line', 'garbage\r\n\r\n', '400 Bad Request'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001', '400 Bad Request'],
    ['a bad length', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n', '400 Bad Request'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', '400 Bad Request'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      '400 Bad Request',
    ],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', '400 Bad Request'],
    ['a bad chunk', 'POST /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', '4'],
    [
      'a long header',
      `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
    ],
    ['a long URL', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: h\r\n\r\n`, '431 Request Header Fields Too Large'],
  ])('%s', async (_name, text, status) => {
    const { app, port } = await started()
    const wire = await dial(port, text)
    expect((await wire.ended).slice('HTTP/1.1 '.length)).toMatch(new RegExp(`^${status}`))
    expect((await app.inject({ url: '/no', headers: KEY })).statusCode).toBe(404)
  })

  test('a head longer than the limit of the app', async () => {
    const { port } = await started({ maxHeaderBytes: 1000 })
    const wire = await dial(port, `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(2000)}\r\n\r\n`)
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 431 /)
  })

  test('after a request in flight, nothing is written that could pass for its reply', async () => {
    const { port, entered, release } = await started()
    const wire = await dial(port, SLOW)
    await entered
    wire.socket.write('garbage\r\n\r\n')
    expect(await wire.ended).toBe('')
    release()
  })

  test.each([
    'CONNECT h:1 HTTP/1.1',
    'TRACE / HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'GET http://h/no HTTP/1.1',
    'PROPFIND / HTTP/1.1',
  ])('%s has no effect', async (line) => {
    const { app, port } = await started()
    const wire = await dial(port, `${line}\r\nHost: h\r\nConnection: close\r\n\r\n`)
    await wire.ended
    expect((await app.inject({ url: '/no', headers: KEY })).statusCode).toBe(404)
  })
})

describe('several requests at once', () => {
  test('wait for the ones before', async () => {
    const { port, entered, release, begun } = await started()
    const wire = await dial(port, SLOW + SLOW.replace('slow', 'no') + SLOW)
    await entered
    expect(begun).toEqual(['/slow'])
    release()
    await wire.until(/"done"HTTP\/1\.1 404 [\s\S]*"done"$/)
    expect(begun).toEqual(['/slow', '/no', '/slow'])
    wire.socket.destroy()
  })

  test('do not start once the connection is closed', async () => {
    const { app, port, entered, release, begun } = await started()
    const wire = await dial(port, SLOW + SLOW)
    await entered
    wire.socket.destroy()
    while ((await promisify(app.server.getConnections.bind(app.server))()) > 0) await sleep(5)
    release()
    expect((await app.inject({ url: '/no', headers: KEY })).statusCode).toBe(404)
    expect(begun).toEqual(['/slow', '/no'])
  })
})

describe('slow clients', () => {
  const quick = { checkIntervalMs: 20 }
  test.each<[string, string, Partial<HttpLimits>, string]>([
    [
      'headers that do not end',
      'GET / HTTP/1.1\r\nHost: h\r\nX: ',
      { ...quick, headersTimeoutMs: 50, requestTimeoutMs: 50 },
      'HTTP/1.1 408 Request Timeout',
    ],
    [
      'a body that does not end',
      'POST /slow HTTP/1.1\r\nHost: h\r\nAuthorization: k\r\nContent-Length: 9\r\n\r\n{',
      { ...quick, headersTimeoutMs: 50, requestTimeoutMs: 60 },
      'HTTP/1.1 408 Request Timeout',
    ],
    [
      'a refused body that does not end',
      'POST /no HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{',
      { ...quick, headersTimeoutMs: 50, requestTimeoutMs: 60 },
      'HTTP/1.1 404 Not Found',
    ],
    ['silence from the start', '', { ...quick, headersTimeoutMs: 50, requestTimeoutMs: 50 }, ''],
    [
      'silence between requests',
      'GET /no HTTP/1.1\r\nHost: h\r\n\r\n',
      { keepAliveTimeoutMs: 50 },
      'HTTP/1.1 404 Not Found',
    ],
    ['silence of both sides', SLOW, { idleTimeoutMs: 50 }, ''],
  ])('%s', async (_name, text, limits, reply) => {
    const { port, release } = await started(limits)
    const wire = await dial(port, text)
    const received = await wire.ended
    expect(received.startsWith(reply) && (reply !== '' || received === '' || received.startsWith('HTTP/1.1 408'))).toBe(
      true,
    )
    release()
  })

  test('the defaults apply without options', async () => {
    const { app } = await started()
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = app.server
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
      headersTimeout: 20_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 72_000,
      timeout: 120_000,
    })
  })
})

describe('close', () => {
  test('ends connections that never sent, sent half a head, or have had their reply', async () => {
    const { app, port } = await started()
    const silent = await dial(port, '')
    const half = await dial(port, 'GET / HTTP/1.1\r\nHost:')
    const idle = await dial(port, 'GET /no HTTP/1.1\r\nHost: h\r\n\r\n')
    await idle.until(/404 /)
    await app.close()
    expect(await Promise.all([silent.ended, half.ended])).toEqual(['', ''])
    expect(await idle.ended).toContain('404 ')
  })

  test('lets a request in flight end, then ends its connection', async () => {
    const { app, port, entered, release } = await started()
    const wire = await dial(port, SLOW)
    await entered
    const closed = app.close()
    await once(app.server, 'close', { signal: AbortSignal.timeout(50) }).catch(() => {})
    expect(wire.received()).toBe('')
    release()
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"done"$/)
    await closed
  })

  test('cuts a request that does not end within the grace', async () => {
    const { app, port, entered } = await started({ closeGraceMs: 30 })
    const wire = await dial(port, SLOW)
    await entered
    await app.close()
    expect(await wire.ended).toBe('')
  })

  test('takes no new connection', async () => {
    const { app, port } = await started()
    await app.close()
    await expect(dial(port, SLOW)).rejects.toThrow('ECONNREFUSED')
  })
})
