import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee } from '../support/burgee.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'

const KEY = 'key-of-the-page'
const BODY = '{"toggles":["on"]}'

let upstream: FakeUpstream
let proxy: BurgeeProcess
let port: number

beforeEach(async () => {
  upstream = await startUpstream({ features: [{ name: 'on', enabled: true, strategies: [] }] })
  proxy = runBurgee(['proxy'], {
    FLAG_URL: upstream.url,
    FLAG_API_TOKEN: 'token',
    FLAG_PROXY_CLIENT_KEYS: KEY,
    PROXY_PORT: '0',
  })
  port = Number(await proxy.find(/port (\d+)/))
  await until(async () => (await fetch(`http://127.0.0.1:${port}/proxy/health`)).ok)
})
afterEach(async () => {
  proxy.kill('SIGKILL')
  await upstream.close()
})

/** Opens a connection with a request whose body is incomplete but which the server has started to read. */
async function halfSent(): Promise<{ readonly socket: Socket; readonly reply: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  const head = [
    'POST /proxy HTTP/1.1',
    'Host: localhost',
    `Authorization: ${KEY}`,
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${BODY.slice(0, 5)}`)
  const reply = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
  })
  await answered()
  return { socket, reply }
}

/** Sends a request on a new connection. Once it is answered, all earlier connections have been accepted and read. */
async function answered(): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.end('GET /proxy/health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')
  socket.resume()
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('a request in flight is answered, idle connections end, counts are delivered, the exit code is 0', async () => {
    const idle = connect(port, '127.0.0.1')
    const idleEnded = new Promise<void>((resolve) => idle.once('close', () => resolve()))
    const { socket, reply } = await halfSent()
    proxy.kill(signal)
    await idleEnded
    socket.write(BODY.slice(5))
    expect(await reply).toMatch(/^HTTP\/1\.1 200 [\s\S]*"name":"on","enabled":true/)
    expect(await proxy.ended).toBe(0)
    const delivered = upstream.seen.filter((request) => request.url.endsWith('/client/metrics'))
    expect(delivered.map((request) => JSON.parse(request.body).bucket.toggles)).toEqual([
      { on: { yes: 1, no: 0, variants: {} } },
    ])
  })

  test('an upstream that hangs does not hold the process', async () => {
    const headers = { authorization: KEY, 'content-type': 'application/json' }
    await fetch(`http://127.0.0.1:${port}/proxy`, { method: 'POST', headers, body: BODY })
    upstream.answerWith(() => {})
    proxy.kill(signal)
    expect(await proxy.ended).toBe(0)
  })

  test('a client that never finishes its request does not hold the process', async () => {
    const { reply } = await halfSent()
    proxy.kill(signal)
    expect(await proxy.ended).toBe(0)
    expect(await reply).not.toMatch(/^HTTP\/1\.1 200/)
  })
})
