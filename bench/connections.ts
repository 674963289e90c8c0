import type { Caller } from '@burgee/kit/http/route'
import { ConnectionBook } from '@burgee/serving/connections/connection-book'

/**
 * Measures `ConnectionBook`: memory for 20,000 connections, and the time that it adds to a poll that is answered with
 * 304. Run it with `node --expose-gc --conditions source bench/connections.ts`.
 */

const CONNECTIONS = 20_000
const ROUNDS = 40
const SCOPE = { environment: 'production', projects: ['*'] }
const REVISION = { epoch: '885303b63a168702', id: 4711 }

function createCaller(): Caller {
  return {
    method: 'GET',
    url: '/api/client/features',
    headers: {
      'unleash-connection-id': crypto.randomUUID(),
      'unleash-appname': 'web-shop',
      'unleash-sdk': 'unleash-node-sdk:6.12.1',
      'unleash-interval': '15000',
    },
    params: {},
    remoteAddress: '10.0.0.1',
    id: '1',
  }
}

const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})
const memory = (): number => {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const callers = Array.from({ length: CONNECTIONS }, createCaller)
const book = new ConnectionBook({ clock: Date.now })
for (const caller of callers) book.recordUnchanged(SCOPE, caller, REVISION)
const heapBefore = memory()
const times: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  // processor time of this process, which does not include other processes
  const start = process.cpuUsage()
  for (const caller of callers) book.recordUnchanged(SCOPE, caller, REVISION)
  const { user, system } = process.cpuUsage(start)
  times.push(((user + system) * 1000) / CONNECTIONS)
}
const heapAfter = process.memoryUsage().heapUsed
times.sort((a, b) => a - b)
const sweepStart = process.hrtime.bigint()
book.sweep()
const sweepMs = Number(process.hrtime.bigint() - sweepStart) / 1e6
const listStart = process.hrtime.bigint()
let listed = 0
for (const _ of book.list()) listed += 1
const listMs = Number(process.hrtime.bigint() - listStart) / 1e6

process.stdout.write(`connections            ${book.size}\n`)
process.stdout.write(`memory per connection  ${(book.bytes / book.size).toFixed(0)} bytes of records and index\n`)
process.stdout.write(
  `time per poll          ${times[ROUNDS >> 1]?.toFixed(0)} ns (median), ${times.at(-1)?.toFixed(0)} ns (worst round)\n`,
)
process.stdout.write(`allocated per poll     ${((heapAfter - heapBefore) / (CONNECTIONS * ROUNDS)).toFixed(2)} bytes\n`)
process.stdout.write(`sweep                  ${sweepMs.toFixed(2)} ms\n`)
process.stdout.write(`list of ${listed}          ${listMs.toFixed(2)} ms\n`)
