import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createTestApp, KEY } from '../../test-support/app.ts'
import { dial, listen } from '../../test-support/socket.ts'
import { Reply, type Route, routesFor } from './route.ts'

/** Requirements of HTTP that hold for every route, on connections read by the HTTP server. */
const apps: ReturnType<typeof createTestApp>[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function started() {
  const told: string[] = []
  const app = createTestApp({
    onReply: ({ method, route, status }) => void told.push(`${method} ${route} ${status}`),
    limits: { closeGraceMs: 100 },
  })
  apps.push(app)
  return { app, told, port: await listen(app) }
}

const HOST = 'Host: h\r\nAuthorization: k\r\n'
const BODY = '{"name":"a"}'
const post = (headers: string) => `POST /things HTTP/1.1\r\n${HOST}${headers}\r\n\r\n`

test.each<[string, string, RegExp, string[]]>([
  [
    'HTTP/1.0 ends',
    `GET /anything HTTP/1.0\r\n${HOST}\r\n`,
    /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n[\s\S]*schema"$/,
    ['GET /anything 200'],
  ],
  ['HTTP/1.0 needs no host', 'GET /no HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 404 /, ['GET unknown 404']],
  [
    'the last request',
    `GET /anything HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    /\r\nConnection: close\r\n/,
    ['GET /anything 200'],
  ],
  [
    'HEAD has the length and no body',
    `HEAD /anything HTTP/1.0\r\n${HOST}\r\n`,
    /\r\ncontent-length: 11\r\n[\s\S]*\r\n\r\n$/,
    ['HEAD /anything 200'],
  ],
  ['HEAD of nothing', `HEAD /no HTTP/1.0\r\n${HOST}\r\n`, /^HTTP\/1\.1 404 [\s\S]*\r\n\r\n$/, ['HEAD unknown 404']],
  ['another expectation', `${post('Connection: close\r\nExpect: wonders')}`, /^HTTP\/1\.1 417 /, []],
  [
    'a body of a GET',
    `GET /anything HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{`,
    /^HTTP\/1\.1 200 /,
    ['GET /anything 200'],
  ],
  [
    'a body in chunks',
    `${post('Connection: close\r\nTransfer-Encoding: chunked')}c\r\n${BODY}\r\n0\r\n\r\n`,
    /\{"name":"a"\}$/,
    ['POST /things 200'],
  ],
  [
    'a whole address',
    `GET http://h/anything HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    /^HTTP\/1\.1 200 /,
    ['GET /anything 200'],
  ],
  [
    'a path that cannot be decoded',
    `GET /%zz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    /^HTTP\/1\.1 404 /,
    ['GET unknown 404'],
  ],
  [
    'a path that is half of a character',
    `GET /things/%C3 HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    /^HTTP\/1\.1 404 /,
    ['GET unknown 404'],
  ],
  [
    'another method',
    `PROPFIND /anything HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    /^HTTP\/1\.1 405 [\s\S]*\r\nallow: GET, HEAD\r\n/i,
    ['other unknown 405'],
  ],
  [
    'more than is thrown away',
    post('Content-Length: 10000001'),
    /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/,
    ['POST /things 413'],
  ],
])('%s', async (_name, text, form, replies) => {
  const { port, told } = await started()
  const wire = await dial(port, text)
  expect(await wire.ended).toMatch(form)
  expect(told).toEqual(replies)
})

test('a client that sends Expect: 100-continue receives 100 Continue', async () => {
  const { port } = await started()
  const wire = await dial(port, post(`Connection: close\r\nExpect: 100-continue\r\nContent-Length: ${BODY.length}`))
  await wire.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  wire.socket.write(BODY)
  expect(await wire.ended).toMatch(/HTTP\/1\.1 200 [\s\S]*\{"name":"a"\}$/)
})

test('a body that is refused leaves the connection, and the next request is read', async () => {
  const { port } = await started()
  const wire = await dial(port, post('Content-Length: 2000') + 'x'.repeat(2000))
  await wire.until(/^HTTP\/1\.1 413 [\s\S]*keep-alive/)
  wire.socket.write(`GET /anything HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
  expect(await wire.ended).toMatch(/HTTP\/1\.1 200 /)
})

test.each(['Content-Length: 9', 'Transfer-Encoding: chunked', 'Content-Encoding: gzip\r\nContent-Length: 9'])(
  'a body that ends early affects no other request and counts as no reply: %s',
  async (headers) => {
    const { app, port, told } = await started()
    const wire = await dial(port, post(headers))
    await once(app.server, 'request')
    wire.socket.destroy()
    await sleep(20)
    expect((await app.inject({ url: '/anything', headers: KEY })).statusCode).toBe(200)
    expect(told).toEqual(['GET /anything 200'])
  },
)

test('work that is long can see that its client has gone', async () => {
  const [begun, seen] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean[]>()]
  const route = routesFor<string>()({
    method: 'GET',
    url: '/long',
    summary: 'S.',
    tag: 't',
    permission: null,
    problems: [],
    replies: { 200: { description: 'OK' } },
    handle: async ({ caller: { exit } }) => {
      const before = exit?.isGone === true
      begun.resolve()
      while (exit?.isGone !== true) await sleep(1)
      seen.resolve([before, true])
    },
  })
  const app = createTestApp({ routes: [route as Route<string>] })
  apps.push(app)
  const wire = await dial(await listen(app), `GET /long HTTP/1.1\r\n${HOST}\r\n`)
  await begun.promise
  wire.socket.destroy()
  expect(await seen.promise).toEqual([false, true])
})

test('a lent buffer is returned if the client disconnects before the reply is ready', async () => {
  const gate = Promise.withResolvers<void>()
  const counts = { lent: 0, givenBack: 0 }
  const lend = () => {
    counts.lent += 1
    return { bytes: Buffer.from('x'), release: () => void counts.givenBack++ }
  }
  const content = { etag: 'W/"1-x"', length: 1, bytes: () => Buffer.from('x'), lend, encoded: () => Buffer.alloc(0) }
  const route = routesFor<string>()({
    method: 'GET',
    url: '/later',
    summary: 'S.',
    tag: 't',
    permission: null,
    problems: [],
    replies: { 200: { description: 'OK' } },
    handle: () => gate.promise.then(() => new Reply(200, content)),
  })
  const app = createTestApp({ routes: [route] as Route<string>[] })
  apps.push(app)
  const wire = await dial(await listen(app), `GET /later HTTP/1.1\r\n${HOST}\r\n`)
  const [, response] = (await once(app.server, 'request')) as [unknown, ServerResponse]
  wire.socket.destroy()
  await once(response, 'close')
  gate.resolve()
  await sleep(10)
  expect(counts).toEqual({ lent: 1, givenBack: 1 })
})

test("request ids start with the reader's prefix and are unique", async () => {
  const app = createTestApp()
  const ids = []
  for (let at = 0; at < 2; at++) ids.push((await app.inject({ url: '/caller', headers: KEY })).json().id)
  expect(ids).toEqual(['req-1', 'req-2'])
})
