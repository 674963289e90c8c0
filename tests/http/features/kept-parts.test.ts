import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * A PUT leaves omitted properties unchanged. As an exception, a PUT replaces the constraints and variants of a strategy
 * even if they are omitted.
 */

let server: TestServer
const A = '/api/admin'
const S = `${A}/projects/default/features/f/environments/development/strategies`
const CONSTRAINT = { contextName: 'x', operator: 'IN', values: ['a'], inverted: false, caseInsensitive: false }
const VARIANT = { name: 'v', weight: 1000, weightType: 'variable', stickiness: 'default' }

const admin = (call: string, body?: unknown) => server.admin(call, body)

beforeAll(async () => {
  server = await startServer()
  await admin(`POST ${A}/segments`, { name: 'staff', constraints: [] })
  await admin(`POST ${A}/segments`, { name: 'others', constraints: [] })
  await admin(`POST ${A}/projects/default/features`, { name: 'f' })
  await admin(`POST ${A}/strategies`, { name: 'own', parameters: [] })
})
afterAll(() => server.close())

const FULL = {
  name: 'flexibleRollout',
  title: 'ten',
  disabled: true,
  sortOrder: 3,
  parameters: { rollout: '10', stickiness: 'userId', groupId: 'g' },
  constraints: [CONSTRAINT],
  segments: [1],
  variants: [VARIANT],
}
const BARE = { ...FULL, constraints: [], variants: [] }

describe('a strategy', () => {
  let id = ''
  beforeEach(async () => {
    id = (await admin(`POST ${S}`, FULL)).id
  })
  const put = (body: object) => server.call({ as: 'admin', call: `PUT ${S}/${id}`, body })

  test.each<[name: string, body: object, after: object]>([
    ['nothing at all', {}, BARE],
    ['its name alone', { name: 'flexibleRollout' }, BARE],
    ['another title', { title: 'new' }, { ...BARE, title: 'new' }],
    ['no title', { title: null }, { ...BARE, title: null }],
    ['an empty title', { title: '' }, { ...BARE, title: '' }],
    ['enabled', { disabled: false }, { ...BARE, disabled: false }],
    ['neither enabled nor disabled', { disabled: null }, BARE],
    ['another order', { sortOrder: 4 }, { ...BARE, sortOrder: 4 }],
    [
      'other parameters, as a whole',
      { parameters: { rollout: '11' } },
      { ...BARE, parameters: { rollout: '11', stickiness: 'default', groupId: 'f' } },
    ],
    ['no parameters', { parameters: {} }, { ...BARE, parameters: {} }],
    ['another type', { name: 'own' }, { ...BARE, name: 'own' }],
    ['other segments', { segments: [2] }, { ...BARE, segments: [2] }],
    ['no segments', { segments: [] }, { ...BARE, segments: [] }],
    ['constraints', { constraints: [CONSTRAINT] }, { ...FULL, variants: [] }],
    ['variants', { variants: [VARIANT] }, { ...FULL, constraints: [] }],
    [
      'the documented shape of older clients, one percent more',
      {
        name: 'flexibleRollout',
        sortOrder: 3,
        constraints: [CONSTRAINT],
        title: 'ten',
        disabled: true,
        parameters: { ...FULL.parameters, rollout: '11' },
      },
      { ...FULL, variants: [], parameters: { ...FULL.parameters, rollout: '11' } },
    ],
  ])('merges a PUT as expected: %s', async (_name, body, after) => {
    const last = await server.lastEventId()
    const reply = await put(body)
    expect(reply.statusCode, reply.body).toBe(200)
    expect(reply.json()).toEqual({ id, ...after })
    expect(await admin(`GET ${S}/${id}`)).toEqual({ id, ...after })
    expect(await server.eventsAfter(last)).toEqual(['feature-strategy-update'])
    expect((await put({ constraints: [], variants: [], ...body })).json()).toEqual({ id, ...after })
    expect(await server.eventsAfter(last), 'again is no change').toEqual(['feature-strategy-update'])
  })

  test.each<[name: string, patch: object[], status: number, after: object]>([
    ['an unrelated part', [{ op: 'replace', path: '/title', value: 'new' }], 200, { ...FULL, title: 'new' }],
    ['the title removed', [{ op: 'remove', path: '/title' }], 200, { ...FULL, title: null }],
    ['the segments removed', [{ op: 'remove', path: '/segments' }], 200, { ...FULL, segments: [] }],
    ['the constraints removed', [{ op: 'remove', path: '/constraints' }], 200, { ...FULL, constraints: [] }],
    [
      'the parameters removed: matches no one',
      [{ op: 'remove', path: '/parameters' }],
      200,
      { ...FULL, parameters: {} },
    ],
    [
      'the rollout removed: matches no one',
      [{ op: 'remove', path: '/parameters/rollout' }],
      200,
      {
        ...FULL,
        parameters: { stickiness: 'userId', groupId: 'g' },
      },
    ],
    ['neither enabled nor disabled', [{ op: 'replace', path: '/disabled', value: null }], 200, FULL],
    [
      'disabled taken from what is null',
      [
        { op: 'replace', path: '/title', value: null },
        { op: 'copy', from: '/title', path: '/disabled' },
      ],
      200,
      { ...FULL, title: null },
    ],
    ['disabled moved away', [{ op: 'move', from: '/disabled', path: '/title' }], 400, FULL],
    ['disabled removed', [{ op: 'remove', path: '/disabled' }], 400, FULL],
    ['the name removed', [{ op: 'remove', path: '/name' }], 400, FULL],
  ])('merges a PATCH as expected: %s', async (_name, body, status, after) => {
    const reply = await server.call({ as: 'admin', call: `PATCH ${S}/${id}`, body })
    expect(reply.statusCode, reply.body).toBe(status)
    expect(await admin(`GET ${S}/${id}`)).toEqual({ id, ...after })
  })

  test('preserves everything else when its segments change', async () => {
    const body = { projectId: 'default', environmentId: 'development', strategyId: id, segmentIds: [2] }
    await admin(`POST ${A}/segments/strategies`, body)
    expect(await admin(`GET ${S}/${id}`)).toEqual({ id, ...FULL, segments: [2] })
  })

  test.each([
    ['an unknown type', { name: 'nope' }, 400, 'nope'],
    ['an unknown segment', { segments: [77] }, 404, '77'],
    ['a rollout of 101', { parameters: { rollout: '101' } }, 400, 'rollout'],
    ['no boolean', { disabled: 'perhaps' }, 400, 'disabled'],
    ['an empty name', { name: '' }, 400, 'name'],
    ['null for segments', { segments: null }, 400, 'segments'],
    ['null for parameters', { parameters: null }, 400, 'parameters'],
  ])('refused, and nothing is lost: %s', async (_name, body, status, text) => {
    const last = await server.lastEventId()
    const reply = await put(body)
    expect(reply.statusCode, reply.body).toBe(status)
    expect(reply.body).toContain(text)
    expect(await admin(`GET ${S}/${id}`)).toEqual({ id, ...FULL })
    expect(await server.eventsAfter(last)).toEqual([])
  })
})

interface Kind {
  readonly kind: string
  readonly path: string
  readonly full: Readonly<Record<string, unknown>>
  /** Smallest valid body of a PUT. */
  readonly least: object
  readonly event: string
}

describe.each<Kind>([
  {
    kind: 'a segment',
    path: `${A}/segments`,
    full: { name: 'kept', description: 'd', project: 'default', constraints: [CONSTRAINT] },
    least: { name: 'kept', constraints: [CONSTRAINT] },
    event: 'segment-updated',
  },
  {
    kind: 'a context field',
    path: `${A}/context`,
    full: { name: 'kept', description: 'd', stickiness: true, sortOrder: 7, legalValues: [{ value: 'a' }] },
    least: {},
    event: 'context-field-updated',
  },
  {
    kind: 'a type of strategy',
    path: `${A}/strategies`,
    full: { name: 'kept', title: 't', description: 'd', parameters: [] },
    least: { parameters: [] },
    event: 'strategy-updated',
  },
  {
    kind: 'a type of tag',
    path: `${A}/tag-types`,
    full: { name: 'kept', description: 'd', icon: 'i' },
    least: {},
    event: 'tag-type-updated',
  },
])('$kind', ({ path, full, least, event }) => {
  let one = `${path}/kept`
  beforeAll(async () => {
    const made = await admin(`POST ${path}`, full)
    if (made.id !== undefined) one = `${path}/${made.id}`
  })
  const shown = async () => {
    const body = await admin(`GET ${one}`)
    return body.tagType ?? body
  }

  test('stays unchanged without an event after a PUT of the required properties', async () => {
    const last = await server.lastEventId()
    await admin(`PUT ${one}`, least)
    expect(await shown()).toMatchObject(full)
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test('loses only its description after a PUT of null', async () => {
    const last = await server.lastEventId()
    await admin(`PUT ${one}`, { ...least, description: null })
    expect(await shown()).toMatchObject({ ...full, description: null })
    expect(await server.eventsAfter(last)).toEqual([event])
  })
})
