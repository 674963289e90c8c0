import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/**
 * Replies are compressed in the encodings that the caller accepts. Compression changes neither the content nor the ETag
 * of a reply, and 304 replies work as without compression.
 */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  for (let index = 0; index < 30; index += 1) {
    const call = 'POST /api/admin/projects/default/features'
    const reply = await server.call({ as: 'admin', call, body: { name: `flag-${index}`, description: 'of thirty' } })
    expect(reply.statusCode).toBe(201)
  }
})
afterAll(() => server.close())

const get = (url: string, token: string, headers: Record<string, string> = {}) =>
  server.server.app.inject({ url, headers: { authorization: token, ...headers } })

const DECODE: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
}
const PAGES: readonly [string, string][] = [
  ['/api/admin/projects/default/features', TOKENS.admin],
  ['/api/admin/events', TOKENS.admin],
  ['/api/client/features', TOKENS.client],
  ['/api/frontend/all', TOKENS.frontend],
  ['/docs/openapi.json', ''],
]

describe.each(PAGES)('%s', (url, token) => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['deflate', 'deflate'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['zstd', undefined],
    ['', undefined],
  ])('Accept-Encoding %j: %s', async (accepted, coding) => {
    const plain = await get(url, token)
    const reply = await get(url, token, { 'accept-encoding': accepted })
    expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([200, coding])
    const body = DECODE[coding ?? '']?.(reply.rawPayload) ?? reply.rawPayload
    expect(body.toString()).toBe(plain.body)
    expect(reply.headers.etag).toBe(plain.headers.etag)
    expect(reply.headers.vary).toContain('Accept-Encoding')
    if (coding !== undefined) expect(reply.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(Number(reply.headers['content-length'])).toBe(reply.rawPayload.length)
  })

  test.each(['br', 'gzip', 'identity'])('answers 304 without a body to a matching tag (%s)', async (accepted) => {
    const { etag } = (await get(url, token)).headers
    const reply = await get(url, token, { 'accept-encoding': accepted, 'if-none-match': String(etag) })
    expect([reply.statusCode, reply.body, reply.headers['content-encoding']]).toEqual([304, '', undefined])
  })
})

test('short replies are not compressed', async () => {
  const reply = await get('/health', '', { 'accept-encoding': 'br, gzip' })
  expect([reply.body, reply.headers['content-encoding']]).toEqual(['{"health":"GOOD"}', undefined])
})

test('errors are compressed like replies', async () => {
  const name = 'x'.repeat(900)
  const reply = await get(`/api/admin/projects/default/features/${name}`, TOKENS.admin, { 'accept-encoding': 'gzip' })
  expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([404, 'gzip'])
  expect(JSON.parse(gunzipSync(reply.rawPayload).toString())).toMatchObject({ name: 'NotFoundError' })
})
