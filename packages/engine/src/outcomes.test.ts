import { describe, expect, test } from 'vitest'
import { compile } from './engine.ts'

const variants = [
  { name: 'a', weight: 1 },
  { weight: 1 },
  { name: 'b', weight: 0, payload: { type: 'string', value: 'x' } },
]
const strategies = [
  { name: 'userWithId', parameters: { userIds: 'u' } },
  { name: 'userWithId', parameters: { userIds: 'v' }, variants: [{ name: 's', weight: 1 }] },
  null,
]
const flag = { name: 'f', enabled: true, strategies, variants, impressionData: true }
const other = { name: 'g', enabled: true, strategies: [{ name: 'default' }] }
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

describe('outcomes', () => {
  const { engine } = compile({ features: [flag, other] })

  test('off, on, variants of strategies, variants of the flag; without nameless ones', () => {
    const outcomes = engine.getOutcomes(engine.indexOf('f'))
    expect(outcomes.map(({ enabled, variant, variantSource }) => [enabled, variant.name, variantSource])).toEqual([
      [false, 'disabled', undefined],
      [true, 'disabled', undefined],
      [true, 's', 'strategy'],
      [true, 'a', 'feature'],
      [true, 'b', 'feature'],
    ])
    expect(outcomes[4]?.variant.payload).toEqual({ type: 'string', value: 'x' })
    expect(Object.isFrozen(outcomes) && outcomes.every(Object.isFrozen)).toBe(true)
    expect(engine.getOutcomes(engine.indexOf('g'))).toHaveLength(2)
    expect([engine.getOutcomes(-1), engine.getOutcomes(2)]).toEqual([[], []])
  })

  test.each([
    ['u', 3],
    ['v', 2],
    ['w', 0],
  ])('user %s has outcome %i by every method', (userId, outcome) => {
    const [f, g] = [engine.indexOf('f'), engine.indexOf('g')]
    expect(engine.decideAt(f, { userId })).toBe(outcome)
    expect([...engine.decideAll({ userId })]).toEqual([outcome, 1])
    expect([...engine.decideSome([g, -1, f, 9, f], { userId })].slice(0, 5)).toEqual([1, 0, outcome, 0, outcome])
    expect(engine.evaluate('f', { userId })).toBe(engine.getOutcomes(f)[outcome])
    expect(engine.evaluateAll({ userId })[f]).toBe(engine.getOutcomes(f)[outcome])
  })

  test('a variant without a name is none, in every way to ask', () => {
    const nameless = { ...flag, strategies: [{ name: 'default' }], variants: [{ weight: 1 }, { name: 'a', weight: 1 }] }
    const { engine } = compile({ features: [nameless] })
    const users = Array.from({ length: 20 }, (_, i) => ({ userId: `u${i}` }))
    const outcomes = users.map((context) => engine.decideAll(context)[0])
    expect(new Set(outcomes)).toEqual(new Set([1, 2]))
    expect(users.map((context) => engine.decideAt(0, context))).toEqual(outcomes)
  })

  test.each(['absent', '', 'constructor', '__proto__'])('%j has no number', (name) => {
    expect(engine.indexOf(name)).toBe(-1)
    const plain = compile({ features: [flag] }, { caches: false }).engine
    for (const one of [engine, plain]) expect([one.decideAt(-1, {}), one.decideAt(9, {})]).toEqual([0, 0])
  })
})

describe('outcomes over compilations', () => {
  const before = compile({ features: [flag, other] }).engine

  test('stay the same for the same definition, wherever the flag stands', () => {
    const features = [{ name: 'new', enabled: true, strategies: [] }, copyOf(other), copyOf(flag)]
    const after = compile({ features, segments: [{ id: 1, constraints: [] }] }, {}, before).engine
    for (const name of ['f', 'g']) {
      expect(after.getOutcomes(after.indexOf(name))).toBe(before.getOutcomes(before.indexOf(name)))
    }
  })

  test('change with the definition of the flag', () => {
    const changed = { ...copyOf(flag), impressionData: false }
    const after = compile({ features: [changed, copyOf(other)] }, {}, before).engine
    expect(after.getOutcomes(0)).not.toBe(before.getOutcomes(0))
    expect(after.evaluate('f', { userId: 'u' }).impressionData).toBe(false)
    expect(before.evaluate('f', { userId: 'u' }).impressionData).toBe(true)
    expect(after.getOutcomes(1)).toBe(before.getOutcomes(1))
  })

  test('a flag with more variants than numbers is off and named', () => {
    const many = Array.from({ length: 2 ** 16 }, (_, i) => ({ name: `v${i}`, weight: 1 }))
    const { engine, warnings } = compile({ features: [{ ...flag, variants: many }, other] })
    expect([...engine.decideAll({ userId: 'u' })]).toEqual([0, 1])
    expect(warnings.map(({ feature }) => feature)).toContain('f')
  })
})
