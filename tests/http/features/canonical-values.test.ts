import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * SDKs in all languages must interpret stored values in the same way, so values are stored in canonical form or
 * rejected.
 */
let server: TestServer
const P = '/api/admin/projects/default/features'
const E = `${P}/f/environments/development`
const STRATEGIES = `${E}/strategies`
const constraint = (operator: string, operand: object, contextName = 'currentTime') => ({
  contextName,
  operator,
  ...operand,
})

interface Stored {
  readonly id: string
  readonly constraints: readonly { readonly value?: string; readonly values: readonly string[] }[]
  readonly parameters: Readonly<Record<string, string>>
}

beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${P}`, { name: 'f' })
})
afterAll(() => server.close())

const FORMS: readonly (readonly [operator: string, sent: object, stored: object])[] = [
  ['IN', { values: ['norway ', ' sweden', '', ' '] }, { values: ['norway', 'sweden'] }],
  ['NOT_IN', { values: [' a b '] }, { values: ['a b'] }],
  ['STR_CONTAINS', { values: ['@x.org ', ''] }, { values: ['@x.org'] }],
  ['IN_CIDR', { values: [' 10.0.0.0/8 '] }, { values: ['10.0.0.0/8'] }],
  ['NUM_GT', { value: '.5' }, { value: '0.5' }],
  ['NUM_GT', { value: '0x5' }, { value: '5' }],
  ['NUM_GT', { value: ' 5. ' }, { value: '5' }],
  ['NUM_GT', { value: '5.50' }, { value: '5.50' }],
  ['NUM_GT', { value: '-1e3' }, { value: '-1e3' }],
  ['DATE_AFTER', { value: '2022-01-29' }, { value: '2022-01-29T00:00:00.000Z' }],
  ['DATE_AFTER', { value: '2022-01-29T13:00' }, { value: '2022-01-29T13:00:00.000Z' }],
  ['DATE_AFTER', { value: '2022-01-29 13:00:01' }, { value: '2022-01-29T13:00:01.000Z' }],
  ['DATE_AFTER', { value: '2022-01-29t13:00' }, { value: '2022-01-29T13:00:00.000Z' }],
  ['DATE_AFTER', { value: '2022-01-29T13:00:00Z ' }, { value: '2022-01-29T13:00:00Z' }],
  ['DATE_AFTER', { value: '2022-01-29T13:00:00+02:00' }, { value: '2022-01-29T13:00:00+02:00' }],
]

/** Entry points that store a constraint. Each returns the stored constraint. */
const PLACES: readonly (readonly [string, (given: object) => Promise<unknown>])[] = [
  [
    'a new strategy',
    async (given) => {
      const body = { name: 'default', constraints: [given] }
      return ((await server.admin(`POST ${STRATEGIES}`, body)) as Stored).constraints[0]
    },
  ],
  [
    'an edited strategy',
    async (given) => {
      const { id } = (await server.admin(`POST ${STRATEGIES}`, { name: 'default' })) as Stored
      const patch = [{ op: 'replace', path: '/constraints', value: [given] }]
      return ((await server.admin(`PATCH ${STRATEGIES}/${id}`, patch)) as Stored).constraints[0]
    },
  ],
  [
    'a segment',
    async (given) => {
      const body = { name: crypto.randomUUID(), constraints: [given] }
      return ((await server.admin('POST /api/admin/segments', body)) as Stored).constraints[0]
    },
  ],
]

describe.each(PLACES)('%s stores', (_place, store) => {
  test.each(FORMS)('%s %j as %j', async (operator, sent, stored) => {
    const contextName = operator.startsWith('DATE_') ? 'currentTime' : 'x'
    expect(await store(constraint(operator, sent, contextName))).toMatchObject(stored)
  })
})

describe('is refused with the name of the property:', () => {
  const rows = [
    [
      'a day that no month has',
      { name: 'default', constraints: [constraint('DATE_AFTER', { value: '2022-02-30' })] },
      'value',
    ],
    [
      'a pattern that SDKs in Rust cannot read',
      { name: 'default', constraints: [constraint('REGEX', { value: '^\\Qa.b\\E$' }, 'x')] },
      'value',
    ],
    [
      'a list of blanks',
      { name: 'default', constraints: [constraint('STR_CONTAINS', { values: [' '], inverted: true }, 'x')] },
      'values',
    ],
  ] as const
  test.each(rows)('%s', async (_name, body, property) => {
    const reply = await server.call({ as: 'admin', call: `POST ${STRATEGIES}`, body })
    expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining(`"${property}`.replace('"', '\\"'))])
  })

  test('a quoted backslash before Q is a pattern like any other', async () => {
    const body = { name: 'default', constraints: [constraint('REGEX', { value: '\\\\Q' }, 'x')] }
    expect((await server.call({ as: 'admin', call: `POST ${STRATEGIES}`, body })).statusCode).toBe(200)
  })
})

test.each([
  ['userWithId', 'userIds'],
  ['remoteAddress', 'IPs'],
  ['applicationHostname', 'hostNames'],
])('blanks in the list of %s are dropped', async (name, list) => {
  const body = { name, parameters: { [list]: ' 1 ,2,  3 4' } }
  expect(((await server.admin(`POST ${STRATEGIES}`, body)) as Stored).parameters[list]).toBe('1,2,3 4')
})

test('stored values keep their form while a strategy is edited otherwise', async () => {
  const body = { name: 'default', constraints: [constraint('IN', { values: ['a'] }, 'x')] }
  const { id } = (await server.admin(`POST ${STRATEGIES}`, body)) as Stored
  const old = [{ contextName: 'x', operator: 'IN', values: [' a '], inverted: false, caseInsensitive: false }]
  await server.db.rows('update feature_strategies set constraints = ? where id = ?', ...[JSON.stringify(old), id])
  const edited = (await server.admin(`PUT ${STRATEGIES}/${id}`, { ...body, constraints: old, title: 't' })) as Stored
  expect(edited.constraints).toEqual(old)
})

describe('unreadable payloads are refused', () => {
  const variants = (type: string, value: string) => [{ name: 'a', weight: 1000, payload: { type, value } }]
  const rollout = (type: string, value: string) => ({
    name: 'flexibleRollout',
    parameters: { rollout: '100' },
    variants: variants(type, value),
  })
  const calls = [
    ['variants of a flag', `PUT ${E}/variants`, variants],
    ['variants of all environments', `PUT ${P}/f/variants`, variants],
    ['a strategy', `POST ${STRATEGIES}`, rollout],
    ['a default strategy', 'POST /api/admin/projects/default/environments/production/default-strategy', rollout],
  ] as const
  const payloads = [
    ['json', '{no', 400],
    ['json', '', 400],
    ['json', '{"a":[1]}', 200],
    ['number', '12a', 400],
    ['number', '', 400],
    ['number', '7.0', 200],
    ['csv', 'a,"', 200],
    ['string', '{no', 200],
  ] as const
  test.each(calls.flatMap(([where, call, bodyOf]) => payloads.map((row) => [where, ...row, call, bodyOf] as const)))(
    '%s: %s %j → %i',
    async (_where, type, value, status, call, bodyOf) => {
      const reply = await server.call({ as: 'admin', call, body: bodyOf(type, value) })
      expect([reply.statusCode, reply.body]).toEqual([status, expect.anything()])
      if (status === 400)
        expect(reply.json()).toMatchObject({
          name: 'ValidationError',
          details: [{ path: expect.stringContaining('payload/value') }],
        })
    },
  )

  test('a stored one may stay while the weights change', async () => {
    await server.admin(`PUT ${E}/variants`, variants('string', 'x'))
    const stored = JSON.stringify([{ ...variants('json', '{no')[0], weightType: 'variable', stickiness: 'default' }])
    await server.db.rows(
      "update feature_environments set variants = ? where feature_name = 'f' and environment = 'development'",
      stored,
    )
    const more = [...variants('json', '{no'), { name: 'b', weight: 500 }]
    expect((await server.call({ as: 'admin', call: `PUT ${E}/variants`, body: more })).statusCode).toBe(200)
  })
})
