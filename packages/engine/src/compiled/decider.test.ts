import type { Context } from '@burgee/protocol/context'
import { describe, expect, test } from 'vitest'
import { type CompileOptions, compile, type Engine, type FeatureDocument } from '../engine.ts'
import { CompiledEngine } from './compiled-engine.ts'
import { Decider, LAST_EPOCH } from './decider.ts'
import { CONDITION_SIZE } from './rows.ts'

const strategies = [
  { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'default', groupId: 'g' } },
  {
    name: 'default',
    constraints: [{ contextName: 'country', operator: 'IN', values: ['no', 'se'] }],
    segments: [1],
    variants: [
      { name: 'a', weight: 1 },
      { name: 'b', weight: 2 },
    ],
  },
  { name: 'userWithId', parameters: { userIds: 'u1,u3' } },
]
const variantLists = [
  [{ name: 'only', weight: 1 }],
  [{ name: 'none', weight: 0 }],
  ['red', 'blue', 'green'].map((name, i) => ({ name, weight: i + 1, stickiness: 'sessionId' })),
  [
    { name: 'other', weight: 1 },
    { name: 'mine', weight: 1, overrides: [{ contextName: 'country', values: ['no'] }] },
  ],
]
const shapes = [
  ...strategies.map((strategy, i) => ({ name: `f${i}`, enabled: true, strategies: [strategy] })),
  ...variantLists.flatMap((variants, i) => [
    { name: `rollout with variants ${i}`, enabled: true, strategies: [strategies[0]], variants },
    { name: `list with variants ${i}`, enabled: true, strategies: [strategies[2]], variants },
    { name: `always with variants ${i}`, enabled: true, strategies: [], variants },
  ]),
]
const document: FeatureDocument = {
  features: [
    ...shapes,
    { name: 'all', enabled: true, strategies },
    { name: 'child', enabled: true, strategies: [strategies[0]], dependencies: [{ feature: 'f1', variants: ['b'] }] },
  ],
  segments: [
    {
      id: 1,
      constraints: [
        { contextName: 'age', operator: 'NUM_GTE', value: '18' },
        { contextName: 'country', operator: 'NOT_IN', values: ['se'] },
        { operator: 'DATE_AFTER', contextName: 'currentTime', value: '2022-01-01' },
      ],
    },
  ],
}
const contexts: Context[] = Array.from({ length: 24 }, (_, i) => ({
  ...(i % 5 !== 0 && { userId: `u${i}` }),
  ...(i % 3 === 0 && { sessionId: `s${i}` }),
  currentTime: i % 7 === 0 ? '2021-01-01' : '2023-01-01',
  properties: { age: String(10 + i), country: ['no', 'se', 'dk'][i % 3] },
}))

function programOf(engine: Engine) {
  if (!(engine instanceof CompiledEngine)) throw new TypeError('not compiled')
  return engine.program
}

test('decides flags of common shapes in rows, without walking their code', () => {
  const features = shapes.filter(({ name }) => /^f[02]$| 2$/.test(name))
  const constraints = ['IN', 'STR_CONTAINS'].map((operator) => ({ contextName: 'x', operator, values: ['a'] }))
  const conditional = constraints.map((constraint, i) => ({
    name: `c${i}`,
    enabled: true,
    strategies: [{ name: 'default', constraints: [constraint] }],
  }))
  const { others, rows, names } = programOf(compile({ features: [...features, ...conditional] }).engine)
  expect({ others: others.length, flags: names.length }).toEqual({ others: 0, flags: 7 })
  const { listed, tested, rollouts } = rows
  expect([listed.length / CONDITION_SIZE, tested.length / CONDITION_SIZE, rollouts[1]]).toEqual([1, 3, 2])
})

test('decides any number of flags in rows', () => {
  const constraints = [{ contextName: 'x', operator: 'IN', values: ['a'] }]
  const strategies = [{ name: 'default', constraints }]
  const features = Array.from({ length: 100 }, (_, i) => ({ name: `f${i}`, enabled: true, strategies }))
  const { engine } = compile({ features })
  expect([...engine.decideAll({ x: 'a' })]).toEqual(features.map(() => 1))
})

describe('memory', () => {
  const world = { clock: () => 0, random: () => 0.7 }
  const plain = compile(document, { ...world, caches: false }).engine

  test.each([
    [0, 2],
    [0, 4],
    [0, 6],
    [0, 10],
    [0, 16],
    [0, LAST_EPOCH],
    [LAST_EPOCH - 4, LAST_EPOCH],
    [2 ** 31 - 4, 2 ** 31 - 2],
  ])('gets invalidated by each request, also when epochs begin with %i and restart after %i', (first, last) => {
    const decider = new Decider(programOf(compile(document, world).engine), world, { first, last })
    for (const [i, context] of [...contexts, ...contexts.toReversed(), ...contexts].entries()) {
      const expected = [...plain.decideAll(context)]
      if (i % 3 === 0) expect([...decider.decideAll(context)]).toEqual(expected)
      decider.begin(context)
      expect(expected.map((_, index) => decider.getOutcome(index))).toEqual(expected)
    }
  })

  test('returns the same buffer for every call', () => {
    const { engine } = compile(document, world)
    const [first = {}, second = {}] = contexts
    expect(engine.decideAll(first)).toBe(engine.decideAll(second))
    expect(engine.decideSome([0, 1], first)).toBe(engine.decideSome([1], second))
  })
})

describe('a custom strategy that asks the engine again', () => {
  test('disturbs nothing', () => {
    const asks: Engine[] = []
    let isNested = false
    const options: CompileOptions = {
      strategies: [
        {
          name: 'nested',
          isEnabled: () => {
            if (isNested) return true
            isNested = true
            for (const engine of asks) {
              engine.decideAll({ userId: 'other', properties: { country: 'no', age: '50' } })
              engine.getCacheKey({ userId: 'another' })
              engine.evaluate('f0', {})
            }
            isNested = false
            return true
          },
        },
      ],
      random: () => 0.7,
    }
    const nested = { name: 'nested', enabled: true, strategies: [{ name: 'nested' }] }
    const { features, segments } = document
    const withNested = { features: features.flatMap((feature, i) => [{ ...nested, name: `n${i}` }, feature]), segments }
    const { engine } = compile(withNested, options)
    const plain = compile(withNested, { ...options, caches: false }).engine
    asks.push(engine)
    for (const context of contexts) expect([...engine.decideAll(context)]).toEqual([...plain.decideAll(context)])
  })
})

describe('random stickiness', () => {
  const variants = [1, 1].map((weight, i) => ({ name: `v${i}`, weight }))
  const rollout = (name: string, more: object) => ({
    name,
    enabled: true,
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'random' } }],
    ...more,
  })

  test('rolls once per flag and request, also for a parent and for a flag that is listed twice', () => {
    const rolls: number[] = []
    const random = () => {
      rolls.push(1)
      return rolls.length % 2 === 0 ? 0.9 : 0.1
    }
    const children = [1, 2, 3].map((i) => rollout(`c${i}`, { strategies: [], dependencies: [{ feature: 'p' }] }))
    const { engine } = compile({ features: [...children, rollout('p', {})] }, { random })
    for (let i = 0; i < 4; i++) {
      expect(new Set(engine.decideAll({})).size).toBe(1)
      expect(new Set([...engine.decideSome([0, 3, 3, 1, 2, 0], {})].slice(0, 6)).size).toBe(1)
    }
    expect(rolls).toHaveLength(8)
  })

  test('rolls nothing if all outcomes are equal', () => {
    const random = () => expect.unreachable()
    const all = { rollout: '100', stickiness: 'random' }
    const one = [{ name: 'only', weight: 1000 }]
    const features = [rollout('f', { strategies: [{ name: 'flexibleRollout', parameters: all }], variants: one })]
    const { engine } = compile({ features }, { random })
    expect([engine.evaluate('f', {}).variant.name, engine.getCacheKey({})]).toEqual(['only', ''])
  })

  test('gives variants their share where there is no id', () => {
    const { engine } = compile({ features: [rollout('f', { strategies: [], variants })] })
    let first = 0
    for (let i = 0; i < 20_000; i++) if (engine.decideAll({})[0] === 2) first++
    expect(Math.abs(first / 20_000 - 0.5)).toBeLessThan(0.02)
  })
})
