import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Typical causes of crashes: unknown names in every position, and requests that fail halfway. */
let server: TestServer
const as = 'admin'
const A = '/api/admin'
const F = `${A}/projects/default/features`
const NOWHERE = `${A}/projects/nope`
const E = `${F}/f/environments/development`
const ROLLOUT = { name: 'flexibleRollout' }
const SEGMENT = { name: 's', constraints: [] }
const VARIANTS = [{ name: 'v', weight: 1000 }]
const PATCH = [{ op: 'test', path: '', value: {} }]
const USER = { username: 'new', rootRole: 3 }

beforeAll(async () => {
  server = await startServer()
  await server.call({ as, call: `POST ${F}`, body: { name: 'f' } })
})
afterAll(() => server.close())

type Place = readonly [call: string, body?: unknown]
const answers = (status: number, places: readonly Place[]): Scenario[] =>
  places.map(([call, body]) => ({
    name: call,
    as,
    call,
    status,
    has: { id: expect.any(String), message: expect.not.stringMatching(/sql|constraint failed|violates|relation/i) },
    ...(body === undefined ? {} : { body }),
  }))

describe('changes of what there is not', () => {
  scenarios(
    () => server,
    answers(404, [
      [`PUT ${A}/segments/99`, SEGMENT],
      [`PUT ${A}/segments/abc`, SEGMENT],
      [`PUT ${A}/context/nope`, {}],
      [`POST ${A}/context/nope/legal-values`, { value: 'x' }],
      [`DELETE ${A}/context/appName/legal-values/nope`],
      [`PUT ${A}/strategies/nope`, { parameters: [] }],
      [`POST ${A}/strategies/nope/deprecate`],
      [`PUT ${A}/tag-types/nope`, {}],
      [`DELETE ${A}/tags/simple/nope`],
      [`PUT ${A}/feature-types/nope/lifetime`, { lifetimeDays: 1 }],
      [`PUT ${A}/environments/update/nope`, {}],
      [`POST ${A}/environments/nope/on`],
      [`PUT ${A}/environments/sort-order`, { nope: 1 }],
      [`PUT ${A}/user-admin/99`, {}],
      [`DELETE ${A}/user-admin/abc`],
      [`PUT ${E}/strategies/nope`, ROLLOUT],
      [`PATCH ${E}/strategies/nope`, PATCH],
      [`DELETE ${E}/strategies/nope`],
      [`POST ${E}/strategies/set-sort-order`, [{ id: 'nope', sortOrder: 1 }]],
    ]),
  )
})

describe('names of nothing in the middle', () => {
  scenarios(
    () => server,
    answers(404, [
      [`POST ${NOWHERE}/features`, { name: 'x' }],
      [`PUT ${NOWHERE}/features/f`, {}],
      [`POST ${NOWHERE}/archive`, { features: ['f'] }],
      [`POST ${NOWHERE}/stale`, { features: ['f'], stale: true }],
      [`PUT ${NOWHERE}/tags`, { features: ['f'], tags: { addedTags: [], removedTags: [] } }],
      [`POST ${NOWHERE}/environments`, { environment: 'production' }],
      [`POST ${A}/projects/default/environments`, { environment: 'nope' }],
      [`POST ${A}/projects/default/environments/nope/default-strategy`, ROLLOUT],
      [`POST ${A}/projects/default/archive`, { features: ['f', 'nope'] }],
      [`POST ${A}/projects/default/bulk_features/environments/nope/on`, { features: ['f'] }],
      [`POST ${A}/projects/default/bulk_features/environments/production/on`, { features: ['f', 'nope'] }],
      [`POST ${F}/nope/environments/development/on`],
      [`POST ${F}/nope/clone`, { name: 'x' }],
      [`POST ${F}/nope/dependencies`, { feature: 'f' }],
      [`PUT ${F}/nope/environments/development/variants`, VARIANTS],
      [`PUT ${F}/f/variants-batch`, { environments: ['production', 'nope'], variants: VARIANTS }],
      [`POST ${F}/f/environments/nope/strategies`, ROLLOUT],
      [`POST ${E}/strategies`, { ...ROLLOUT, segments: [77] }],
      [`POST ${A}/features/nope/tags`, { type: 'simple', value: 'red' }],
    ]),
  )
  scenarios(
    () => server,
    answers(400, [
      [`POST ${F}`, { name: 'x', tags: [{ type: 'nope', value: 'red' }] }],
      [`POST ${A}/features/f/tags`, { type: 'nope', value: 'red' }],
      [`POST ${A}/tags`, { type: 'nope', value: 'red' }],
      [`POST ${E}/strategies`, { name: 'nope' }],
      [`POST ${A}/segments`, { ...SEGMENT, project: 'nope' }],
      [`POST ${A}/projects`, { id: 'x', name: 'X', environments: ['nope'] }],
      [`POST ${A}/api-tokens`, { tokenName: 't', type: 'client', environment: 'nope' }],
      [`POST ${A}/api-tokens`, { tokenName: 't', type: 'client', environment: 'production', projects: ['nope'] }],
    ]),
  )

  test('leaves no data behind and logs no internal failure', async () => {
    const names = await server.db.rows('select name from features order by name')
    expect(names).toEqual([{ name: 'f' }])
    expect(await server.db.rows('select * from tags')).toEqual([])
    expect(await server.db.rows('select * from feature_strategies')).toEqual([])
    expect(await server.db.rows("select archived_at, stale from features where name = 'f'")).toEqual([
      { archived_at: null, stale: 0 },
    ])
    expect(server.logged.filter((line) => line.startsWith('error'))).toEqual([])
  })
})

describe('requests that fail halfway', () => {
  test('a flag that is made and deleted within a moment, again and again', async () => {
    for (let round = 0; round < 5; round += 1) {
      const made = await server.call({ as, call: `POST ${F}`, body: { name: 'brief' } })
      expect(made.statusCode).toBe(201)
      expect((await server.call({ as, call: `DELETE ${F}/brief` })).statusCode).toBe(202)
      expect((await server.call({ as, call: `DELETE ${A}/archive/brief` })).statusCode).toBe(200)
      expect((await server.call({ as, call: `GET ${F}/brief` })).statusCode).toBe(404)
    }
    const { totalEvents } = (await server.call({ as, call: `GET ${A}/events/brief` })).json()
    expect(totalEvents).toBe(15)
  })

  test('a rejected user leaves no row', async () => {
    const count = async () => (await server.db.rows('select id from users')).length
    const before = await count()
    for (const wrong of [
      { ...USER, rootRole: 77 },
      { ...USER, password: 'short' },
      { ...USER, email: 'none' },
      { rootRole: 3 },
    ]) {
      const reply = await server.call({ as, call: `POST ${A}/user-admin`, body: wrong })
      expect([wrong, reply.statusCode]).toEqual([wrong, 400])
    }
    expect(await count()).toBe(before)
  })

  test('a token of a project is for no other', async () => {
    await server.call({ as, call: `POST ${A}/projects`, body: { id: 'other', name: 'Other' } })
    const token = { tokenName: 't', type: 'client', environment: 'production', projects: ['default', 'other'] }
    const reply = await server.call({ as, call: `POST ${A}/projects/default/api-tokens`, body: token })
    expect(reply.statusCode).toBe(400)
    expect(await server.db.rows("select * from api_tokens where name = 't'")).toEqual([])
  })
})
