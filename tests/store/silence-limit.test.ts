import { limitSilence } from '@burgee/storage/drivers/postgres/silence-limit'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { openRelay, type Relay } from '../support/relay.ts'

const LIMIT_MS = 300

let place: FreshDatabase
let relay: Relay
let client: Client
beforeAll(async () => {
  place = await freshDatabase()
})
beforeEach(async () => {
  const { hostname, port } = new URL(place.url)
  relay = await openRelay({ host: hostname, port: Number(port) })
  const through = new URL(place.url)
  through.hostname = '127.0.0.1'
  through.port = String(relay.port)
  client = new Client({ connectionString: through.href, pipeline: true } as { connectionString: string })
  client.on('error', () => {})
  limitSilence(client, LIMIT_MS)
  await client.connect()
})
afterEach(async () => {
  await client.end().catch(() => {})
  await relay.close()
})
afterAll(() => place.remove())

/** Keeps the event loop busy, as a large import does between two statements of a transaction. */
function compute(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('a query that was answered during a long computation succeeds', async () => {
  const answer = client.query('select 1 as one')
  // the relay sends the query and receives the answer before the computation begins
  await new Promise((resolve) => setTimeout(resolve, LIMIT_MS / 3))
  compute(3 * LIMIT_MS)
  expect((await answer).rows).toEqual([{ one: 1 }])
})

test('a query that is written during the computation succeeds as well', async () => {
  const direct = new Client({ connectionString: place.url })
  limitSilence(direct, LIMIT_MS)
  await direct.connect()
  const answer = direct.query('select 1 as one')
  compute(3 * LIMIT_MS)
  expect((await answer).rows).toEqual([{ one: 1 }])
  await direct.end()
})

test('queries that wait behind answered ones have time', async () => {
  const slow = `select pg_sleep(${LIMIT_MS / 2 / 1000})`
  const answers = Array.from({ length: 6 }, () => client.query(slow))
  expect((await Promise.all(answers)).map(({ rowCount }) => rowCount)).toEqual([1, 1, 1, 1, 1, 1])
})

test.each([
  { title: 'the limit of the connection', query: { text: 'select 1' } },
  { title: 'a limit of its own', query: { text: 'select 1', query_timeout: 100 } },
])('a silent server fails the query after $title, and closes the connection', async ({ query }) => {
  relay.become('swallowed')
  const ended = new Promise((resolve) => client.once('end', resolve))
  await expect(client.query(query)).rejects.toThrow('Query read timeout')
  await ended
})
