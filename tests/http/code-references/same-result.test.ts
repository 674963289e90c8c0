import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Time since which all users have had the same result. Source: wire protocol "Code references" */
const F = '/api/admin/projects/default/features'
const E = '/api/admin/environments'
const S = '/api/admin/segments'
const DAY = 86_400_000
const OPEN = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default', groupId: 'x' } }
const ONE_USER = [{ contextName: 'userId', operator: 'IN', values: ['7'] }]
let now = Date.parse('2030-01-01T00:00:00Z')
let server: TestServer

beforeAll(async () => {
  server = await startServer({}, () => now)
})
afterAll(() => server.close())

/** Adds a flag that is on for all users in the given environments. */
async function addFlag(name: string, strategy: object = OPEN, environments = ['production']): Promise<void> {
  await server.admin(`POST ${F}`, { name, type: 'release' })
  for (const environment of environments) {
    await server.admin(`POST ${F}/${name}/environments/${environment}/strategies`, strategy)
    await server.admin(`POST ${F}/${name}/environments/${environment}/on`)
  }
}

async function addSegment(name: string): Promise<number> {
  const { id } = await server.admin(`POST ${S}`, { name, constraints: ONE_USER })
  return id
}

const opened = (name: string) => ({ name, constraints: [] })
const read = (name: string) => server.admin(`GET ${F}/${name}/removal`)

/** Expects that the verdict is to wait until 30 days from now. */
async function expectWait(name: string): Promise<void> {
  const since = new Date(now).toISOString()
  now += DAY
  expect(await read(name)).toMatchObject({ verdict: 'notYet', keep: { path: 'enabled' }, since })
  now += 30 * DAY
  expect(await read(name)).toMatchObject({ verdict: 'ready', keep: { path: 'enabled' }, since })
}

test('a change of a segment of the flag starts the time again, its name does not', async () => {
  const segment = await addSegment('own')
  await addSegment('unused')
  await addFlag('with-segment', { ...OPEN, segments: [segment] })
  now += 40 * DAY
  await server.admin(`PUT ${S}/${segment}?allowEmpty=true`, opened('own'))
  await expectWait('with-segment')
  await server.admin(`PUT ${S}/${segment}`, opened('renamed'))
  expect(await read('with-segment')).toMatchObject({ verdict: 'ready' })
})

test('a change of a segment that the flag does not use has no effect', async () => {
  const segment = await addSegment('of-others')
  await addFlag('without-segment')
  now += 40 * DAY
  await server.admin(`PUT ${S}/${segment}?allowEmpty=true`, opened('of-others'))
  expect(await read('without-segment')).toMatchObject({ verdict: 'ready' })
})

test('a change of a segment of the parent starts the time again', async () => {
  const segment = await addSegment('of-parent')
  await addFlag('parent', { ...OPEN, segments: [segment] })
  await addFlag('child')
  await server.admin(`POST ${F}/child/dependencies`, { feature: 'parent' })
  now += 40 * DAY
  await server.admin(`PUT ${S}/${segment}?allowEmpty=true`, opened('of-parent'))
  await expectWait('child')
})

test('a change of an environment to production starts the time again, other changes do not', async () => {
  await server.admin(`POST ${E}`, { name: 'later-production', type: 'test' })
  await server.admin('POST /api/admin/projects/default/environments', { environment: 'later-production' })
  await addFlag('in-both', OPEN, ['production', 'later-production'])
  now += 40 * DAY
  await server.admin(`PUT ${E}/update/later-production`, { type: 'production' })
  await expectWait('in-both')
  await server.admin(`PUT ${E}/sort-order`, { 'later-production': 7 })
  expect(await read('in-both')).toMatchObject({ verdict: 'ready' })
  await server.admin(`PUT ${E}/update/later-production`, { type: 'test' })
})

test('a new production environment with enabled flags starts the time again', async () => {
  await addFlag('cloned')
  now += 40 * DAY
  const clone = { name: 'production-clone', type: 'production', cloneStrategies: true, cloneEnabled: true }
  await server.admin(`POST ${E}/production/clone`, clone)
  await expectWait('cloned')
  await server.admin(`DELETE ${E}/production-clone`)
})

test('an import starts the time again, also if the event log has an earlier change of the flag', async () => {
  await addFlag('imported')
  now += 40 * DAY
  await server.admin(`POST ${F}`, { name: 'becomes-import', type: 'release' })
  const sql = "update events set type = 'instance-imported', feature_name = null where feature_name = ?"
  await server.db.rows(sql, 'becomes-import')
  await expectWait('imported')
})
