import { randomBytes } from 'node:crypto'
import { createLogger } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { parseOptions } from '@burgee/kit/options/options'
import { createServer } from '@burgee/server'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CHEAP } from '../support/password-cost.ts'
import { type FreshDatabase, migratedDatabase } from '../support/postgres.ts'
import { openRelay, type Relay } from '../support/relay.ts'

/** Starts during which all PostgreSQL connections are cut once. */
let place: FreshDatabase
let relay: Relay
beforeEach(async () => {
  place = await migratedDatabase()
  const { hostname, port } = new URL(place.url)
  relay = await openRelay({ host: hostname, port: Number(port) })
})
afterEach(async () => {
  await relay.close()
  await place.remove()
})

/** Starts a server and returns the number of queries that the start has made. */
async function start(cutAfter: number): Promise<number> {
  const url = new URL(place.url)
  url.hostname = '127.0.0.1'
  url.port = String(relay.port)
  let queries = 0
  const given = { databaseUrl: url.href, port: 0, host: '127.0.0.1', keepDocuments: false, databaseWait: 20 }
  const server = await createServer({
    options: parseOptions(SERVER_OPTIONS, { given: { ...given, enabledEnvironments: ['development'] } }),
    clock: Date.now,
    monotonic: PROCESS_CLOCK,
    random: randomBytes,
    logger: createLogger({ level: 'error', json: false, clock: Date.now, secrets: () => [], write: () => {} }),
    passwordCost: CHEAP,
    onQuery: () => {
      queries += 1
      if (queries !== cutAfter) return
      relay.become('refused')
      relay.become('through')
    },
  })
  const reply = await server.app.inject({ url: '/ready' })
  expect(reply.statusCode).toBe(200)
  await server.close()
  return queries
}

const NEVER = 0
const CUTS = [1, 3, 6, 10, 15, 20, 25, 30, 35, 40, 50]

test('a start takes at least as many queries as there are cuts', async () => {
  expect(await start(NEVER)).toBeGreaterThan(40)
})

test.each(CUTS)('a start whose connections are cut after query %i goes on', async (cutAfter) => {
  expect(await start(cutAfter)).toBeGreaterThan(cutAfter)
})
