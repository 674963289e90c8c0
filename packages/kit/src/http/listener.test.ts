import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { Listener, type Lookup } from './listener.ts'

const listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close()
})

function listenerOf(lookup?: Lookup) {
  const server = createServer((_request, response) => void response.end('here'))
  const listener = new Listener(server, lookup)
  listeners.push(listener)
  return { server, listener }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port
/** Returns true if a server can listen on an address. */
async function canListen(host: string): Promise<boolean> {
  const server = createServer().listen({ port: 0, host })
  const can = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return can
}

const OTHERS = ['::1', '127.0.0.2']
const there = await Promise.all(OTHERS.map(canListen))

describe('localhost', () => {
  test.each(OTHERS.filter((_host, at) => there[at]))('listens on %s as well', async (other) => {
    const { server, listener } = listenerOf(async () => ['127.0.0.1', other].map((address) => ({ address })))
    const url = await listener.listen({ port: 0 })
    expect(url).toBe(`http://127.0.0.1:${portOf(server)}`)
    const form = other.includes(':') ? `[${other}]` : other
    for (const host of ['127.0.0.1', form]) {
      expect(await (await fetch(`http://${host}:${portOf(server)}`)).text()).toBe('here')
    }
    server.closeAllConnections()
    const port = portOf(server)
    await listener.close()
    for (const host of ['127.0.0.1', other]) {
      const [error] = await once(connect(port, host), 'error').catch((cause) => [cause])
      expect(error.code).toBe('ECONNREFUSED')
    }
  })

  test('an address that cannot be had is left out', async () => {
    const { server, listener } = listenerOf(async () => ['127.0.0.1', '192.0.2.1'].map((address) => ({ address })))
    await listener.listen({ port: 0 })
    expect(await (await fetch(`http://127.0.0.1:${portOf(server)}`)).text()).toBe('here')
  })

  test('a name without addresses is no failure', async () => {
    const { server, listener } = listenerOf(() => Promise.reject(new Error('no name')))
    await listener.listen({ port: 0 })
    expect(portOf(server)).toBeGreaterThan(0)
  })
})

test('a taken port is the platform’s error, and another may be tried', async () => {
  const [first, second] = [listenerOf(), listenerOf()]
  await first.listener.listen({ port: 0, host: '127.0.0.1' })
  const taken = { port: portOf(first.server), host: '127.0.0.1' }
  await expect(second.listener.listen(taken)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(await second.listener.listen({ port: 0, host: '127.0.0.1' })).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
})

test('a listener that never started closes at once, and closing twice succeeds', async () => {
  const { listener } = listenerOf()
  await listener.close()
  await listener.close()
})
