import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createTestApp, KEY, throwValue } from '../../test-support/app.ts'
import type { Content } from './content.ts'
import { compressQuickly } from './quick-compression.ts'
import { Reply, type Route, routesFor } from './route.ts'

const BODY = Buffer.alloc(2000, 'x')

/** Creates a body that records calls. */
function watched(encoded: Content['encoded']) {
  const asked: string[] = []
  const content: Content = {
    etag: 'W/"7d0-own"',
    length: BODY.length,
    bytes: () => {
      asked.push('bytes')
      return BODY
    },
    encoded: (coding) => {
      asked.push(coding)
      return encoded(coding)
    },
  }
  return { asked, content }
}

describe('a body whose tag is known before its bytes', () => {
  test.each<{
    name: string
    headers: Record<string, string>
    method?: 'GET' | 'HEAD'
    encoded?: Content['encoded']
    status: number
    asked: string[]
    coding?: string
  }>([
    { name: 'plain', headers: {}, status: 200, asked: ['bytes'] },
    { name: 'known to the client', headers: { 'if-none-match': 'W/"7d0-own"' }, status: 304, asked: [] },
    { name: 'known otherwise', headers: { 'if-none-match': 'W/"7d0-other"' }, status: 200, asked: ['bytes'] },
    { name: 'compressed', headers: { 'accept-encoding': 'gzip' }, status: 200, asked: ['gzip'], coding: 'gzip' },
    {
      name: 'compressed elsewhere',
      headers: { 'accept-encoding': 'gzip' },
      encoded: async (coding) => compressQuickly(BODY, coding),
      status: 200,
      asked: ['gzip'],
      coding: 'gzip',
    },
    {
      name: 'the compressor throws',
      headers: { 'accept-encoding': 'br' },
      encoded: () => throwValue(new Error('out of memory')),
      status: 200,
      asked: ['br', 'bytes'],
    },
    {
      name: 'the compressor rejects',
      headers: { 'accept-encoding': 'br' },
      encoded: () => Promise.reject(new Error('out of memory')),
      status: 200,
      asked: ['br', 'bytes'],
    },
    { name: 'HEAD', headers: { 'accept-encoding': 'br' }, method: 'HEAD', status: 200, asked: ['bytes'] },
  ])('$name', async ({ headers, method = 'GET', encoded, status, asked: expected, coding }) => {
    const { asked, content } = watched(encoded ?? ((wanted) => compressQuickly(BODY, wanted)))
    const route = routesFor<string>()({
      method: 'GET',
      url: '/',
      summary: 'S.',
      tag: 't',
      permission: null,
      problems: [],
      replies: { 200: { description: 'OK' } },
      handle: () => new Reply(200, content, { 'content-type': 'text/plain' }),
    })
    const app = createTestApp({ routes: [route] as Route<string>[], compress: true })
    const reply = await app.inject({ method, url: '/', headers: { ...KEY, ...headers } })
    expect([reply.statusCode, reply.headers.etag, asked]).toEqual([status, content.etag, expected])
    expect(reply.headers['content-encoding']).toBe(coding)
    if (coding !== undefined) expect(gunzipSync(reply.rawPayload)).toEqual(BODY)
    else if (status === 200) expect(reply.headers['content-length']).toBe('2000')
  })
})

test.each([
  ['short', 5000],
  ['long', 200_000],
])('%s bodies are compressed quickly in every coding', async (_name, bytes) => {
  const body = Buffer.alloc(bytes, 'ab')
  expect(gunzipSync(await compressQuickly(body, 'gzip'))).toEqual(body)
  expect(inflateSync(await compressQuickly(body, 'deflate'))).toEqual(body)
  expect(brotliDecompressSync(await compressQuickly(body, 'br'))).toEqual(body)
})
