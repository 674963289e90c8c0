import { describe, expect, test } from 'vitest'
import { createTestApp, KEY, throwValue } from '../../test-support/app.ts'
import { buildCorsHeaders, buildPreflightReply } from './cors.ts'
import type { Caller } from './route.ts'

const CORS = {
  origin: ['https://a.example', 'https://b.example'],
  methods: 'GET, POST',
  allowedHeaders: undefined,
  exposedHeaders: 'ETag',
  credentials: false,
  maxAgeSeconds: 5,
  optionsSuccessStatus: 204,
}

describe('replies', () => {
  const app = createTestApp()
  const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers: { ...KEY, ...headers } })

  test.each([
    ['/anything', 'application/json; charset=utf-8', '"no schema"'],
    ['/text', 'text/plain', 'ok'],
    ['/bytes', 'application/octet-stream', '\u0001\u0002'],
  ])('%s: type, length and tag', async (url, type, body) => {
    const reply = await get(url)
    expect([reply.headers['content-type'], reply.body]).toEqual([type, body])
    expect(reply.headers['content-length']).toBe(String(body.length))
    expect(reply.headers.etag).toMatch(new RegExp(`^W/"${body.length.toString(16)}-[\\w+/]{27}"$`))
  })

  test("a route's own tag is kept, failures have one too, a reply without a body has none", async () => {
    expect((await get('/tagged')).headers.etag).toBe('W/"own"')
    expect((await get('/throws')).headers.etag).toMatch(/^W\/"/)
    expect((await get('/empty')).headers).not.toHaveProperty('etag')
  })

  test('HEAD is GET without its body', async () => {
    const [whole, head] = [await get('/things/1'), await get('/things/1', {}, 'HEAD')]
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['content-length', 'content-type', 'etag']) expect(head.headers[name]).toBe(whole.headers[name])
  })

  test.each<[string, 'GET' | 'HEAD' | 'POST', string, Record<string, string>, number]>([
    ['the tag', 'GET', '/tagged', { 'if-none-match': 'W/"own"' }, 304],
    ['its strong form', 'GET', '/tagged', { 'if-none-match': '"own"' }, 304],
    ['among others', 'GET', '/tagged', { 'if-none-match': '"a", W/"own"' }, 304],
    ['any', 'GET', '/tagged', { 'if-none-match': '*' }, 304],
    ['with HEAD', 'HEAD', '/tagged', { 'if-none-match': 'W/"own"' }, 304],
    [
      'with no-cache, as fetch sends it',
      'GET',
      '/tagged',
      { 'if-none-match': 'W/"own"', 'cache-control': 'no-cache' },
      304,
    ],
    ['another', 'GET', '/tagged', { 'if-none-match': 'W/"other"' }, 200],
    ['not quoted', 'GET', '/tagged', { 'if-none-match': 'own' }, 200],
    ['with POST', 'POST', '/maybe', { 'if-none-match': '*' }, 200],
    ['of a failure', 'GET', '/throws', { 'if-none-match': '*' }, 500],
    ['of another status', 'GET', '/teapot', { 'if-none-match': '*' }, 418],
  ])('If-None-Match, %s', async (_name, method, url, headers, status) => {
    const reply = await app.inject({ method, url, headers: { ...KEY, ...headers } })
    expect(reply.statusCode).toBe(status)
    if (status !== 304) return
    expect([reply.body, reply.headers['content-type'], reply.headers['content-length']]).toEqual([
      '',
      undefined,
      undefined,
    ])
    expect(reply.headers.etag).toBe('W/"own"')
  })
})

describe('first', () => {
  const first = (caller: Caller) =>
    caller.method === 'OPTIONS' ? buildPreflightReply(CORS, caller.headers) : buildCorsHeaders(CORS, caller.headers)
  const app = createTestApp({ first, compress: true })
  const origin = 'https://b.example'

  test.each([
    ['POST', '/things', {}, 400],
    ['GET', '/anything', KEY, 200],
    ['GET', '/anything', {}, 401],
    ['GET', '/no', {}, 404],
    ['GET', '/%zz', {}, 404],
    ['GET', '/throws', KEY, 500],
    ['POST', '/things', { 'content-type': 'text/xml', 'content-length': '1' }, 415],
    ['GET', '/anything', { ...KEY, 'if-none-match': '*' }, 304],
  ] as const)('its headers are on every reply: %s %s %j → %i', async (method, url, headers, status) => {
    const reply = await app.inject({ method, url, headers: { ...headers, origin } })
    expect(reply.statusCode).toBe(status)
    expect(reply.headers['access-control-allow-origin']).toBe(origin)
    expect(reply.headers.vary).toBe('Origin, Accept-Encoding')
  })

  test.each(['/things', '/no', '/%zz', '*'])('its reply is the answer: OPTIONS %s', async (url) => {
    const reply = await app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-headers': 'x-a, x-b',
        'content-type': 'text/xml',
        'content-length': '1',
      },
    })
    expect([reply.statusCode, reply.body, reply.headers['content-length']]).toEqual([204, '', '0'])
    expect(reply.headers['access-control-allow-headers']).toBe('x-a, x-b')
    expect(reply.headers.vary).toBe('Origin, Access-Control-Request-Headers')
  })

  test('Vary holds the names of all, each once', async () => {
    const reply = await app.inject({ url: '/varied', headers: { ...KEY, origin } })
    expect(reply.headers.vary).toBe('Origin, Cookie, Accept-Encoding')
  })

  test('Vary * stands for all', async () => {
    const star = createTestApp({ first: () => ({ Vary: '*' }) })
    expect((await star.inject({ url: '/varied', headers: KEY })).headers.vary).toBe('*')
  })

  test('its failure is a failure of the request', async () => {
    const failing = createTestApp({ first: () => throwValue(new Error('first')) })
    expect((await failing.inject({ url: '/anything' })).json()).toEqual({ failed: 'Error: first' })
  })
})
