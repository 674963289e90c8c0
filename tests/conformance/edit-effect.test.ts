import { compile } from '@burgee/engine'
import type { Context } from '@burgee/protocol/context'
import type { Constraint } from '@burgee/protocol/feature'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calculateEffect, type FlagSide, type StrategyRule } from '../../packages/admin-ui/src/impact/edit-effect.ts'
import { casesOf } from '../support/cases.ts'

/**
 * Compares the predicted effect of an edit, which is independent of users, with the engine's decisions for random
 * users. If the prediction excludes losses, no user may lose a flag. If it excludes gains, no user may gain one.
 */
const RUNS = casesOf('edits of flags', { some: 4000, full: 10_000, long: 40_000 }, process.env.BURGEE_FUZZ_RUNS)
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 20260102)

const SEGMENTS = [1, 2].map((id) => ({
  id,
  name: `${id}`,
  constraints: [{ contextName: 'plan', operator: 'IN', values: id === 1 ? ['pro'] : ['pro', 'free'] }],
}))

const values = fc.subarray(['1', '2', 'pro', 'free', '10.0.0.0/8', ' DE '])
const inverted = fc.boolean()
const constraint: fc.Arbitrary<Constraint> = fc.oneof(
  fc.record({
    contextName: fc.constantFrom('userId', 'plan', 'country'),
    operator: fc.constantFrom('IN', 'NOT_IN', 'STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH'),
    values,
    inverted,
    caseInsensitive: inverted,
  }),
  fc.record({ contextName: fc.constant('remoteAddress'), operator: fc.constant('IN_CIDR'), values, inverted }),
  fc.record({
    contextName: fc.constantFrom('age', 'userId'),
    operator: fc.constantFrom('NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'),
    value: fc.constantFrom('10', '20', '30', 'x'),
    inverted,
  }),
  fc.record({
    contextName: fc.constant('currentTime'),
    operator: fc.constantFrom('DATE_AFTER', 'DATE_BEFORE'),
    value: fc.constantFrom('2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z', '2026-12-01T00:00:00Z'),
    inverted,
  }),
  fc.record({
    contextName: fc.constant('version'),
    operator: fc.constantFrom('SEMVER_GT', 'SEMVER_LT'),
    value: fc.constantFrom('1.0.0', '2.0.0'),
  }),
)

const percent = fc.constantFrom('0', '1', '25', '50', '99', '100')
const groupId = fc.constantFrom('g', 'h')
const draw = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ name: 'default', parameters: {} }) },
  {
    weight: 8,
    arbitrary: fc.record({
      name: fc.constant('flexibleRollout'),
      parameters: fc.record({
        rollout: percent,
        stickiness: fc.constantFrom('default', 'default', 'userId', 'sessionId', 'plan', 'random', ''),
        groupId,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constantFrom('gradualRolloutUserId', 'gradualRolloutSessionId', 'gradualRolloutRandom'),
      parameters: fc.record({ percentage: percent, groupId }),
    }),
  },
  {
    weight: 2,
    arbitrary: values.map((list) => ({ name: 'userWithId', parameters: { userIds: list.join(', ') } })),
  },
  { weight: 1, arbitrary: values.map((list) => ({ name: 'remoteAddress', parameters: { IPs: list.join(',') } })) },
  { weight: 1, arbitrary: fc.constant({ name: 'somebodys-own', parameters: {} }) },
)
const strategy = fc.record({
  draw,
  constraints: fc.array(constraint, { maxLength: 2 }),
  segments: fc.subarray([1, 2]),
  disabled: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})
type Parts = typeof strategy extends fc.Arbitrary<infer T> ? T : never

const rulingOf = ({ draw: own, ...parts }: Parts, id: string): StrategyRule => {
  const parameters: Readonly<Record<string, string>> = own.parameters
  return { id, name: own.name, parameters: { ...parameters }, ...parts }
}

/** Edit to a strategy, which replaces parts of it with parts of another strategy. */
const edit = fc.record({
  at: fc.nat({ max: 2 }),
  kind: fc.constantFrom(
    'draw',
    'percent',
    'percent',
    'constraints',
    'add',
    'drop',
    'widen',
    'segments',
    'disabled',
    'new',
    'out',
    'all',
  ),
  to: strategy,
})
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

function edited(strategies: readonly StrategyRule[], { at, kind, to }: Edit): readonly StrategyRule[] {
  const before = strategies[at % Math.max(1, strategies.length)]
  if (before === undefined || kind === 'new') return [...strategies, rulingOf(to, 'new')]
  if (kind === 'out') return strategies.filter((one) => one !== before)
  const next = rulingOf(to, before.id ?? '')
  const { constraints } = before
  const parts: Readonly<Record<string, Partial<StrategyRule>>> = {
    draw: { name: next.name, parameters: next.parameters },
    percent: before.name === next.name ? { parameters: { ...before.parameters, ...percentOf(next) } } : {},
    constraints: { constraints: next.constraints },
    add: { constraints: [...constraints, ...next.constraints.slice(0, 1)] },
    drop: { constraints: constraints.slice(1) },
    widen: {
      constraints: constraints.map((one, index) =>
        index > 0
          ? one
          : { ...one, ...(one.values && { values: [...one.values, 'free'] }), ...(one.value && { value: '20' }) },
      ),
    },
    segments: { segments: next.segments },
    disabled: { disabled: !before.disabled },
    all: next,
  }
  return strategies.map((one) => (one === before ? { ...one, ...parts[kind] } : one))
}

function percentOf({ parameters }: StrategyRule): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => name === 'rollout' || name === 'percentage'))
}

const PEOPLE: readonly Context[] = Array.from({ length: 60 }, (_none, n) => ({
  ...(n % 7 === 0 ? {} : { userId: `${n}` }),
  ...(n % 5 === 0 ? {} : { sessionId: `s${n}` }),
  ...(n % 3 === 0 ? {} : { remoteAddress: n % 2 === 0 ? '10.0.0.7' : '1' }),
  currentTime: n % 2 === 0 ? '2026-03-01T00:00:00Z' : '2026-09-01T00:00:00Z',
  properties: {
    ...(n % 4 === 0 ? {} : { plan: n % 2 === 0 ? 'pro' : 'free' }),
    age: `${n}`,
    country: n % 2 === 0 ? 'DE' : 'AT',
    version: n % 3 === 0 ? '1.5.0' : '3.0.0',
  },
}))

/** Returns which users have the flag. The same user always gets the same random value. */
function inOf({ isOn, strategies }: FlagSide, people: readonly Context[] = PEOPLE): boolean[] {
  let chance = 0
  const running = strategies.filter(({ disabled }) => !disabled)
  const enabled = isOn && (strategies.length === 0 || running.length > 0)
  const feature = { name: 'flag', enabled, strategies: running }
  const { engine } = compile({ features: [feature], segments: SEGMENTS }, { random: () => chance, caches: false })
  return people.map((context, index) => {
    chance = (index * 0.37) % 1
    return engine.decideAt(0, context) > 0
  })
}

describe('the predicted effect of an edit', () => {
  const said: Record<string, number> = {}

  test('holds for every user', { timeout: 120_000 }, () => {
    const flag = fc.record({
      isOn: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
      isOnAfter: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
      strategies: fc.array(strategy, { maxLength: 3 }),
      edits: fc.array(edit, { minLength: 1, maxLength: 2 }),
    })
    const holds = ({ isOn, isOnAfter, strategies, edits }: typeof flag extends fc.Arbitrary<infer T> ? T : never) => {
      const old = strategies.map((one, index) => rulingOf(one, `${index}`))
      const before = { isOn, strategies: old }
      const after = { isOn: isOnAfter, strategies: edits.reduce<readonly StrategyRule[]>(edited, old) }
      const effect = calculateEffect(before, after)
      const [was, is] = [inOf(before), inOf(after)]
      const came = is.filter((now, index) => now && !was[index]).length
      const left = was.filter((then, index) => then && !is[index]).length
      said[effect.kind] = (said[effect.kind] ?? 0) + 1
      const claims = {
        off: [0, 0],
        nothing: [0, 0],
        comes: [came, 0],
        leaves: [0, left],
        anew: [came, left],
        mixed: [came, left],
      }
      expect([came, left], effect.kind).toEqual(claims[effect.kind])
      if (effect.end !== undefined) expect(new Set(is)).toEqual(new Set([effect.end === 'everybody']))
    }
    fc.assert(fc.property(flag, holds), { seed: SEED, numRuns: RUNS })
  })

  test('covers every kind, and is seldom unknown', () => {
    const share = (kind: string) => (said[kind] ?? 0) / RUNS
    for (const kind of ['nothing', 'comes', 'leaves']) expect(share(kind), kind).toBeGreaterThan(0.1)
    for (const kind of ['off', 'anew']) expect(share(kind), kind).toBeGreaterThan(0.005)
    expect(share('mixed')).toBeLessThan(0.3)
  })

  const side = (rollout: number, more: Partial<StrategyRule> = {}, groupId = 'g'): FlagSide => ({
    isOn: true,
    strategies: [
      {
        id: '1',
        name: 'flexibleRollout',
        constraints: [],
        segments: [],
        disabled: false,
        parameters: { rollout: `${rollout}`, stickiness: 'default', groupId },
        ...more,
      },
    ],
  })
  const other: StrategyRule = {
    id: '2',
    name: 'userWithId',
    parameters: { userIds: '1' },
    constraints: [],
    segments: [],
    disabled: false,
  }
  const pros: Constraint[] = [{ contextName: 'plan', operator: 'IN', values: ['pro'] }]

  test.each([
    ['more', side(25), side(50), { kind: 'comes', share: { from: 25, to: 50, isOfSome: false } }],
    ['fewer', side(50), side(20), { kind: 'leaves', share: { from: 50, to: 20, isOfSome: false } }],
    ['all', side(50), side(100), { kind: 'comes', end: 'everybody', share: { from: 50, to: 100, isOfSome: false } }],
    ['none', side(50), side(0), { kind: 'leaves', end: 'nobody', share: { from: 50, to: 0, isOfSome: false } }],
    ['the same', side(50), side(50), { kind: 'nothing' }],
    ['another group', side(50), side(50, {}, 'h'), { kind: 'anew' }],
    [
      'another group of more',
      side(50),
      side(60, {}, 'h'),
      { kind: 'anew', share: { from: 50, to: 60, isOfSome: false } },
    ],
    ['another group of all', side(100), side(100, {}, 'h'), { kind: 'nothing', end: 'everybody' }],
    [
      'more of some',
      side(5, { constraints: pros }),
      side(9, { constraints: pros }),
      { kind: 'comes', share: { from: 5, to: 9, isOfSome: true } },
    ],
    ['a constraint', side(50), side(50, { constraints: pros }), { kind: 'leaves' }],
    ['a constraint less, and fewer', side(50, { constraints: pros }), side(40), { kind: 'mixed' }],
    ['a segment less', side(50, { segments: [1] }), side(50), { kind: 'comes' }],
    ['a way in', side(50), { ...side(50), strategies: [...side(50).strategies, other] }, { kind: 'comes' }],
    ['a way in less', { ...side(50), strategies: [...side(50).strategies, other] }, side(50), { kind: 'leaves' }],
    ['the first strategy', { isOn: true, strategies: [] }, side(50), { kind: 'leaves' }],
    ['turned on', { ...side(50), isOn: false }, side(50), { kind: 'comes' }],
    ['off all the time', { ...side(50), isOn: false }, { ...side(9), isOn: false }, { kind: 'off' }],
  ] as const)('%s', (_what, before, after, wanted) => {
    expect(calculateEffect(before, after)).toEqual(wanted)
  })

  test.each([
    [25, 50],
    [50, 100],
    [99, 1],
  ])('matches the share of users from %i to %i percent', (from, to) => {
    const people = Array.from({ length: 20_000 }, (_none, n) => ({ userId: `person-${n}` }))
    const [was, is] = [inOf(side(from), people), inOf(side(to), people)]
    const changed = was.filter((then, index) => then !== is[index]).length / people.length
    expect(Math.abs(changed - Math.abs(to - from) / 100)).toBeLessThan(0.015)
  })
})
