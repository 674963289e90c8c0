import { describe, expect, test } from 'vitest'
import { createTestApp, KEY, long, sendRow, testRows } from '../../test-support/app.ts'
import { toPlainAddress } from './mapped-ipv4.ts'

describe('routes', () => {
  testRows(createTestApp(), [
    {
      name: 'params and query, read and completed',
      call: 'GET /things/7?x=1',
      status: 200,
      has: { id: '7', limit: 10, access: 'k' },
    },
    { name: 'query coerced', call: 'GET /things/7?limit=5', status: 200, has: { limit: 5 } },
    { name: 'bad query', call: 'GET /things/7?limit=x', status: 400, has: { invalid: '/query/limit must be integer' } },
    { name: 'a query that cannot be read', call: 'GET /things/7?bad', status: 500, has: { failed: 'Error: query' } },
    { name: 'an unused query', call: 'GET /anything?bad', status: 200 },
    { name: 'encoded parameter', call: 'GET /things/a%2Fb%20%C3%BC%25', status: 200, has: { id: 'a/b ü%' } },
    { name: 'parameters keep their case', call: 'GET /THINGS/AbC', status: 200, has: { id: 'AbC' } },
    { name: 'trailing slash', call: 'GET /things/7/', status: 200, has: { id: '7' } },
    { name: 'double slash', call: 'GET //things//7', status: 200, has: { id: '7' } },
    { name: 'long parameter', call: `GET /things/${'x'.repeat(10_000)}`, status: 200 },
    { name: 'bad encoding', call: 'GET /%zz', status: 404, has: { refused: 'not-found', why: 'Cannot GET /%zz' } },
    {
      name: 'bad encoding in a parameter',
      call: 'GET /things/%zz?q=1',
      status: 404,
      has: { why: 'Cannot GET /things/%zz' },
    },
    {
      name: 'unknown path',
      call: 'GET /no?secret=1',
      status: 404,
      has: { refused: 'not-found', why: 'Cannot GET /no' },
    },
    { name: 'unknown method', call: 'PATCH /things', status: 404, has: { why: 'Cannot PATCH /things' } },
    { name: 'a semicolon is no query', call: 'GET /anything;x', status: 404 },
    { name: 'a name of every object', call: 'GET /constructor', status: 404 },
    { name: 'OPTIONS without anybody to answer it', call: 'OPTIONS /things', status: 404 },
    { name: 'least status of the replies', call: 'PUT /created', status: 201 },
    { name: 'a handler without result', call: 'GET /nothing', status: 200, has: '' },
    { name: 'a reply without body', call: 'GET /empty', status: 409, has: '' },
    { name: 'a reply of no content', call: 'DELETE /things/7', status: 204, has: '' },
    { name: 'handler throws', call: 'GET /throws', status: 500, has: { failed: 'Error: boom' } },
    { name: 'handler rejects', call: 'GET /rejects', status: 500, has: { failed: 'Error: boom' } },
    { name: 'handler throws nothing', call: 'GET /throws-nothing', status: 500, has: { failed: 'undefined' } },
    { name: 'handler throws text', call: 'GET /throws-text', status: 500, has: { failed: 'boom' } },
    {
      name: 'a result that is not JSON',
      call: 'GET /bigint',
      status: 500,
      has: { failed: 'TypeError: Do not know how to serialize a BigInt' },
    },
    { name: 'renderer throws', call: 'GET /throws', headers: { ...KEY, 'x-render': 'fail' }, status: 500, has: '' },
  ])

  test('an invalid header counts as a failure and does not end the process', async () => {
    const app = createTestApp()
    expect((await sendRow(app, { name: '', call: 'GET /bad-header', status: 500 })).statusCode).toBe(500)
    expect((await sendRow(app, { name: '', call: 'GET /anything', status: 200 })).statusCode).toBe(200)
  })

  test.each([
    { name: 'a good one', headers: {}, payload: '{"name":"a"}', status: 200, limit: '7' },
    {
      name: 'one without rights',
      headers: { authorization: undefined },
      payload: '{"name":"a"}',
      status: 401,
      limit: '7',
    },
    { name: 'a broken one', headers: {}, payload: '{', status: 400, limit: '7' },
    { name: 'one too many', headers: { 'x-full': '1' }, payload: '{', status: 429, limit: undefined },
    { name: 'one too many, unread', headers: { 'x-full': '1' }, payload: long, status: 429, limit: undefined },
  ])(
    'the early headers of a route are part of the reply to $name → $status',
    async ({ headers, payload, status, limit }) => {
      const sent = { ...KEY, 'content-type': 'application/json', ...headers }
      const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
      const reply = await createTestApp().inject({ method: 'POST', url: '//LIMITED/', headers: given, payload })
      expect([reply.statusCode, reply.headers['x-limit']]).toEqual([status, limit])
    },
  )

  test("a caller carries the request's data and the peer's address", async () => {
    const reply = await createTestApp().inject({ url: '/caller?a=1', headers: KEY, remoteAddress: '::ffff:192.0.2.1' })
    expect(reply.json()).toMatchObject({
      method: 'GET',
      url: '/caller?a=1',
      headers: KEY,
      params: {},
      remoteAddress: '192.0.2.1',
      id: expect.any(String),
    })
  })

  test.each([
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:1.2.3.4', '1.2.3.4'],
    ['1.2.3.4', '1.2.3.4'],
    ['::1', '::1'],
    ['::ffff:102:304', '::ffff:102:304'],
    ['', ''],
  ])('address %j is %j', (given, plain) => expect(toPlainAddress(given)).toBe(plain))

  test.each([
    ['', '/anything', 200],
    ['/base/path', '/base/path/anything', 200],
    ['/base/path', '/anything', 404],
    ['/a:b', '/a:b/anything', 200],
    ['/a:b', '/axxx/anything', 404],
  ])('base path %j: %s → %i', async (basePath, url, status) => {
    expect((await createTestApp({ basePath }).inject({ url, headers: KEY })).statusCode).toBe(status)
  })

  test.each([
    ['TRACE', '/things/3', 405, 'GET, HEAD, DELETE'],
    ['PROPFIND', '/THINGS//3/', 405, 'GET, HEAD, DELETE'],
    ['TRACE', '/unknown', 404, undefined],
    ['PUT', '/things/3', 404, undefined],
  ])('%s %s is %i, with the methods of the path in Allow: %s', async (method, url, status, allow) => {
    const reply = await createTestApp().inject({ method: method as 'GET', url, headers: KEY })
    expect([reply.statusCode, reply.headers.allow]).toEqual([status, allow])
  })

  test('reply callbacks report a bounded set of routes, whatever callers send', async () => {
    const seen: string[] = []
    const app = createTestApp({
      basePath: '/a:b',
      onReply: ({ route, method, status, durationMs }) => seen.push(`${method} ${route} ${status} ${durationMs >= 0}`),
    })
    for (const id of ['1', '2']) await app.inject({ url: `/a:b/things/${id}?limit=${id}`, headers: KEY })
    await app.inject({ url: '/a:b/THINGS//3/', headers: KEY })
    await app.inject({ method: 'HEAD', url: '/a:b/things/3', headers: KEY })
    for (const path of ['x', 'y']) await app.inject({ method: 'DELETE', url: `/a:b/${path}`, headers: KEY })
    await app.inject({ method: 'TRACE' as 'GET', url: '/a:b/things/3', headers: KEY })
    expect([...new Set(seen)]).toEqual([
      'GET /things/:id 200 true',
      'HEAD /things/:id 200 true',
      'DELETE unknown 404 true',
      'other unknown 405 true',
    ])
    expect(seen).toHaveLength(7)
  })
})
