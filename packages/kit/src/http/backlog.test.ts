import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestApp } from '../../test-support/app.ts'
import { listen } from '../../test-support/socket.ts'
import { SILENT } from '../log/logger.ts'
import { toNetwork } from './client-network.ts'
import { Reply, type Route, routesFor } from './route.ts'

/** Size of a reply. The clients of these tests send requests but do not read the replies. */
const REPLY_BYTES = 12 * 1024 * 1024
const MOST_BYTES = 3 * REPLY_BYTES
const READERS = 8
/** Number of bytes to read at once: more than the operating system must free before it accepts further parts. */
const STEP_BYTES = 3 * 1024 * 1024
const shared = Buffer.alloc(REPLY_BYTES, 'x')

const common = { method: 'GET' as const, summary: 'S.', tag: 't', permission: null, problems: [] }
const route = (url: string, isHot: boolean, body: () => string | Buffer) =>
  routesFor<string>()({
    ...common,
    url,
    isHot,
    replies: { 200: { description: 'OK' } },
    handle: () => new Reply(200, body(), { 'content-type': 'application/octet-stream' }),
  })
const ROUTES = [
  route('/hot', true, () => 'x'.repeat(REPLY_BYTES)),
  route('/cold', false, () => 'x'.repeat(REPLY_BYTES)),
  route('/bytes', true, () => Buffer.alloc(REPLY_BYTES, 'x')),
  route('/shared', true, () => shared),
  route('/cold-shared', false, () => shared),
  route('/small', true, () => 'x'),
] as Route<string>[]

const clients: Socket[] = []
const apps: ReturnType<typeof createTestApp>[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  for (const app of apps.splice(0)) await app.close()
})

async function started(fastLane: boolean) {
  const warnings: string[] = []
  const app = createTestApp({
    routes: ROUTES,
    fastLane,
    limits: { maxBufferedBytes: MOST_BYTES, closeGraceMs: 0 },
    owners: ({ headers, remoteAddress }) => [toNetwork(remoteAddress), `token ${headers.authorization}`],
    logger: { ...SILENT, warn: (message) => void warnings.push(message) },
  })
  apps.push(app)
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  let asked = 0
  app.server.on('request', () => {
    asked += 1
  })
  const port = await listen(app)
  /** Sends a request without reading; resolves once the reply is being sent. */
  const ask = async (text: string, localAddress = '127.0.0.1'): Promise<Socket> => {
    const known = new Set(sockets)
    const client = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    clients.push(client)
    client.pause()
    client.write(text)
    for (;;) {
      const own = [...sockets].find((socket) => !known.has(socket))
      // a long reply is written in parts
      if (own !== undefined && own.writableLength > 0) return client
      await sleep(5)
    }
  }
  const held = () => [...sockets].map(({ writableLength }) => writableLength)
  return { ask, held, sockets, warnings, port, asked: () => asked }
}
const get = (path: string, token = 'k') => `GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: ${token}\r\n\r\n`
/** Resolves with the number of received bytes, once all bytes have arrived or the connection is closed. */
function readAll(client: Socket): Promise<number> {
  return new Promise((resolve) => {
    client.on('data', () => {
      if (client.bytesRead > REPLY_BYTES) resolve(client.bytesRead)
    })
    client.pause()
    client.once('close', () => resolve(client.bytesRead))
  })
}
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

describe('clients that do not read', () => {
  test.each<[string, string, boolean]>([
    ['on the socket', get('/hot'), true],
    ['on the socket, bytes', get('/bytes'), true],
    ['a hot route by the HTTP server', get('/hot').replace('HTTP/1.1', 'HTTP/1.0'), true],
    ['another route', get('/cold'), true],
    ['with the lane switched off', get('/hot'), false],
    ['with more requests behind the first', get('/hot') + get('/small').repeat(5), true],
  ])('%s: those that wait longest are cut, the others keep their replies', async (_name, text, fastLane) => {
    const { ask, held, sockets, warnings } = await started(fastLane)
    for (let reader = 0; reader < READERS; reader += 1) {
      await ask(text)
      expect(sum(held())).toBeLessThan(MOST_BYTES + REPLY_BYTES)
    }
    while (sockets.size > 3) await sleep(5)
    expect(sum(held())).toBeLessThanOrEqual(MOST_BYTES)
    expect(sockets.size).toBeGreaterThan(1)
    expect(warnings).toEqual([expect.stringMatching(/^Closed connections \(1\)/)])
  })

  test.each([
    ['on the socket', '/shared'],
    ['by the HTTP server', '/cold-shared'],
  ])('%s: shared bytes sent to many clients are counted once, and no client is cut off', async (_name, path) => {
    const { ask, sockets, warnings } = await started(true)
    for (let reader = 0; reader < READERS; reader += 1) await ask(get(path))
    await sleep(50)
    expect([sockets.size, warnings]).toEqual([READERS, []])
  })

  test.each([
    ['another network, on the socket', '/hot', { token: 'k', from: '127.0.0.2' }],
    ['another network, by the HTTP server', '/cold', { token: 'k', from: '127.0.0.2' }],
    ['another token of the network, on the socket', '/bytes', { token: 'other', from: '127.0.0.1' }],
    ['another token of the network, by the HTTP server', '/cold', { token: 'other', from: '127.0.0.1' }],
  ])('%s keeps its slow reply beside a caller with many, however long it takes', async (_name, path, honest) => {
    const { ask, sockets } = await started(true)
    const slow = await ask(get(path, honest.token), honest.from)
    const received = readAll(slow)
    for (let reader = 0; reader < READERS; reader += 1) await ask(get(path))
    while (sockets.size > 3) await sleep(5)
    slow.resume()
    expect(await received).toBeGreaterThan(REPLY_BYTES)
  })

  test('a slowly read reply outlasts unread replies of the same caller', async () => {
    const { ask, warnings } = await started(true)
    const slow = await ask(get('/bytes'))
    const received = readAll(slow)
    await ask(get('/bytes'))
    slow.resume()
    await new Promise<void>((resolve) => {
      slow.on('data', function pauseOnce() {
        if (slow.bytesRead < STEP_BYTES) return
        slow.off('data', pauseOnce).pause()
        resolve()
      })
    })
    // reading makes room for further parts
    await sleep(20)
    for (let reader = 0; reader < 2; reader += 1) await ask(get('/bytes'))
    slow.resume()
    expect(await received).toBeGreaterThan(REPLY_BYTES)
    expect(warnings).toHaveLength(1)
  })

  test('a client that reads gets the whole reply and leaves no backlog', async () => {
    const { ask, held, sockets, warnings } = await started(true)
    for (let reader = 0; reader < READERS; reader += 1) {
      const client = await ask(get('/hot'))
      let received = 0
      client.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
      client.resume()
      while (received < REPLY_BYTES) await sleep(5)
      expect(sum(held())).toBe(0)
    }
    expect([sockets.size, warnings]).toEqual([READERS, []])
  })
})

test('pipelined requests behind an unread reply are read only in part', async () => {
  const { port, asked, held } = await started(true)
  const client = connect(port, '127.0.0.1').on('error', () => {})
  clients.push(client)
  client.pause()
  client.write(get('/hot') + get('/small').repeat(100_000))
  while (sum(held()) === 0) await sleep(5)
  await sleep(200)
  expect(asked()).toBeLessThan(5000)
})
