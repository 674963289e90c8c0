import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, type Server, Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { createBoundedServer, listenBounded } from './bounded-servers.ts'
import { PendingHandshakes } from './pending-handshakes.ts'

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../tests/proxy/fixtures/${name}`, import.meta.url).pathname)
const CERTIFICATE = { key: fixture('self-signed-key.pem'), cert: fixture('self-signed.pem') }
const HOST = '127.0.0.1'

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

async function portOf(server: Server, backlog?: number): Promise<number> {
  servers.push(server)
  await listenBounded(server, { port: 0, host: HOST, backlog })
  return (server.address() as AddressInfo).port
}

function dial(port: number): Socket {
  const socket = connect({ port, host: HOST })
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

/** Creates a server that sends a word after each handshake. */
function tlsServer(bounds: { readonly handshakeTimeoutMs?: number; readonly maxPendingHandshakes?: number }) {
  const server = createBoundedServer({
    kind: 'tls',
    ...CERTIFICATE,
    handshakeTimeoutMs: 20_000,
    maxPendingHandshakes: 100,
    ...bounds,
  })
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {})
    socket.end('hello')
  })
  return server
}

async function greeting(port: number, options: ConnectionOptions = {}): Promise<string> {
  const socket = connectTls({ port, host: HOST, rejectUnauthorized: false, ...options })
  sockets.push(socket)
  await once(socket, 'secureConnect')
  const [data] = await once(socket, 'data')
  return String(data)
}

describe('a server with TLS', () => {
  test('closes a connection that sends nothing when the time for its handshake is over', async () => {
    const port = await portOf(tlsServer({ handshakeTimeoutMs: 50 }))
    await once(dial(port).resume(), 'close')
    expect(await greeting(port)).toBe('hello')
  })

  test('closes a connection that sends no handshake', async () => {
    const port = await portOf(tlsServer({}))
    const socket = dial(port).resume()
    socket.write('GET / HTTP/1.1\r\n\r\n')
    await once(socket, 'close')
  })

  test('answers while more connections than the maximum send nothing', async () => {
    const port = await portOf(tlsServer({ maxPendingHandshakes: 5 }))
    const silent = Array.from({ length: 20 }, () => dial(port).resume())
    const closed: Socket[] = []
    for (const socket of silent) socket.on('close', () => closed.push(socket))
    await Promise.all(silent.map((socket) => once(socket, 'connect')))
    while (closed.length < 15) await once(silent[closed.length] as Socket, 'close')
    expect(await greeting(port)).toBe('hello')
    expect(silent.slice(-3).some((socket) => closed.includes(socket))).toBe(false)
  })

  test.each(['AES128-SHA', 'AES256-GCM-SHA384', 'ECDHE-RSA-AES128-SHA'])('offers no %s', async (ciphers) => {
    const port = await portOf(tlsServer({}))
    const only = { ciphers: `${ciphers}:@SECLEVEL=0`, maxVersion: 'TLSv1.2' } as const
    await expect(greeting(port, only)).rejects.toThrow()
  })

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (maxVersion) => {
    expect(await greeting(await portOf(tlsServer({})), { maxVersion })).toBe('hello')
  })
})

describe('connections without a finished handshake', () => {
  const from = (remoteAddress: string, remotePort: number) => {
    const socket = new Socket()
    Object.defineProperties(socket, {
      remoteAddress: { value: remoteAddress },
      remotePort: { value: remotePort },
      localAddress: { value: HOST },
    })
    return socket
  }

  test('beyond the maximum the oldest one of the largest network is closed', () => {
    const pending = new PendingHandshakes(4)
    const few = from('192.0.2.1', 1)
    const many = [1, 2, 3, 4].map((port) => from(`2001:db8::${port}`, port))
    for (const socket of [few, ...many]) pending.add(socket)
    expect([few, ...many].map(({ destroyed }) => destroyed)).toEqual([false, true, false, false, false])
    expect(pending.size).toBe(4)
  })

  test('a finished one counts no longer', () => {
    const pending = new PendingHandshakes(1)
    const [first, second] = [from('192.0.2.1', 1), from('192.0.2.1', 2)]
    pending.add(first)
    pending.finish(first)
    pending.add(second)
    expect([first.destroyed, second.destroyed, pending.size]).toEqual([false, false, 1])
  })
})

/**
 * Counts the connections to a port that the kernel has established, including connections that the process has not
 * accepted yet.
 */
function establishedTo(port: number): number {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
  const established = rows.filter(([, , to, state]) => to === remote && state === '01')
  // the table is read in chunks, so a row can appear twice
  return new Set(established.map(([, from]) => from)).size
}

test.skipIf(!existsSync('/proc/net/tcp')).each([
  ['4,096 by default', undefined, 1000, 1000],
  ['as many as are set', 3, 20, 4],
])('connections wait for a busy process: %s', async (_name, backlog, count, waiting) => {
  const server = createBoundedServer({ kind: 'probe' })
  const port = await portOf(server, backlog)
  for (let dialed = 0; dialed < count; dialed += 1) dial(port)
  // the kernel has the connections now, but none is accepted, because accepting takes an event loop turn
  await new Promise<void>((resolve) => process.nextTick(resolve))
  expect(establishedTo(port)).toBe(waiting)
})
