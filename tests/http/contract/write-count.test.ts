import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { type BurgeeServer, createServer } from '@burgee/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHEAP } from '../../support/password-cost.ts'
import { type EmptyPlace, emptyPlace } from '../../support/place.ts'
import { queryCounter } from '../../support/queries.ts'
import { optionsOf, TOKENS } from '../scenario.ts'

/** Statements of changes, including the transaction and reads for the reply. bench/writes.ts measures their cost. */
const AT_ONCE = 16
const FEATURES = '/api/admin/projects/default/features'
const counter = queryCounter()
/** Clock that does not advance, so that lookups triggered by time run only once. */
const now = Date.now()
let place: EmptyPlace
let server: BurgeeServer

const call = async (url: string, payload: object = {}): Promise<void> => {
  const headers = { authorization: TOKENS.admin }
  const { statusCode, body } = await server.app.inject({ method: 'POST', url, headers, payload })
  if (statusCode >= 300) throw new Error(`${url}: ${statusCode} ${body}`)
}
const flip = (index: number, to: 'on' | 'off') => call(`${FEATURES}/flag-${index}/environments/development/${to}`)
const flipAll = (to: 'on' | 'off') => Promise.all(Array.from({ length: AT_ONCE }, (_, index) => flip(index, to)))

beforeAll(async () => {
  place = await emptyPlace()
  const given = {
    ...place.options,
    port: 0,
    defaultAdminPassword: 'a good password',
    initAdminApiTokens: [TOKENS.admin],
  }
  const options = optionsOf({ ...given, host: '127.0.0.1' })
  const { onQuery } = counter
  const time = { clock: () => now, monotonic: monotonicClock(() => now) }
  server = await createServer({ options, ...time, random: randomBytes, logger: SILENT, onQuery, passwordCost: CHEAP })
  for (let index = 0; index < AT_ONCE; index += 1) {
    await call(FEATURES, { name: `flag-${index}` })
    await call(`${FEATURES}/flag-${index}/environments/development/strategies`, { name: 'default' })
  }
  await flipAll('on')
})
afterAll(async () => {
  await server.close()
  await place.remove()
})

/** PostgreSQL needs one statement more: the notification of other nodes. */
const most = (statements: number): number => ('databaseUrl' in place.options ? statements + 1 : statements)

test('switching a flag takes at most 12 statements, and one more for other nodes', async () => {
  expect(await counter.count(() => flip(0, 'off'))).toBeLessThanOrEqual(most(12))
  expect(await counter.count(() => flip(0, 'on'))).toBeLessThanOrEqual(most(12))
})

test('creating a flag takes at most 14 statements, and one more for other nodes', async () => {
  expect(await counter.count(() => call(FEATURES, { name: 'new' }))).toBeLessThanOrEqual(most(14))
})

test(`${AT_ONCE} changes at once share transactions: each takes at most 8 statements`, async () => {
  expect(await counter.count(() => flipAll('off'))).toBeLessThanOrEqual(8 * AT_ONCE)
})
