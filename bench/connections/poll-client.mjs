// Polls a server over many connections: `poll-client.mjs <ids>` reads lines `<port> <etag> <ms>` and prints results as
// JSON
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const SOCKETS = 32
const ids = Array.from({ length: Number(process.argv[2]) }, () => crypto.randomUUID())
let next = 0

/**
 * Polls repeatedly on one socket, one poll at a time, until the time is over. Returns the durations of the polls in
 * microseconds.
 */
function pollUntil(port, etag, end, durations) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let start = 0
    const send = () => {
      const id = ids[next % ids.length]
      next += 1
      start = performance.now()
      socket.write(
        `GET /api/client/features HTTP/1.1\r\nHost: x\r\nAuthorization: t\r\nunleash-appname: web-shop\r\n` +
          `unleash-connection-id: ${id}\r\nunleash-sdk: unleash-node-sdk:6.12.1\r\nunleash-interval: 15000\r\n` +
          `If-None-Match: ${etag}\r\nConnection: keep-alive\r\n\r\n`,
      )
    }
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (!text.includes('\r\n\r\n')) return
      if (!text.startsWith('HTTP/1.1 304')) return void reject(new Error(text.slice(0, 200)))
      text = ''
      durations.push((performance.now() - start) * 1000)
      if (performance.now() < end) send()
      else socket.end(resolve)
    })
    socket.on('connect', send)
    socket.on('error', reject)
  })
}

for await (const line of createInterface({ input: process.stdin })) {
  const [port, etag, ms] = JSON.parse(line)
  const durations = []
  const end = performance.now() + ms
  await Promise.all(Array.from({ length: SOCKETS }, () => pollUntil(port, etag, end, durations)))
  durations.sort((a, b) => a - b)
  const at = (share) => durations[Math.floor((durations.length - 1) * share)]
  process.stdout.write(`${JSON.stringify({ polls: durations.length, p50: at(0.5), p99: at(0.99) })}\n`)
}
