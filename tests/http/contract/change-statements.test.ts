import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

const own = new AsyncLocalStorage<string[]>()
let server: TestServer
beforeAll(async () => {
  server = await startServer({}, Date.now, { onQuery: (text) => own.getStore()?.push(text.toLowerCase()) })
  await server.admin('POST /api/admin/segments', { name: 'staff', constraints: [] })
  await server.admin(`POST ${FEATURES}`, { name: 'made' })
  // a server that listens has already loaded its documents
  await server.call({ as: 'client', call: 'GET /api/client/features' })
})
afterAll(() => server.close())

const FEATURES = '/api/admin/projects/default/features'
const PLACE = `${FEATURES}/made/environments/development`
const STRATEGY = { name: 'flexibleRollout', parameters: { rollout: '50' } }
const BEGINS = {
  sqlite: 'begin immediate',
  postgres:
    'start transaction isolation level read committed; ' +
    'select pg_advisory_xact_lock(1112888903, 1); set local lock_timeout = 5000',
}
const BEGINS_READING = /^(begin|start transaction isolation level repeatable read.*)$/

/**
 * Returns the statements in the transaction of a change, including begin, lock and commit. Excludes the notification,
 * which is sent with the commit.
 */
async function statementsOf(call: string, body?: unknown): Promise<string[]> {
  const texts: string[] = []
  await own.run(texts, async () => await server.admin(call, body))
  const begin = texts.findIndex((text) => Object.values(BEGINS).includes(text))
  const all = begin < 0 ? [] : texts.slice(begin)
  // the commit is sent with the last statements and may complete before them; statements after that are a separate read
  const reading = all.findIndex((text) => BEGINS_READING.test(text))
  return all.slice(0, reading < 0 ? undefined : reading).filter((text) => !text.includes('pg_notify'))
}

const SHOWN = 6

/**
 * Each statement is a round trip or a part of one, so a change that needs more statements must be justified here. A
 * change that affects SDKs checks whether the environment requires change requests. A change that returns the whole
 * flag reads it before the commit (SHOWN), so that a failed read cannot make a successful change look failed. Enabling
 * or disabling a flag, and changing a strategy, takes one statement for the release plan that the flag may have.
 * Removing a strategy takes one more, in the same round trip, for the override that the strategy may be.
 */
describe('statements of a change, including begin, lock and commit', () => {
  let strategy = ''
  const rows: [string, () => [string, unknown?], number][] = [
    ['a flag is created', () => [`POST ${FEATURES}`, { name: 'another' }], 8 + SHOWN],
    ['turned on, with the strategy that it needs', () => [`POST ${PLACE}/on`], 13],
    ['turned on again', () => [`POST ${PLACE}/on`], 0],
    ['turned off', () => [`POST ${PLACE}/off`], 7],
    ['turned off again', () => [`POST ${PLACE}/off`], 0],
    ['turned on', () => [`POST ${PLACE}/on`], 8],
    ['a strategy is added', () => [`POST ${PLACE}/strategies`, STRATEGY], 9],
    ['a strategy is added with a segment', () => [`POST ${PLACE}/strategies`, { ...STRATEGY, segments: [1] }], 11],
    ['a strategy is changed', () => [`PUT ${PLACE}/strategies/${strategy}`, { ...STRATEGY, title: 'x' }], 9],
    ['the same again', () => [`PUT ${PLACE}/strategies/${strategy}`, { ...STRATEGY, title: 'x' }], 7],
    ['a strategy is removed', () => [`DELETE ${PLACE}/strategies/${strategy}`], 10],
    ['a flag is tagged', () => [`POST /api/admin/features/made/tags`, { type: 'simple', value: 'tag' }], 11],
    ['a description is changed', () => [`PUT ${FEATURES}/made`, { description: 'x' }], 6 + SHOWN],
    ['a flag is archived', () => [`DELETE ${FEATURES}/made`], 10],
  ]
  test.each(rows)('%s', async (_name, call, most) => {
    const [{ id } = { id: '' }] = (await server.admin(`GET ${PLACE}/strategies`)) as { id: string }[]
    strategy = id
    const asked = await statementsOf(...call())
    expect(asked.length, asked.join('\n')).toBe(most)
  })

  test('a change reads its flag for the documents once, after the commit', async () => {
    const texts: string[] = []
    await server.admin(`POST ${FEATURES}`, { name: 'once' })
    await own.run(texts, async () => await server.admin(`POST ${FEATURES}/once/environments/development/on`))
    const commit = texts.lastIndexOf(
      'commit',
      texts.findLastIndex((text) => BEGINS_READING.test(text)),
    )
    expect(texts.slice(commit + 1).filter((text) => BEGINS_READING.test(text))).toHaveLength(1)
    expect(texts.filter((text) => text.includes('"feature_dependencies"'))).toHaveLength(1)
    const { features } = (await server.call({ as: 'client', call: 'GET /api/client/features' })).json()
    expect(features.find(({ name }: { name: string }) => name === 'once')).toMatchObject({ enabled: true })
  })

  test('ten flips at once take two locks', async () => {
    const texts: string[] = []
    const names = Array.from({ length: 10 }, (_, index) => `flip-${index}`)
    for (const name of names) await server.admin(`POST ${FEATURES}`, { name })
    await own.run(texts, async () => {
      await Promise.all(names.map((name) => server.admin(`POST ${FEATURES}/${name}/environments/development/on`)))
    })
    expect(texts.filter((text) => Object.values(BEGINS).includes(text)).length).toBeLessThanOrEqual(5)
  })
})

test('a flag that is as it is wanted does not wait for the writer', async () => {
  await server.admin(`POST ${FEATURES}`, { name: 'wanted' })
  const place = `${FEATURES}/wanted/environments/development`
  await server.admin(`POST ${place}/on`)
  const before = await server.lastEventId()
  await server.admin(`POST ${place}/on`)
  expect(await statementsOf(`POST ${place}/on`)).toEqual([])
  expect(await server.eventsAfter(before)).toEqual([])
  for (const missing of [
    `${FEATURES}/wanted/environments/nowhere/on`,
    `${FEATURES}/nothing/environments/development/off`,
  ]) {
    expect((await server.call({ as: 'admin', call: `POST ${missing}` })).statusCode).toBe(404)
  }
})
