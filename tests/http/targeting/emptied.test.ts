import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * Lists that are empty by mistake, for example from a script, must not enable flags unless the request says so
 * explicitly.
 */
const A = '/api/admin'
const PROJECT = `${A}/projects/default`
const F = `${PROJECT}/features`
const PAYING = { contextName: 'plan', operator: 'IN', values: ['paid'] }
let server: TestServer
let segment: number
let strategy: string

const call = (call: string, body?: unknown) => server.call({ as: 'admin', call, body })
const STRATEGIES = `${F}/open/environments/development/strategies`

beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${F}`, { name: 'open' })
  await server.admin(`POST ${F}`, { name: 'off' })
  segment = (await server.admin(`POST ${A}/segments`, { name: 'paying', constraints: [PAYING] })).id
  strategy = (await server.admin(`POST ${STRATEGIES}`, { name: 'default', constraints: [PAYING] })).id
  await server.admin(`POST ${STRATEGIES}`, { name: 'default', constraints: [PAYING], segments: [segment] })
  await server.admin(`POST ${F}/open/environments/development/on`)
})
afterAll(() => server.close())

describe('a constraint that compares with nothing is 400', () => {
  const operators = ['IN', 'NOT_IN', 'STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'IN_CIDR']
  const lists: readonly (readonly string[] | undefined)[] = [[], undefined, [''], [' ', '']]
  const rows = operators.flatMap((operator) => lists.map((values) => ({ operator, values })))
  test.each(rows)('$operator $values, in every body that has constraints', async ({ operator, values }) => {
    const constraints = [{ contextName: 'plan', operator, ...(values && { values }) }]
    const last = await server.lastEventId()
    const calls: readonly (readonly [string, unknown])[] = [
      [`POST ${STRATEGIES}`, { name: 'default', constraints }],
      [`PUT ${STRATEGIES}/${strategy}`, { name: 'default', constraints }],
      [`PATCH ${STRATEGIES}/${strategy}`, [{ op: 'replace', path: '/constraints', value: constraints }]],
      [`POST ${A}/segments`, { name: 'nobody', constraints }],
      [`PUT ${A}/segments/${segment}`, { name: 'paying', constraints }],
      [`POST ${PROJECT}/environments/development/default-strategy`, { name: 'default', constraints }],
      [
        `POST ${PROJECT}/environments/development/change-requests`,
        { feature: 'open', action: 'addStrategy', payload: { name: 'default', constraints } },
      ],
    ]
    for (const [what, body] of calls) {
      // only users can propose changes
      const as = what.includes('change-requests') ? 'editor' : 'admin'
      const reply = await server.call({ as, call: what, body })
      expect(reply.statusCode, `${what} ${reply.body}`).toBe(400)
      expect(reply.body).toContain('at least one value')
    }
    expect(await server.eventsAfter(last)).toEqual([])
  })
})

describe('a segment in use keeps a constraint', () => {
  const PUT = () => `PUT ${A}/segments/${segment}`
  const empty = { name: 'paying', constraints: [] }

  test('409 names the flags, and changes nothing', async () => {
    const last = await server.lastEventId()
    const reply = await call(PUT(), empty)
    expect([reply.statusCode, reply.json().message]).toEqual([409, expect.stringContaining('the flag "open"')])
    expect(reply.json().message).toContain('allowEmpty=true')
    expect((await call(`${PUT()}?allowEmpty=false`, empty)).statusCode).toBe(409)
    expect(await server.eventsAfter(last)).toEqual([])
    expect((await server.admin(`GET ${A}/segments/${segment}`)).constraints).toHaveLength(1)
  })

  test('unless the request allows its removal', async () => {
    expect((await call(`${PUT()}?allowEmpty=true`, empty)).statusCode).toBe(204)
    expect((await call(PUT(), empty)).statusCode).toBe(204)
    await server.admin(PUT(), { name: 'paying', constraints: [PAYING] })
  })

  test('also in a change request, unless its payload allows the removal', async () => {
    const propose = (more: object) =>
      server.call({
        as: 'editor',
        call: `POST ${PROJECT}/environments/development/change-requests`,
        body: { action: 'updateSegment', payload: { id: segment, ...empty, ...more } },
      })
    expect((await propose({})).statusCode).toBe(409)
    expect((await propose({ allowEmpty: true })).statusCode).toBe(200)
  })

  test('the default strategy of a project uses it as well', async () => {
    const own = (await server.admin(`POST ${A}/segments`, { name: 'own', constraints: [PAYING] })).id
    const body = { name: 'default', segments: [own] }
    await server.admin(`POST ${PROJECT}/environments/production/default-strategy`, body)
    const reply = await call(`PUT ${A}/segments/${own}`, { name: 'own', constraints: [] })
    expect([reply.statusCode, reply.body]).toEqual([409, expect.stringContaining('default strategy')])
  })

  test('one that nothing uses may be emptied', async () => {
    const { id } = await server.admin(`POST ${A}/segments`, { name: 'unused', constraints: [PAYING] })
    expect((await call(`PUT ${A}/segments/${id}`, { name: 'unused', constraints: [] })).statusCode).toBe(204)
  })
})

describe('a strategy of a flag that is on keeps a constraint', () => {
  const PUT = () => `PUT ${STRATEGIES}/${strategy}`
  test.each<[string, () => readonly [string, unknown]]>([
    ['an empty list', () => [PUT(), { name: 'default', constraints: [] }]],
    ['a list that is left out', () => [PUT(), { name: 'default' }]],
    ['a patch', () => [`PATCH ${STRATEGIES}/${strategy}`, [{ op: 'replace', path: '/constraints', value: [] }]]],
  ])('rejects %s with 409 unless the request allows it', async (_what, request) => {
    const [what, body] = request()
    const last = await server.lastEventId()
    const refused = await call(what, body)
    expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('allowEmpty=true')])
    expect(await server.eventsAfter(last)).toEqual([])
    expect((await call(`${what}?allowEmpty=true`, body)).statusCode).toBe(200)
    await server.admin(PUT(), { name: 'default', constraints: [PAYING] })
  })

  test('a disabled one, and one of a flag that is off, open nothing', async () => {
    expect((await call(PUT(), { name: 'default', disabled: true, constraints: [] })).statusCode).toBe(200)
    await server.admin(PUT(), { name: 'default', disabled: false, constraints: [PAYING] })
    const off = `${F}/off/environments/development/strategies`
    const { id } = await server.admin(`POST ${off}`, { name: 'default', constraints: [PAYING] })
    expect((await call(`PUT ${off}/${id}`, { name: 'default', constraints: [] })).statusCode).toBe(200)
  })

  test('also in a change request, unless its payload allows the removal', async () => {
    const propose = (more: object) =>
      server.call({
        as: 'editor',
        call: `POST ${PROJECT}/environments/development/change-requests`,
        body: { feature: 'open', action: 'updateStrategy', payload: { id: strategy, name: 'default', ...more } },
      })
    expect((await propose({ constraints: [] })).statusCode).toBe(409)
    expect((await propose({ constraints: [], allowEmpty: true })).statusCode).toBe(200)
  })
})

describe('a strategy of a flag that is on keeps a segment', () => {
  let segmented: string
  beforeAll(async () => {
    const body = { name: 'default', constraints: [PAYING], segments: [segment] }
    segmented = (await server.admin(`POST ${STRATEGIES}`, body)).id
  })
  const PUT = () => `PUT ${STRATEGIES}/${segmented}`
  const place = () => ({ projectId: 'default', environmentId: 'development', strategyId: segmented })
  test.each<[string, () => readonly [string, unknown], number]>([
    ['an empty list', () => [PUT(), { name: 'default', constraints: [PAYING], segments: [] }], 200],
    ['a patch', () => [`PATCH ${STRATEGIES}/${segmented}`, [{ op: 'replace', path: '/segments', value: [] }]], 200],
    ['the list alone', () => [`POST ${A}/segments/strategies`, { ...place(), segmentIds: [] }], 201],
  ])('rejects %s with 409 unless the request allows it', async (_what, request, status) => {
    const [what, body] = request()
    const last = await server.lastEventId()
    const refused = await call(what, body)
    expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('without segments')])
    expect(await server.eventsAfter(last)).toEqual([])
    expect((await call(`${what}?allowEmpty=true`, body)).statusCode).toBe(status)
    expect(await server.eventsAfter(last)).toEqual(['feature-strategy-update'])
    await server.admin(`POST ${A}/segments/strategies`, { ...place(), segmentIds: [segment] })
  })

  test('keeps its segments if they are omitted', async () => {
    const { segments } = await server.admin(PUT(), { name: 'default', constraints: [PAYING] })
    expect(segments).toEqual([segment])
  })

  test('also in a change request, unless its payload allows the removal', async () => {
    const payload = { id: segmented, name: 'default', constraints: [PAYING], segments: [] }
    const propose = (more: object) =>
      server.call({
        as: 'editor',
        call: `POST ${PROJECT}/environments/development/change-requests`,
        body: { feature: 'open', action: 'updateStrategy', payload: { ...payload, ...more } },
      })
    expect((await propose({})).statusCode).toBe(409)
    expect((await propose({ allowEmpty: true })).statusCode).toBe(200)
  })
})

describe('an admin token is for everything', () => {
  const project = `${PROJECT}/api-tokens`
  test.each([
    [{ projects: ['default'] }, 400, 'projects'],
    [{ projects: [] }, 400, 'projects'],
    [{ project: 'default' }, 400, 'project'],
    [{ environment: 'development' }, 400, 'environment'],
    [{ projects: ['*'], environment: 'development' }, 400, 'environment'],
    [{ projects: ['*'], environment: '*' }, 201, ''],
    [{ projects: ['default', '*'] }, 201, ''],
    [{ project: '*' }, 201, ''],
    [{}, 201, ''],
  ])('%j → %s', async (place, status, property) => {
    for (const type of ['admin', 'ADMIN']) {
      const last = await server.lastEventId()
      const reply = await call(`POST ${A}/api-tokens`, { tokenName: 'robot', type, ...place })
      expect(reply.statusCode, reply.body).toBe(status)
      if (status === 201) expect(reply.json()).toMatchObject({ environment: '*', projects: ['*'] })
      else expect(reply.json().details[0].path).toBe(`body/${property}`)
      expect(await server.eventsAfter(last)).toEqual(status === 201 ? ['api-token-created'] : [])
      expect((await call(`POST ${project}`, { tokenName: 'robot', type, ...place })).statusCode).toBe(400)
    }
  })
})
