import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { createTestApp, KEY } from '../../test-support/app.ts'
import { chooseCoding, compress, isCompressible } from './compression.ts'
import { Reply, type Route, routesFor } from './route.ts'

describe('chooseCoding', () => {
  test.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ['', undefined],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', 'deflate'],
    ['gzip, deflate, br', 'br'],
    ['deflate, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.8, gzip ; q=0.8', 'br'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0, *', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0.2, gzip;q=0.5', 'gzip'],
    ['identity;q=0, *;q=0', undefined],
    ['zstd', undefined],
    ['zstd, gzip;q=0.1', 'gzip'],
    ['gzip;q=2', undefined],
    ['gzip;q=x', undefined],
    ['gzip;q=-1', undefined],
    ['gzip;q=1.000', 'gzip'],
    [', ,;,gzip', 'gzip'],
    ['constructor', undefined],
  ])('%j → %j', (header, coding) => expect(chooseCoding(header)).toBe(coding))
})

test.each([
  ['application/json; charset=utf-8', true],
  ['application/problem+json', true],
  ['TEXT/HTML', true],
  ['text/plain; version=0.0.4', true],
  ['image/svg+xml', true],
  ['text/javascript', true],
  ['application/javascript', true],
  ['text/event-stream', false],
  ['image/png', false],
  ['application/octet-stream', false],
  ['application/gzip', false],
  ['font/woff2', false],
  ['', false],
])('isCompressible(%j) is %j', (type, expected) => expect(isCompressible(type)).toBe(expected))

test('a Buffer is compressed once per coding, equal texts are not remembered', async () => {
  const body = Buffer.alloc(2000, 'x')
  expect(compress(body, 'gzip')).toBe(compress(body, 'gzip'))
  expect(compress(body, 'br')).not.toBe(compress(body, 'gzip'))
  expect(compress('x', 'gzip')).not.toBe(compress('x', 'gzip'))
  expect(gunzipSync(await compress(body, 'gzip'))).toEqual(body)
})

describe('replies', () => {
  const route = routesFor<string>()
  const common = { method: 'GET', summary: 'S.', tag: 't', permission: null, problems: [] } as const
  const replies = { 200: { description: 'OK' } }
  const size = (bytes: number) => 'é'.repeat(bytes / 2)
  const headers = (type: string) => ({ 'content-type': type })
  const routes = [
    route({
      ...common,
      replies,
      url: '/text/:bytes',
      params: Type.Object({ bytes: Type.Integer() }),
      handle: ({ params }) => new Reply(200, size(params.bytes), headers('text/plain')),
    }),
    route({
      ...common,
      replies,
      url: '/buffer',
      handle: () => new Reply(200, Buffer.from(size(2000)), headers('application/json')),
    }),
    route({
      ...common,
      replies,
      url: '/image',
      handle: () => new Reply(200, Buffer.alloc(2000), headers('image/png')),
    }),
    route({
      ...common,
      replies,
      url: '/encoded',
      handle: () => new Reply(200, Buffer.alloc(2000), { ...headers('text/plain'), 'content-encoding': 'gzip' }),
    }),
    route({ ...common, replies, url: '/none', handle: () => new Reply(200) }),
    route({ ...common, replies, url: '/fails', handle: () => new Reply(500, size(2000), headers('text/plain')) }),
  ] as Route<string>[]
  const app = createTestApp({ routes, compress: true })
  const plain = createTestApp({ routes })
  const get = (url: string, accept?: string, more: { method?: 'HEAD'; headers?: object } = {}) =>
    app.inject({
      method: more.method ?? 'GET',
      url,
      headers: { ...KEY, ...(accept === undefined ? {} : { 'accept-encoding': accept }), ...more.headers },
    })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
  ] as const)('%s gives the same bytes, with their length and the plain tag', async (coding, undo) => {
    for (const url of ['/text/2000', '/buffer']) {
      const reply = await get(url, coding)
      expect(undo(reply.rawPayload).toString()).toBe(size(2000))
      expect(reply.headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' })
      expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length))
      expect(reply.headers.etag).toBe((await get(url)).headers.etag)
    }
  })

  test.each<[string, string, string | undefined, string | undefined, string | undefined]>([
    ['1024 bytes', '/text/1024', 'gzip', 'gzip', 'Accept-Encoding'],
    ['1022 bytes', '/text/1022', 'gzip', undefined, 'Accept-Encoding'],
    ['no wish', '/text/2000', undefined, undefined, 'Accept-Encoding'],
    ['unknown wish', '/text/2000', 'zstd', undefined, 'Accept-Encoding'],
    ['anything', '/text/2000', '*', 'br', 'Accept-Encoding'],
    ['nothing acceptable', '/text/2000', 'identity;q=0', undefined, 'Accept-Encoding'],
    ['a failure', '/fails', 'gzip', 'gzip', 'Accept-Encoding'],
    ['an image', '/image', 'gzip', undefined, undefined],
    ['encoded already', '/encoded', 'br', 'gzip', undefined],
    ['no body', '/none', 'gzip', undefined, undefined],
  ])('%s', async (_name, url, accept, encoding, vary) => {
    const reply = await get(url, accept)
    expect([reply.headers['content-encoding'], reply.headers.vary]).toEqual([encoding, vary])
  })

  test('304 has the tag of the plain body and a Vary header', async () => {
    const { etag } = (await get('/text/2000', 'br')).headers
    const reply = await get('/text/2000', 'gzip', { headers: { 'if-none-match': etag } })
    expect([reply.statusCode, reply.body]).toEqual([304, ''])
    expect(reply.headers).toMatchObject({ etag, vary: 'Accept-Encoding' })
    expect(reply.headers).not.toHaveProperty('content-encoding')
  })

  test('HEAD describes the plain body', async () => {
    const reply = await get('/text/2000', 'gzip', { method: 'HEAD' })
    expect(reply.headers).toMatchObject({ 'content-length': '2000', vary: 'Accept-Encoding' })
    expect(reply.headers).not.toHaveProperty('content-encoding')
  })

  test('an app that does not compress never does, and nothing varies', async () => {
    const reply = await plain.inject({ url: '/text/2000', headers: { ...KEY, 'accept-encoding': 'br' } })
    expect(reply.body).toBe(size(2000))
    expect(reply.headers).not.toHaveProperty('vary')
  })
})
