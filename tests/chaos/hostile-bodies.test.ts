import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from './server-node.ts'

/**
 * Number of connections that send most of a body but never its end. Each body inflates to megabytes. Together, the
 * bodies must not make a small container run out of memory.
 */
const CONNECTIONS = 300
const CONTAINER_BYTES = 512 * 1024 * 1024
const SMALL = { NODE_OPTIONS: '--max-old-space-size=256' }
const NO_LIMITS = { TOKEN_GUESS_LIMIT_PER_MINUTE: '1000000', CLIENT_METRICS_RATE_LIMIT_PER_MINUTE: '1000000' }
const DOWNLOADS = 40

const folder = temporaryFolder()
let node: ServerNode
let edge: BurgeeProcess
let edgeBase: string
beforeAll(async () => {
  node = await serverNode(runServer({ DATA_DIR: join(folder.path, 'data'), ...SMALL, ...NO_LIMITS }))
  await node.makeOn('known')
  edge = runBurgee(['edge'], {
    UPSTREAM_URL: node.base,
    TOKENS: TOKENS.client,
    PORT: '0',
    INTERFACE: '127.0.0.1',
    LOG_LEVEL: 'warn',
    ...SMALL,
  })
  edgeBase = `http://127.0.0.1:${await edge.find(/port (\d+)/)}`
})
afterAll(async () => {
  for (const process of [edge, node.process]) {
    process.kill('SIGKILL')
    await process.ended
  }
  folder.remove()
})

/** Returns the peak resident memory of a process. */
const peakBytes = ({ pid }: BurgeeProcess) =>
  1024 * Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const bombOf = (bytes: number) => gzipSync(Buffer.from(`{"a":"${'x'.repeat(bytes - 8)}"}`)).subarray(0, -9)

/** Opens a connection and sends a body without its last nine bytes. */
async function hold(base: string, path: string, authorization: string, bomb: Buffer): Promise<Socket> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  const credentials = authorization === '' ? '' : `Authorization: ${authorization}\r\n`
  const coding = `Content-Encoding: gzip\r\nContent-Length: ${bomb.length + 9}\r\n`
  socket.write(`POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n${credentials}${coding}\r\n`)
  socket.write(bomb)
  return socket
}

const download = async (base: string) => {
  const reply = await fetch(`${base}/api/client/features`, { headers: { authorization: TOKENS.client } })
  await reply.arrayBuffer()
  return reply.status
}

const report = async (base: string) => {
  const bucket = {
    start: new Date().toISOString(),
    stop: new Date().toISOString(),
    toggles: { known: { yes: 1, no: 0 } },
  }
  const reply = await fetch(`${base}/api/client/metrics`, {
    method: 'POST',
    headers: { authorization: TOKENS.client, 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'a', instanceId: 'i', bucket }),
  })
  return reply.status
}

describe.each([
  ['server', () => [node.base, node.process] as const, '/api/admin/imports', 11_900_000],
  ['edge', () => [edgeBase, edge] as const, '/api/client/metrics/bulk', 4_000_000],
])('the %s', (_name, asked, unknownPath, bytes) => {
  test.each([
    ['nobody', '', unknownPath, bytes],
    ['a wrong token', 'default:development.wrong', unknownPath, bytes],
    ['a token of an SDK', TOKENS.client, '/api/client/metrics/bulk', 4_000_000],
  ])('lives in 512 MiB and serves SDKs under 300 bombs of %s', async (_who, authorization, path, length) => {
    const [base, process] = asked()
    const bomb = bombOf(length)
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => hold(base, path, authorization, bomb)))
    try {
      for (let count = 0; count < DOWNLOADS; count += 1) {
        expect([await download(base), await report(base)]).toEqual([200, 202])
      }
      expect(peakBytes(process)).toBeLessThan(CONTAINER_BYTES)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})
