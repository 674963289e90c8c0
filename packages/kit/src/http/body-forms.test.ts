import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, JSON_TYPE, KEY, type Row, sendRow, throwValue } from '../../test-support/app.ts'
import { dial, listen } from '../../test-support/socket.ts'
import { Refusal } from './refusal.ts'
import { type BodyForm, type Route, routesFor } from './route.ts'

/** Maximum body size. The tests check when bodies in formats other than JSON are read, and how many bytes of them. */
const LIMIT_BYTES = 2000
const HOST = 'Host: h\r\nAuthorization: k\r\n'
const LINES = { 'content-type': 'text/lines' }
const read: string[] = []
beforeEach(() => void read.splice(0))

const lines = (bytes: Buffer, contentType: string) => {
  read.push(contentType)
  const text = bytes.toString()
  if (text === 'fail') throw new Error('boom')
  if (text === 'refuse') throw new Refusal('syntax', 'No lines')
  return { name: text.split('\n')[0] }
}
const form = (mediaType: string, reads: BodyForm['read']): BodyForm => ({
  mediaType,
  schema: Type.String(),
  read: reads,
})
const route = routesFor<string>()({
  method: 'POST',
  url: '/forms',
  summary: 'S.',
  tag: 't',
  permission: null,
  problems: [],
  replies: { 200: { description: 'OK' } },
  body: Type.Object({ name: Type.String({ maxLength: 1500 }) }),
  bodyForms: [
    form('text/lines', lines),
    form('text/later', async (bytes, type) => lines(bytes, type)),
    form('text/number', () => ({ name: [] })),
  ],
  bodyLimitBytes: LIMIT_BYTES,
  handle: ({ body }) => body,
})
const app = () => createTestApp({ routes: [route] as Route<string>[], order: 'authorize-first' })

describe('a body of another notation', () => {
  const long = 'x'.repeat(1400)
  const rows: readonly (Omit<Row, 'call'> & { readonly isRead?: boolean })[] = [
    { name: 'is what it means', headers: LINES, body: 'a\nb', status: 200, has: { name: 'a' } },
    { name: 'is that also where it takes a while', headers: { 'content-type': 'text/later' }, body: 'a', status: 200 },
    {
      name: 'matches in other case and with parameters, which it receives',
      headers: { 'content-type': 'Text/LINES; boundary=b' },
      body: 'a',
      status: 200,
    },
    { name: 'goes beside JSON', headers: JSON_TYPE, body: '{"name":"a"}', status: 200, isRead: false },
    { name: 'is inflated', headers: { ...LINES, 'content-encoding': 'gzip' }, body: gzipSync('a'), status: 200 },
    {
      name: 'that is empty is none',
      headers: LINES,
      body: '',
      status: 400,
      has: { invalid: '/body must be object' },
      isRead: false,
    },
    {
      name: 'is checked by the schema',
      headers: { 'content-type': 'text/number' },
      body: 'x',
      status: 400,
      isRead: false,
    },
    { name: 'is checked as long as it is', headers: LINES, body: `${long}${long.slice(0, 200)}`, status: 400 },
    {
      name: 'is refused by its form',
      headers: LINES,
      body: 'refuse',
      status: 400,
      has: { refused: 'syntax', why: 'No lines' },
    },
    {
      name: 'is refused by its form a while later',
      headers: { 'content-type': 'text/later' },
      body: 'refuse',
      status: 400,
      has: { refused: 'syntax' },
    },
    { name: 'whose form fails is an error', headers: LINES, body: 'fail', status: 500 },
    {
      name: 'of an unknown kind is not read',
      headers: { 'content-type': 'text/other' },
      body: 'a',
      status: 415,
      isRead: false,
    },
    {
      name: 'of another charset is not read',
      headers: { 'content-type': 'text/lines; charset=utf-16' },
      body: 'a',
      status: 415,
      has: { refused: 'encoding' },
      isRead: false,
    },
    {
      name: 'in a coding that is not known is not read',
      headers: { ...LINES, 'content-encoding': 'zip' },
      body: 'a',
      status: 415,
      isRead: false,
    },
    {
      name: 'that is corrupt within its coding is not read',
      headers: { ...LINES, 'content-encoding': 'gzip' },
      body: gzipSync(long).subarray(0, 15),
      status: 400,
      has: { refused: 'syntax' },
      isRead: false,
    },
    {
      name: 'of one byte more than the limit is not read',
      headers: LINES,
      body: 'x'.repeat(LIMIT_BYTES + 1),
      status: 413,
      has: { refused: 'too-large' },
      isRead: false,
    },
    {
      name: 'of little that inflates to more is not read',
      headers: { ...LINES, 'content-encoding': 'gzip' },
      body: gzipSync('x'.repeat(50_000_000)),
      status: 413,
      isRead: false,
    },
  ]
  test.each(rows)('$name → $status', async ({ isRead = true, ...row }) => {
    const reply = await sendRow(app(), { ...row, headers: { ...KEY, ...row.headers }, call: 'POST /forms' })
    expect([reply.statusCode, read.length], reply.body).toEqual([row.status, isRead ? 1 : 0])
    if (row.has !== undefined) expect(reply.json()).toMatchObject(row.has as object)
  })

  test('stays unread if the caller may not send it', async () => {
    const row = { name: '', call: 'POST /forms', headers: LINES, body: 'fail' }
    expect((await sendRow(app(), { ...row, status: 401 })).statusCode).toBe(401)
    const denied = createTestApp({
      routes: [route] as Route<string>[],
      order: 'authorize-first',
      authorize: async () => throwValue(new Refusal('media-type', 'not you')),
    })
    await sendRow(denied, { ...row, status: 415 })
    expect(read).toEqual([])
  })
})

describe('on a connection', () => {
  const apps: ReturnType<typeof createTestApp>[] = []
  afterEach(async () => {
    for (const one of apps.splice(0)) await one.close()
  })
  const listening = async () => {
    const one = app()
    apps.push(one)
    return { one, port: await listen(one) }
  }
  const post = (headers: string) => `POST /forms HTTP/1.1\r\n${HOST}Content-Type: text/lines\r\n${headers}\r\n\r\n`

  test('a body in parts is one', async () => {
    const { port } = await listening()
    const wire = await dial(port, post('Connection: close\r\nTransfer-Encoding: chunked'))
    for (const part of ['a', 'b', 'c']) wire.socket.write(`1\r\n${part}\r\n`)
    wire.socket.write('0\r\n\r\n')
    expect(await wire.ended).toMatch(/\{"name":"abc"\}$/)
  })

  test('a body that ends early is not read, and affects no other request', async () => {
    const { one, port } = await listening()
    const wire = await dial(port, `${post('Content-Length: 9')}abc`)
    const [request] = await once(one.server, 'request')
    wire.socket.destroy()
    await new Promise<void>((resolve) => request.once('close', () => resolve()))
    expect(read).toEqual([])
    expect(
      (await sendRow(one, { name: '', call: 'POST /forms', headers: { ...KEY, ...LINES }, body: 'a', status: 200 }))
        .body,
    ).toBe('{"name":"a"}')
  })

  test('an endless body is cut off: bytes after the rejection are discarded only for a limited time', async () => {
    const { port } = await listening()
    const wire = await dial(port, post('Transfer-Encoding: chunked'))
    const part = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    let isOpen = true
    wire.socket.once('close', () => {
      isOpen = false
    })
    let sent = 0
    while (isOpen && sent < 64_000_000) {
      sent += part.length
      const drained = new Promise<void>((resolve) => wire.socket.once('drain', () => resolve()))
      if (!wire.socket.write(part)) await Promise.race([drained, wire.ended])
    }
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 413 /)
    expect([isOpen, sent < 64_000_000, read]).toEqual([false, true, []])
  })
})
