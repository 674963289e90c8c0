import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import { describe, expect, test } from 'vitest'
import { compile } from '../engine.ts'
import { murmur3, ROLLOUT_SEED } from './hash.ts'
import { toUtf8Text } from './utf8-text.ts'

/**
 * Case in which the profiles differ. Expected values come from the Node SDK and version 2.0 of the Yggdrasil engine.
 */
interface Case {
  readonly name: string
  readonly feature: Readonly<Record<string, unknown>>
  readonly parent?: Readonly<Record<string, unknown>>
  readonly context?: Readonly<Record<string, unknown>>
  readonly node: string
  readonly yggdrasil: string
}

const by = (name: string, parameters: object = {}, more: object = {}) => ({ name, parameters, ...more })
const where = (operator: string, operand: object) => ({ constraints: [{ contextName: 'x', operator, ...operand }] })
const value = (x: string) => ({ properties: { x } })
const blue = [{ name: 'blue', weight: 1 }]
const OFF = 'off'
const ON = 'on'

const CASES: readonly Case[] = [
  {
    name: 'an id beyond ASCII',
    feature: { strategies: [by('flexibleRollout', { rollout: '50', stickiness: 'userId', groupId: 'g' })] },
    context: { userId: 'jürgen-1' },
    node: OFF,
    yggdrasil: ON,
  },
  {
    name: 'a rollout without groupId',
    feature: { strategies: [by('flexibleRollout', { rollout: '50', stickiness: 'userId' })] },
    context: { userId: 'u3' },
    node: OFF,
    yggdrasil: ON,
  },
  {
    name: 'a percentage with a fraction',
    feature: { strategies: [by('flexibleRollout', { rollout: '99.5', stickiness: 'userId', groupId: 'g' })] },
    context: { userId: 'u4' },
    node: ON,
    yggdrasil: OFF,
  },
  {
    name: 'a segment that is missing from one strategy',
    feature: { strategies: [by('default', {}, { segments: [404] }), by('default')] },
    node: ON,
    yggdrasil: OFF,
  },
  {
    name: 'an unknown operator in one strategy',
    feature: { strategies: [by('default', {}, where('NOPE', { values: ['a'] })), by('default')] },
    node: ON,
    yggdrasil: OFF,
  },
  {
    name: 'a variant that the parent does not have, since it has none',
    feature: { strategies: [by('default')], dependencies: [{ feature: 'parent', variants: ['blue'] }] },
    parent: { strategies: [by('default')] },
    node: OFF,
    yggdrasil: ON,
  },
  {
    name: 'another variant of a parent that has to be off',
    feature: {
      strategies: [by('default')],
      dependencies: [{ feature: 'parent', enabled: false, variants: ['red'] }],
    },
    parent: { enabled: false, strategies: [by('default')], variants: blue },
    node: ON,
    yggdrasil: OFF,
  },
  {
    name: 'the variant of a parent that has to be off',
    feature: {
      strategies: [by('default')],
      dependencies: [{ feature: 'parent', enabled: false, variants: ['blue'] }],
    },
    parent: { enabled: false, strategies: [by('default')], variants: blue },
    node: ON,
    yggdrasil: ON,
  },
  {
    name: 'overrides in variants of a strategy',
    feature: {
      strategies: [
        by(
          'default',
          { groupId: 'g', stickiness: 'userId' },
          {
            variants: [
              { name: 'blue', weight: 1000 },
              { name: 'red', weight: 0, overrides: [{ contextName: 'userId', values: ['7'] }] },
            ],
          },
        ),
      ],
    },
    context: { userId: '7' },
    node: 'red',
    yggdrasil: 'blue',
  },
  {
    name: 'a value with a blank at its end',
    feature: { strategies: [by('default', {}, where('IN', { values: ['norway '] }))] },
    context: value('norway'),
    node: ON,
    yggdrasil: OFF,
  },
  {
    name: 'two numbers that are nearly equal',
    feature: { strategies: [by('default', {}, where('NUM_EQ', { value: '0.3' }))] },
    context: value('0.30000000000000004'),
    node: OFF,
    yggdrasil: ON,
  },
  {
    name: 'a date compared with a field',
    feature: { strategies: [by('default', {}, where('DATE_AFTER', { value: '2030-01-01T00:00:00Z' }))] },
    context: value('2031-01-01T00:00:00Z'),
    node: OFF,
    yggdrasil: ON,
  },
  {
    name: 'a user id with a blank at the end of the list',
    feature: { strategies: [by('userWithId', { userIds: '6, 7 ' })] },
    context: { userId: '7' },
    node: OFF,
    yggdrasil: ON,
  },
]

function decided(one: Case, profile: EvaluationProfile, caches: boolean): string {
  const features = [
    { name: 'f', enabled: true, ...one.feature },
    { name: 'parent', enabled: true, ...one.parent },
  ]
  const options = { profile, caches, clock: () => Date.UTC(2026, 0, 1), random: () => 0 }
  const { enabled, variant } = compile({ features }, options).engine.evaluate('f', { ...one.context })
  if (!enabled) return OFF
  return variant.enabled ? variant.name : ON
}

describe.each([true, false])('with caches: %s', (caches) => {
  test.each(CASES)('$name: node $node, yggdrasil $yggdrasil', (one) => {
    expect([decided(one, 'node', caches), decided(one, 'yggdrasil', caches)]).toEqual([one.node, one.yggdrasil])
  })
})

test.each([
  [undefined, { sessionId: 's' }, true],
  ['default', { sessionId: 's' }, true],
  ['random', {}, true],
  ['tenant', { userId: 'u' }, false],
  ['tenant', { properties: { tenant: 't' } }, true],
])('a rollout to 100 % by the stickiness %j includes %j: %s', (stickiness, context, expected) => {
  const strategies = [by('flexibleRollout', { rollout: '100', stickiness, groupId: 'g' })]
  const { engine } = compile({ features: [{ name: 'f', enabled: true, strategies }] }, { profile: 'yggdrasil' })
  expect(engine.evaluate('f', context).enabled).toBe(expected)
})

test('a flag that is off by a flaw is explained as off, with a warning', () => {
  const strategies = [by('default', {}, { segments: [404] }), by('default')]
  const document = { features: [{ name: 'f', enabled: true, strategies }] }
  const { engine, warnings } = compile(document, { profile: 'yggdrasil' })
  expect(engine.explain('f', {}).isEnabled).toBe(false)
  expect(warnings.map(({ message }) => message)).toContain('is off, because a part of it cannot be evaluated')
})

test.each([
  ['plain', 'plain'],
  ['é', '\xc3\xa9'],
  ['用', '\xe7\x94\xa8'],
  ['🙂', '\xf0\x9f\x99\x82'],
  ['\ud83d', '\xef\xbf\xbd'],
])('the UTF-8 bytes of %j', (text, bytes) => {
  expect(toUtf8Text(text)).toBe(bytes)
  expect(murmur3(toUtf8Text(text), ROLLOUT_SEED)).toBe(murmur3(bytes, ROLLOUT_SEED))
})
