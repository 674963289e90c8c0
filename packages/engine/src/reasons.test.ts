import type { Context } from '@burgee/protocol/context'
import { describe, expect, test } from 'vitest'
import { compile } from './engine.ts'
import { REASONS } from './rules/reason.ts'

const flag = (more: object) => ({ name: 'f', enabled: true, strategies: [], ...more })
const by = (...strategies: object[]) => ({ strategies })
const rollout = (percent: number, more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(percent), stickiness: 'userId', groupId: 'f' },
  ...more,
})
const constrained = (value: string, more: object = {}) => ({
  name: 'default',
  constraints: [{ contextName: 'x', operator: 'IN', values: [value] }],
  ...more,
})
const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } })
const chance = { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'random' } }
const rarely = { name: 'flexibleRollout', parameters: { rollout: '1', stickiness: 'random' } }
const variants = [
  { name: 'a', weight: 500 },
  { name: 'b', weight: 500 },
]
const overridden = { name: 'a', weight: 1, overrides: [{ contextName: 'x', values: ['1'] }] }
const unweighted = { ...overridden, name: 'b', weight: 0 }
const parent = { name: 'p', ...by(users('7')), enabled: true }
const parents = { dependencies: [{ feature: 'p' }] }
const one = { userId: '7', properties: { x: '1' } }
const other = { userId: '8', properties: { x: '2' } }

describe.each([true, false])('caches: %s', (caches) => {
  test.each<[string, object, Context, string]>([
    ['without strategies', {}, one, 'STATIC'],
    ['for everyone', by({ name: 'default' }), one, 'STATIC'],
    ['at 100 %', by(rollout(100, { parameters: { rollout: '100', stickiness: 'default' } })), one, 'STATIC'],
    ['switched off', { enabled: false, ...by(rollout(50)) }, one, 'DISABLED'],
    ['whose strategies are not a list', { strategies: {} }, one, 'ERROR'],
    ['at 0 %', by(rollout(0)), one, 'SPLIT'],
    ['at 50 %, in', by(rollout(50)), { userId: '1' }, 'SPLIT'],
    ['at 50 %, out', by(rollout(50)), { userId: '2' }, 'SPLIT'],
    ['at 50 %, by chance', by(chance), one, 'SPLIT'],
    ['at 50 %, without an id', by(rollout(50)), {}, 'SPLIT'],
    ['at 100 % of those with a field, in', by(rollout(100)), one, 'TARGETING_MATCH'],
    ['at 100 % of those with a field, out', by(rollout(100)), {}, 'TARGETING_MATCH'],
    ['a constraint that holds', by(constrained('1')), one, 'TARGETING_MATCH'],
    ['a constraint that does not', by(constrained('1')), other, 'TARGETING_MATCH'],
    ['a constraint and a segment that hold', by(constrained('1', { segments: [1] })), one, 'TARGETING_MATCH'],
    ['a constraint and a segment that do not', by(constrained('1', { segments: [1] })), other, 'TARGETING_MATCH'],
    ['a segment that does not hold before a percentage', by(rollout(50, { segments: [1] })), other, 'TARGETING_MATCH'],
    ['a segment that holds before a percentage', by(rollout(50, { segments: [1] })), one, 'SPLIT'],
    ['a context strategy, in', by(users('7')), one, 'TARGETING_MATCH'],
    ['a context strategy, out', by(users('7')), other, 'TARGETING_MATCH'],
    [
      'a constraint that holds before a percentage',
      by(rollout(50, constrained('1', { name: 'flexibleRollout' }))),
      one,
      'SPLIT',
    ],
    [
      'a constraint that does not before a percentage',
      by(rollout(50, constrained('1', { name: 'flexibleRollout' }))),
      other,
      'TARGETING_MATCH',
    ],
    ['the second strategy holds', by(constrained('1'), users('8')), other, 'TARGETING_MATCH'],
    ['the second is for everyone', by(constrained('1'), { name: 'default' }), other, 'TARGETING_MATCH'],
    ['the second has a percentage', by(constrained('1'), rollout(1)), other, 'SPLIT'],
    ['the first has one and turns away, the second knows the user', by(rollout(0), users('7')), one, 'TARGETING_MATCH'],
    ['at 1 %, by chance, before a list of users', by(rarely, users('7')), one, 'SPLIT'],
    ['variants by weight', { variants }, one, 'SPLIT'],
    ['variants by weight of a strategy', by({ name: 'default', variants }), one, 'SPLIT'],
    ['variants by weight, out', { ...by(constrained('1')), variants }, other, 'TARGETING_MATCH'],
    ['one variant', { variants: variants.slice(1) }, one, 'STATIC'],
    ['one variant, which has an override', { variants: [overridden] }, one, 'STATIC'],
    [
      'one variant, which has an override, and a parent',
      { ...parents, variants: [overridden] },
      one,
      'TARGETING_MATCH',
    ],
    ['one variant by weight, another by override', { variants: [variants[0], unweighted] }, one, 'SPLIT'],
    ['a parent that lets', parents, one, 'TARGETING_MATCH'],
    ['a parent that does not', parents, other, 'TARGETING_MATCH'],
    ['a parent that does not, before a percentage', { ...parents, ...by(rollout(50)) }, other, 'TARGETING_MATCH'],
    ['a parent that lets, before a percentage', { ...parents, ...by(rollout(50)) }, one, 'SPLIT'],
    ['an unknown parent', { dependencies: [{ feature: 'nobody' }] }, one, 'TARGETING_MATCH'],
  ])('%s', (_name, more, context, reason) => {
    const segments = [{ id: 1, constraints: constrained('1').constraints }]
    const { engine } = compile({ features: [flag(more), parent], segments }, { caches })
    const index = engine.indexOf('f')
    const seen = [engine.decideAt(index, context)].map((outcome) => engine.getReason(index, outcome))
    seen.push(engine.getReason(index, engine.decideAll(context)[index] as number))
    expect(seen.map((number) => REASONS[number])).toEqual([reason, reason])
  })
})
