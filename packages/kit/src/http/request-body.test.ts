import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestApp, KEY, renderError, sendRow, testRows } from '../../test-support/app.ts'
import { dial, listen } from '../../test-support/socket.ts'
import { announcesBody, isJson } from './request-body.ts'

const good = Buffer.from('{"name":"a"}')
const bomb = gzipSync(Buffer.alloc(50_000_000, 32))
const coded = (coding: string, type = 'application/json') => ({
  ...KEY,
  'content-type': type,
  'content-encoding': coding,
})

describe('content encoding', () => {
  const call = 'POST /things'
  testRows(createTestApp(), [
    { name: 'gzip', call, headers: coded('gzip'), body: gzipSync(good), status: 200, has: { name: 'a' } },
    { name: 'GZIP', call, headers: coded(' GZIP '), body: gzipSync(good), status: 200 },
    { name: 'x-gzip', call, headers: coded('x-gzip'), body: gzipSync(good), status: 200 },
    { name: 'deflate', call, headers: coded('deflate'), body: deflateSync(good), status: 200, has: { name: 'a' } },
    { name: 'identity', call, headers: coded('identity'), body: good, status: 200 },
    { name: 'none', call, headers: coded(''), body: good, status: 200 },
    {
      name: 'deflate without its frame',
      call,
      headers: coded('deflate'),
      body: deflateRawSync(good),
      status: 400,
      has: { refused: 'syntax', why: 'corrupt deflate body' },
    },
    { name: 'not gzip at all', call, headers: coded('gzip'), body: good, status: 400, has: { refused: 'syntax' } },
    {
      name: 'gzip cut short',
      call,
      headers: coded('gzip'),
      body: gzipSync(good).subarray(0, -9),
      status: 400,
      has: { refused: 'syntax' },
    },
    {
      name: 'gzip with a wrong sum',
      call,
      headers: coded('gzip'),
      body: Buffer.concat([gzipSync(good).subarray(0, -8), Buffer.alloc(8)]),
      status: 400,
      has: { refused: 'syntax' },
    },
    {
      name: 'gzip of broken JSON',
      call,
      headers: coded('gzip'),
      body: gzipSync('{bad'),
      status: 400,
      has: { refused: 'syntax' },
    },
    {
      name: 'gzip of nothing',
      call,
      headers: coded('gzip'),
      body: gzipSync(''),
      status: 400,
      has: { invalid: '/body must be object' },
    },
    {
      name: 'brotli',
      call,
      headers: coded('br'),
      body: good,
      status: 415,
      has: { refused: 'encoding', why: 'unsupported content encoding "br"' },
    },
    {
      name: 'two codings',
      call,
      headers: coded('gzip, gzip'),
      body: gzipSync(gzipSync(good)),
      status: 415,
      has: { refused: 'encoding' },
    },
    {
      name: 'a name of every object',
      call,
      headers: coded('constructor'),
      body: good,
      status: 415,
      has: { refused: 'encoding' },
    },
    {
      name: 'inflated beyond the limit',
      call,
      headers: coded('gzip'),
      body: gzipSync(`"${'x'.repeat(999)}"`),
      status: 413,
      has: { refused: 'too-large' },
    },
    {
      name: 'inflated to the limit',
      call,
      headers: coded('gzip'),
      body: gzipSync(`{"name":"${'x'.repeat(989)}"}`),
      status: 200,
    },
    {
      name: 'other type, unknown coding',
      call,
      headers: coded('br', 'text/xml'),
      body: good,
      status: 415,
      has: { refused: 'media-type' },
    },
    { name: 'unknown coding without a body', call: 'POST /maybe', headers: coded('br'), status: 200 },
  ])

  test('does not inflate a compressed bomb beyond the limit', async () => {
    const app = createTestApp({ bodyLimitBytes: 100_000 })
    const before = process.memoryUsage().arrayBuffers
    const replies = await Promise.all(
      Array.from({ length: 10 }, () =>
        sendRow(app, { name: '', call, headers: coded('gzip'), body: bomb, status: 413 }),
      ),
    )
    expect(replies.map((reply) => reply.statusCode)).toEqual(Array(10).fill(413))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(bomb.length * 10 * 10)
  })
})

describe('charset', () => {
  const call = 'POST /things'
  const typed = (type: string) => ({ ...KEY, 'content-type': type })
  const refused = { status: 415, has: { refused: 'encoding' } }
  testRows(createTestApp(), [
    ...['utf-8', 'UTF-8', 'utf8', '"utf-8"', 'us-ascii'].map((charset) => ({
      name: charset,
      call,
      headers: typed(`application/json; charset=${charset}`),
      body: good,
      status: 200,
    })),
    ...['utf-16', 'utf-16le', 'latin1', 'iso-8859-1', '"utf-7"', 'utf-8x'].map((charset) => ({
      name: charset,
      call,
      headers: typed(`application/json; x=1;Charset = ${charset}`.replace(' = ', '=')),
      body: good,
      ...refused,
    })),
    {
      name: 'of a body that is not there',
      call: 'POST /maybe',
      headers: typed('application/json;charset=latin1'),
      status: 200,
    },
  ])
})

test.each([
  ['application/json', true],
  [' Application/JSON ; charset=utf-8', true],
  ['application/json;', true],
  ['application/jsonp', false],
  ['application/vnd.api+json', true],
  ['Application/scim+JSON; charset=utf-8', true],
  ['application/+json', false],
  ['text/x+json', false],
  ['text/json', false],
  ['json', false],
  ['', false],
])('isJson(%j) is %j', (type, expected) => expect(isJson(type)).toBe(expected))

test.each([
  [{ 'content-length': '0' }, true],
  [{ 'transfer-encoding': 'chunked' }, true],
  [{}, false],
])('a request with %j announces a body: %j', (headers, expected) => {
  expect(announcesBody({ headers } as never)).toBe(expected)
})

describe('on the wire', async () => {
  const seen: unknown[] = []
  const app = createTestApp({
    renderError: (error) => {
      seen.push(error)
      return renderError(error)
    },
  })
  const port = await listen(app)
  afterAll(() => app.close())
  const head = (more: string) =>
    `POST /things HTTP/1.1\r\nHost: h\r\nAuthorization: k\r\nContent-Type: application/json\r\n${more}\r\n`

  test('two gigabytes announced are refused before they come', async () => {
    const wire = await dial(port, head('Content-Length: 2147483648\r\n'))
    await wire.until(/413 /)
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i)
  })

  test('a body in pieces is read whole, one without end is refused', async () => {
    const wire = await dial(port, head('Transfer-Encoding: chunked\r\n'))
    wire.socket.write('6\r\n{"name\r\n')
    wire.socket.write('6\r\n":"é"}\r\n'.replace('6', '7'))
    wire.socket.write('0\r\n\r\n')
    await wire.until(/200 OK[\s\S]*\{"name":"é"\}/)
  })

  test.each([
    ['of a known length', head('Content-Length: 5000000\r\n'), ''],
    ['in pieces', `${head('Transfer-Encoding: chunked\r\n')}4c4b40\r\n`, '\r\n0\r\n\r\n'],
  ])(
    'a body that is too large, %s, is read to its end, so that its sender gets the reply',
    async (_name, start, end) => {
      const wire = await dial(port, start)
      await wire.until(start.includes('Length') ? /413 / : /^/)
      wire.socket.write(`${'x'.repeat(5_000_000)}${end}`)
      await wire.until(/413 /)
      wire.socket.write('GET /anything HTTP/1.1\r\nHost: h\r\nAuthorization: k\r\nConnection: close\r\n\r\n')
      expect(await wire.ended).toMatch(/^HTTP\/1\.1 413 [\s\S]*HTTP\/1\.1 200 OK[\s\S]*"no schema"$/)
    },
  )

  test('a chunked body beyond the limit is cut off', async () => {
    const wire = await dial(port, head('Transfer-Encoding: chunked\r\n'))
    const piece = `f4240\r\n${'x'.repeat(1_000_000)}\r\n`
    for (let count = 0; count < 20 && !wire.socket.destroyed; count++) wire.socket.write(piece)
    expect(await wire.ended).not.toContain('200 OK')
  })

  test('a sender that disconnects is reported as a bad request, not as a failure', async () => {
    seen.length = 0
    const wire = await dial(port, head('Content-Length: 100\r\n'))
    wire.socket.write('{"name"')
    wire.socket.end()
    await expect.poll(() => seen).toMatchObject([{ reason: 'bad-request' }])
  })

  test('the next request on the connection is read after a refused one', async () => {
    const wire = await dial(port, head('Content-Length: 5\r\n').replace('application/json', 'text/xml'))
    wire.socket.write(`12345GET /anything HTTP/1.1\r\nHost: h\r\nAuthorization: k\r\nConnection: close\r\n\r\n`)
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 415 [\s\S]*HTTP\/1\.1 200 OK[\s\S]*"no schema"$/)
  })
})
