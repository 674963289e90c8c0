import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { callAs } from '../support/call-as.ts'
import { freshDatabase } from '../support/postgres.ts'
import { sqliteLook } from '../support/test-database.ts'

/**
 * Shutdown of `burgee server`. Exit code 0 also proves that the shutdown took less than ten seconds, because the server
 * exits with 1 after 9.5 s.
 */
const ADMIN = '*:*.admin-secret'
const CLIENT = 'default:development.client-secret'
const BODY = '{"name":"made-at-the-end"}'
const PIPELINED = 400

let folder: ReturnType<typeof temporaryFolder>
let server: BurgeeProcess
let port: number
const sockets: Socket[] = []
afterEach(() => {
  server.kill('SIGKILL')
  for (const socket of sockets.splice(0)) socket.destroy()
  folder.remove()
})

async function start(env: Record<string, string> = {}): Promise<void> {
  folder = temporaryFolder()
  server = runBurgee(['server'], {
    DATA_DIR: join(folder.path, 'data'),
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
    ...env,
  })
  port = Number(await server.find(/listening on port (\d+)/))
  // metrics are counted for existing flags only
  const url = `http://127.0.0.1:${port}/api/admin/projects/default/features`
  await callAs(ADMIN, 'POST', url, { name: 'counted' })
}

interface Talk {
  readonly socket: Socket
  /** Everything received. Resolves when the connection has ended. */
  readonly heard: Promise<string>
}

/** Opens a connection and sends a text. The server has read the text as soon as it replies to a later request. */
async function say(text: string, { reads = true } = {}): Promise<Talk> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  socket.write(text)
  let heard = ''
  const hear = (chunk: unknown) => {
    heard += String(chunk)
  }
  if (reads) socket.on('data', hear)
  else socket.pause()
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(heard))
    socket.on('error', () => resolve(heard))
  })
  await health()
  return { socket, heard: ended }
}

const health = async () => expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
const head = (line: string, length = BODY.length) =>
  [
    `${line} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${ADMIN}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n')
const HALF = `${head('POST /api/admin/projects/default/features')}${BODY.slice(0, 5)}`

async function report(yes: number): Promise<void> {
  const now = new Date().toISOString()
  const bucket = { start: now, stop: now, toggles: { counted: { yes, no: 0 } } }
  const reply = await fetch(`http://127.0.0.1:${port}/api/client/metrics`, {
    method: 'POST',
    headers: { authorization: CLIENT, 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'app', bucket }),
  })
  expect(reply.status).toBe(202)
}

/** Returns the counts and flags in the database. */
async function stored(): Promise<{ yes: unknown; flags: unknown[] }> {
  const db = sqliteLook(join(folder.path, 'data', 'burgee.sqlite'))
  const yes = (await db.row('select sum(yes) as yes from client_metrics'))?.yes
  const flags = (await db.rows('select name from features order by name')).map((row) => row.name)
  await db.close()
  return { yes, flags }
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('a request in flight is answered, idle connections are closed, counts are written', async () => {
    await start()
    const idle = await say('')
    const kept = await say('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const { socket, heard } = await say(HALF)
    await report(3)
    server.kill(signal)
    await idle.heard
    expect(await kept.heard).toMatch(/^HTTP\/1\.1 200/)
    socket.write(BODY.slice(5))
    expect(await heard).toMatch(/^HTTP\/1\.1 201/)
    expect(await server.ended).toBe(0)
    expect(await stored()).toEqual({ yes: 3, flags: ['counted', 'made-at-the-end'] })
  })

  test('clients that never finish a request, never read or never send do not delay it, however many signals arrive', async () => {
    await start()
    const slow = await say(HALF)
    const half = await say('GET /health HTTP/1.1\r\nHost: loc')
    const silent = await say('')
    const page = 'GET /docs/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const deaf = await say(page.repeat(PIPELINED), { reads: false })
    await report(5)
    server.kill(signal)
    // a socket that is not read emits no `end` event
    for (const { heard } of [half, silent]) await heard
    server.kill(signal)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    deaf.socket.resume()
    expect(await slow.heard).not.toMatch(/^HTTP\/1\.1 201/)
    expect(await stored()).toEqual({ yes: 5, flags: ['counted'] })
  })
})

test('a PostgreSQL that no longer answers does not hold it', async () => {
  const database = await freshDatabase()
  const relay = await relayTo(new URL(database.url))
  try {
    await start({ DATABASE_URL: relay.url })
    // from here on, the server knows the token without a database lookup
    await report(1)
    relay.hang()
    await report(7)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(server.output()).toContain('Cannot write')
  } finally {
    relay.close()
    await database.remove()
  }
})

/** Opens a relay to PostgreSQL that drops all data once `hang` is called. */
async function relayTo(target: URL) {
  const ends: Socket[] = []
  let isHanging = false
  const relay = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    ends.push(near, far)
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (chunk) => void (isHanging || to.write(chunk)))
      from.on('error', () => {})
      from.on('close', () => to.destroy())
    }
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const own = new URL(target)
  own.hostname = '127.0.0.1'
  own.port = String((relay.address() as AddressInfo).port)
  return {
    url: own.href,
    hang: () => {
      isHanging = true
    },
    close: () => {
      for (const end of ends) end.destroy()
      relay.close()
    },
  }
}
