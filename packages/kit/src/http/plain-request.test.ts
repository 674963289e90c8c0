import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PlainRequests } from './plain-request.ts'

const LONGEST_BYTES = 16_384

function read(text: string, maxHeaderBytes = LONGEST_BYTES) {
  return new PlainRequests(maxHeaderBytes).read(Buffer.from(text, 'latin1'))
}

/** Returns `count` header lines. */
const headers = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: y\r\n`).join('')

describe('plain requests', () => {
  test.each<[string, string, object]>([
    ['GET', 'GET / HTTP/1.1\r\nHost: h\r\n\r\n', { method: 'GET', url: '/', headers: { host: 'h' } }],
    ['HEAD', 'HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n', { method: 'HEAD', url: '/a' }],
    ['a query', 'GET /a?b=%20&c[d]=e#f HTTP/1.1\r\nHost: h\r\n\r\n', { url: '/a?b=%20&c[d]=e#f' }],
    [
      'names in any case, blanks around values',
      'GET / HTTP/1.1\r\nHOST:h\r\nX-a: \t b c \t\r\nX-Empty:\r\n\r\n',
      { headers: { host: 'h', 'x-a': 'b c', 'x-empty': '' } },
    ],
    ['keep-alive', 'GET / HTTP/1.1\r\nHost: h\r\nConnection: Keep-Alive\r\n\r\n', { method: 'GET' }],
    ['a hundred headers', `GET / HTTP/1.1\r\nHost: h\r\n${headers(99)}\r\n`, { headers: { 'x-98': 'y' } }],
    [
      'a name that objects have',
      'GET / HTTP/1.1\r\nHost: h\r\nconstructor: c\r\n\r\n',
      { headers: { host: 'h', constructor: 'c' } },
    ],
    [
      'its body',
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}',
      { method: 'POST', body: Buffer.from('{}') },
    ],
    ['an empty body', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n', { body: Buffer.alloc(0) }],
    ['a POST without body', 'POST / HTTP/1.1\r\nHost: h\r\n\r\n', { body: undefined }],
  ])('%s', (_name, text, expected) => {
    const { headers, ...rest } = read(text) ?? { headers: {} }
    expect({ ...rest, headers: { ...headers } }).toMatchObject(expected)
  })

  test('headers that stay the same are read once', () => {
    const requests = new PlainRequests(LONGEST_BYTES)
    const of = (url: string, header: string) =>
      requests.read(Buffer.from(`GET ${url} HTTP/1.1\r\nHost: h\r\nX: ${header}\r\n\r\n`))
    const [first, same, other, again] = [of('/a', '1'), of('/b', '1'), of('/b', '2'), of('/b', '2')]
    expect([same?.url, same?.headers === first?.headers, again?.headers === other?.headers]).toEqual(['/b', true, true])
    expect([other?.headers.x, first?.headers.x]).toEqual(['2', '1'])
  })

  test('a rejected request is rejected again and does not affect others', () => {
    const requests = new PlainRequests(LONGEST_BYTES)
    const bad = Buffer.from('GET / HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n')
    const good = Buffer.from('GET / HTTP/1.1\r\nHost: h\r\n\r\n')
    expect([bad, bad, good, bad].map((piece) => requests.read(piece) !== undefined)).toEqual([
      false,
      false,
      true,
      false,
    ])
  })
})

describe('not plain', () => {
  const HOST = 'Host: h\r\n'
  test.each([
    ['nothing', ''],
    ['half a head', 'GET / HTTP/1.1\r\nHost: h\r\n'],
    ['a head without its last byte', 'GET / HTTP/1.1\r\nHost: h\r\n\r'],
    ['two requests', `GET / HTTP/1.1\r\n${HOST}\r\nGET / HTTP/1.1\r\n${HOST}\r\n`],
    ['one byte too many', `GET / HTTP/1.1\r\n${HOST}\r\nx`],
    ['a line break too many', `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`],
    ['a line break before', `\r\nGET / HTTP/1.1\r\n${HOST}\r\n`],
    ['another method', `PUT / HTTP/1.1\r\n${HOST}\r\n`],
    ['a method in small letters', `get / HTTP/1.1\r\n${HOST}\r\n`],
    ['a method that goes on', `GETS / HTTP/1.1\r\n${HOST}\r\n`],
    ['HTTP/1.0', `GET / HTTP/1.0\r\n${HOST}\r\n`],
    ['another version', `GET / HTTP/1.2\r\n${HOST}\r\n`],
    ['no version', `GET /\r\n${HOST}\r\n`],
    ['no path', `GET  HTTP/1.1\r\n${HOST}\r\n`],
    ['two blanks', `GET /  HTTP/1.1\r\n${HOST}\r\n`],
    ['a blank in the path', `GET /a b HTTP/1.1\r\n${HOST}\r\n`],
    ['a tab in the path', `GET /a\tb HTTP/1.1\r\n${HOST}\r\n`],
    ['bytes beyond ASCII in the path', `GET /\xe4 HTTP/1.1\r\n${HOST}\r\n`],
    ['a whole address', `GET http://h/ HTTP/1.1\r\n${HOST}\r\n`],
    ['an asterisk', `GET * HTTP/1.1\r\n${HOST}\r\n`],
    ['no header', 'GET / HTTP/1.1\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\nX: h\r\n\r\n'],
    ['two hosts', `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ['a header twice, in other case', `GET / HTTP/1.1\r\n${HOST}a: 1\r\nA: 1\r\n\r\n`],
    ['a header twice, empty', `GET / HTTP/1.1\r\n${HOST}a:\r\na:\r\n\r\n`],
    ['a line without a colon', `GET / HTTP/1.1\r\n${HOST}abc\r\n\r\n`],
    ['a header without a name', `GET / HTTP/1.1\r\n${HOST}: a\r\n\r\n`],
    ['a blank before the colon', `GET / HTTP/1.1\r\n${HOST}a : b\r\n\r\n`],
    ['a continued line', `GET / HTTP/1.1\r\n${HOST}a: b\r\n c\r\n\r\n`],
    ['a line feed alone', `GET / HTTP/1.1\r\n${HOST}a: b\nc: d\r\n\r\n`],
    ['lines that end with a line feed', 'GET / HTTP/1.1\nHost: h\n\n'],
    ['a carriage return alone', `GET / HTTP/1.1\r\n${HOST}a: b\rc: d\r\n\r\n`],
    ['a zero byte', `GET / HTTP/1.1\r\n${HOST}a: \0\r\n\r\n`],
    ['bytes beyond ASCII in a value', `GET / HTTP/1.1\r\n${HOST}a: \xe4\r\n\r\n`],
    ['a name with a bracket', `GET / HTTP/1.1\r\n${HOST}a[b]: c\r\n\r\n`],
    ['a connection that ends', `GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ['a list of connection options', `GET / HTTP/1.1\r\n${HOST}Connection: keep-alive, x\r\n\r\n`],
    ['a connection that ends, as old proxies say it', `GET / HTTP/1.1\r\n${HOST}Proxy-Connection: close\r\n\r\n`],
    ['a cookie to be set', `GET / HTTP/1.1\r\n${HOST}Set-Cookie: a=b\r\n\r\n`],
    ['a name that the platform leaves out', `GET / HTTP/1.1\r\n${HOST}__proto__: a\r\n\r\n`],
    ['more headers than anybody sends', `GET / HTTP/1.1\r\n${HOST}${headers(100)}\r\n`],
    ['an upgrade', `GET / HTTP/1.1\r\n${HOST}Upgrade: websocket\r\n\r\n`],
    ['an expectation', `POST / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 0\r\n\r\n`],
    ['chunks', `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks without any', `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`],
    ['a trailer', `GET / HTTP/1.1\r\n${HOST}Trailer: x\r\n\r\n`],
    ['less than the body', `POST / HTTP/1.1\r\n${HOST}Content-Length: 3\r\n\r\n{}`],
    ['more than the body', `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\n\r\n{}`],
    ['two lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ['a length in words', `POST / HTTP/1.1\r\n${HOST}Content-Length: two\r\n\r\n{}`],
    ['a length with a sign', `POST / HTTP/1.1\r\n${HOST}Content-Length: +2\r\n\r\n{}`],
    ['an empty length', `POST / HTTP/1.1\r\n${HOST}Content-Length:\r\n\r\n`],
    ['a length in sixteens', `POST / HTTP/1.1\r\n${HOST}Content-Length: 0x2\r\n\r\n{}`],
    ['a long head', `GET / HTTP/1.1\r\n${HOST}a: ${'x'.repeat(8192)}\r\n\r\n`],
  ])('%s', (_name, text) => {
    expect(read(text)).toBeUndefined()
  })

  test('a head longer than the limit of the platform', () => {
    const text = `GET / HTTP/1.1\r\n${HOST}a: ${'x'.repeat(500)}\r\n\r\n`
    expect([read(text, 400), read(text, text.length)?.method]).toEqual([undefined, 'GET'])
  })
})

describe("compared with the platform's parser", () => {
  const BASES = [
    'GET /proxy?userId=7&properties[a]=b HTTP/1.1\r\nHost: h\r\nAuthorization: k\r\nX-Forwarded-For: 1.2.3.4, 5.6.7.8\r\n\r\n',
    'POST /proxy HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{"a":1}\n',
    'HEAD / HTTP/1.1\r\nhost:h\r\nconnection:keep-alive\r\n\r\n',
  ]
  const BITS = [
    ...[
      '\r',
      '\n',
      '\r\n',
      '\r\n\r\n',
      ' ',
      '\t',
      ':',
      ': ',
      ',',
      ';',
      '"',
      '\0',
      '\x7f',
      '\x80',
      '\xff',
      '%0d%0a',
      '#',
      '/',
    ],
    ...['Content-Length: 8\r\n', 'content-length:0\r\n', 'Transfer-Encoding: chunked\r\n', 'Transfer-Encoding : x\r\n'],
    ...[
      'Host: x\r\n',
      'Connection: close\r\n',
      'Proxy-Connection: close\r\n',
      'Set-Cookie: a\r\n',
      'Connection: keep-alive\r\n',
      'Upgrade: h2c\r\n',
      'Expect: 100-continue\r\n',
    ],
    ...[
      '__proto__: x\r\n',
      'X-A: b\r\n',
      ' folded\r\n',
      'GET / HTTP/1.1\r\nHost: h\r\n\r\n',
      'a',
      '0',
      '1',
      'HTTP/1.1',
    ],
  ]
  const edit = fc.record({ at: fc.nat(200), drop: fc.nat(3), put: fc.constantFrom('', ...BITS) })
  const seen: { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: (await buffer(request)).toString('latin1') })
    response.end()
  })
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => server.close())

  /**
   * Returns the requests that the platform reads from these bytes, and the status and Connection lines of its replies.
   */
  async function played(text: string) {
    seen.length = 0
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let reply = ''
    socket.on('data', (chunk) => {
      reply += chunk.toString('latin1')
    })
    socket.end(text, 'latin1')
    await once(socket, 'close')
    return { requests: [...seen], replies: reply.match(/^(HTTP\/1\.1 \d+|Connection: .*)/gm) }
  }

  test('Node parses every plain request as one request with the same parts', {
    timeout: 60_000,
  }, async () => {
    let plain = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...BASES), fc.array(edit, { maxLength: 3 }), async (base, edits) => {
        const text = edits.reduce((now, { at, drop, put }) => now.slice(0, at) + put + now.slice(at + drop), base)
        const request = read(text)
        if (request === undefined) return
        plain += 1
        const { requests, replies } = await played(text)
        const { body, headers, ...line } = request
        expect(requests).toEqual([{ ...line, headers: { ...headers }, body: body?.toString('latin1') ?? '' }])
        expect(replies).toEqual(['HTTP/1.1 200', 'Connection: keep-alive'])
      }),
      { numRuns: 3000 },
    )
    expect(plain).toBeGreaterThan(300)
  })
})
