import { parseSemver } from '@burgee/protocol/semver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const FEATURES = '/api/admin/projects/default/features'
const STRATEGIES = `${FEATURES}/f/environments/development/strategies`
const SEGMENTS = '/api/admin/segments'
const DEFAULT = '/api/admin/projects/default/environments/production/default-strategy'

beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${FEATURES}`, { name: 'f' })
})
afterAll(() => server.close())

type Row = readonly [operator: string, operand: string | readonly string[], isTaken: boolean]

/** Operands of constraints. An operand that is rejected would never match or, if inverted, always match. */
const OPERANDS: readonly Row[] = [
  ['SEMVER_EQ', '1.2.3', true],
  ['SEMVER_GT', '0.0.0', true],
  ['SEMVER_LT', '1.2.3-rc.1+build.007', true],
  ['SEMVER_GTE', '1.2.3--', true],
  ['SEMVER_LTE', '1.2.3-0a', true],
  ['SEMVER_EQ', '01.2.3', false],
  ['SEMVER_EQ', '1.02.3', false],
  ['SEMVER_EQ', '1.2.3-01', false],
  ['SEMVER_EQ', '1.2.3-', false],
  ['SEMVER_EQ', '1.2.3-a..b', false],
  ['SEMVER_EQ', '1.2.3+', false],
  ['SEMVER_EQ', '1.2.3+a..b', false],
  ['SEMVER_EQ', '9007199254740992.0.0', false],
  ['SEMVER_EQ', `1.2.3-${'a'.repeat(251)}`, false],
  ['SEMVER_EQ', '1.2', false],
  ['SEMVER_EQ', 'v1.2.3', false],
  ['SEMVER_EQ', ' 1.2.3', false],
  ['IN_CIDR', ['10.0.0.0/8', '2001:db8::/32', '::1'], true],
  ['IN_CIDR', ['010.0.0.0/8'], false],
  ['IN_CIDR', ['10.0.0.0/33'], false],
  ['IN_CIDR', ['::1::'], false],
  ['NUM_GT', '5.5', true],
  ['NUM_GT', '', false],
  ['NUM_GT', 'ten', false],
  ['DATE_AFTER', '2026-11-22T00:00:00Z', true],
  ['DATE_AFTER', '2026-13-22', false],
  ['DATE_AFTER', '5', false],
  ['REGEX', '^a+$', true],
  ['REGEX', '(', false],
]

const constraintOf = ([operator, operand]: Row) => ({
  contextName: 'x',
  operator,
  ...(typeof operand === 'string' ? { value: operand } : { values: operand }),
})

/** Endpoints that store a constraint, and the endpoint that only validates it. */
const PLACES = [
  ['a question', 'POST /api/admin/constraints/validate', (constraint: object) => constraint, []],
  [
    'a strategy',
    `POST ${STRATEGIES}`,
    (constraint: object) => ({ name: 'default', constraints: [constraint] }),
    ['feature-strategy-add'],
  ],
  [
    'a default strategy',
    `POST ${DEFAULT}`,
    (constraint: object) => ({ name: 'flexibleRollout', constraints: [constraint] }),
    ['default-strategy-updated'],
  ],
] as const

describe.each(PLACES)('operands in %s', (_name, call, bodyOf, events) => {
  scenarios(
    () => server,
    OPERANDS.map((row): Scenario => {
      const [operator, operand, isTaken] = row
      const property = typeof operand === 'string' ? 'value' : 'values'
      const shown = String(operand).slice(0, 40)
      const body = bodyOf(constraintOf(row))
      if (!isTaken) return { name: `${operator} ${shown}`, as, call, body, status: 400, text: `\\"${property}\\"` }
      return { name: `${operator} ${shown}`, as, call, body, status: call.includes('validate') ? 204 : 200, events }
    }),
  )
})

describe('operands in segments', () => {
  scenarios(
    () => server,
    OPERANDS.map((row, index): Scenario => {
      const [operator, operand, isTaken] = row
      const name = `${operator} ${String(operand).slice(0, 40)}`
      const body = { name: `s${index}`, constraints: [constraintOf(row)] }
      const call = `POST ${SEGMENTS}`
      return isTaken
        ? { name, as, call, body, status: 201, events: ['segment-created'] }
        : { name, as, call, body, status: 400, text: '\\"value' }
    }),
  )
})

test('stores a version only if the evaluation can parse it', () => {
  const versions = OPERANDS.filter(([operator]) => operator.startsWith('SEMVER'))
  expect(versions.map(([, operand]) => parseSemver(String(operand)) !== undefined)).toEqual(
    versions.map(([, , isTaken]) => isTaken),
  )
})

const PERCENTS: readonly (readonly [percent: string, isTaken: boolean])[] = [
  ['0', true],
  ['7', true],
  ['33', true],
  ['100', true],
  ['33.3', false],
  ['50.0', false],
  ['0x10', false],
  ['1e1', false],
  ['050', false],
  [' 50', false],
  ['-1', false],
  ['101', false],
  ['', false],
  ['NaN', false],
]

/** Built-in strategies for a percentage of users, and the parameter with the percentage. */
const SHARES = [
  ['flexibleRollout', 'rollout'],
  ['gradualRolloutUserId', 'percentage'],
  ['gradualRolloutSessionId', 'percentage'],
  ['gradualRolloutRandom', 'percentage'],
] as const

describe.each(SHARES)('%s: %s is a whole number of percent', (name, parameter) => {
  scenarios(
    () => server,
    PERCENTS.map(([percent, isTaken]): Scenario => {
      const row = { as, call: `POST ${STRATEGIES}`, body: { name, parameters: { [parameter]: percent } } }
      return isTaken
        ? {
            ...row,
            name: `"${percent}"`,
            status: 200,
            has: { parameters: { [parameter]: percent } },
            events: ['feature-strategy-add'],
          }
        : { ...row, name: `"${percent}"`, status: 400, text: parameter }
    }),
  )
})

describe('weights of variants are whole numbers', () => {
  const of = (weight: unknown) => ({ name: 'default', variants: [{ name: 'a', weight, weightType: 'variable' }] })
  scenarios(
    () => server,
    [
      { name: 'a fraction', as, call: `POST ${STRATEGIES}`, body: of(33.3), status: 400, text: 'weight' },
      { name: 'a fraction as text', as, call: `POST ${STRATEGIES}`, body: of('33.3'), status: 400, text: 'weight' },
      { name: 'no number', as, call: `POST ${STRATEGIES}`, body: of('ten'), status: 400, text: 'weight' },
      {
        name: 'a whole number',
        as,
        call: `POST ${STRATEGIES}`,
        body: of(1000),
        status: 200,
        events: ['feature-strategy-add'],
      },
    ],
  )
})
