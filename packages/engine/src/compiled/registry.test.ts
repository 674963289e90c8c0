import { describe, expect, test } from 'vitest'
import { compile } from '../engine.ts'
import { SPLIT, TARGETING } from '../rules/reason.ts'
import { CompiledEngine } from './compiled-engine.ts'

const x = { contextName: 'x', operator: 'STR_CONTAINS', values: ['a'] }
const number = { contextName: 'x', operator: 'NUM_EQ' }
const list = { contextName: 'x', operator: 'IN', values: ['a', 'b'] }
const regex = { contextName: 'x', operator: 'REGEX', value: '^a' }
const long = Array.from({ length: 100 }, (_, i) => `v${i}`)

/** Compiles two flags with one constraint each. */
function engineOf(one: object, other: object) {
  const features = [one, other].map((constraint, i) => ({
    name: `f${i}`,
    enabled: true,
    strategies: [{ name: 'default', constraints: [constraint] }],
  }))
  return compile({ features }, { clock: () => 0 }).engine
}

describe('conditions', () => {
  test.each([
    [x, { ...x, caseInsensitive: true }, 'A', [0, 1]],
    [x, { ...x, values: ['b'] }, 'a', [1, 0]],
    [x, { ...x, contextName: 'y' }, 'a', [1, 0]],
    [x, { ...x, operator: 'STR_ENDS_WITH' }, 'ab', [1, 0]],
    [x, { ...x, inverted: true }, 'a', [1, 0]],
    [{ ...number, value: null }, number, '0', [1, 0]],
    [number, { ...number, value: null }, '0', [0, 1]],
    [{ ...number, value: 5 }, { ...number, value: '5x' }, '5', [1, 0]],
    [{ ...number, value: '' }, number, '0', [1, 0]],
    [list, { ...list, contextName: 'y' }, 'a', [1, 0]],
    [list, { ...list, operator: 'NOT_IN' }, 'a', [1, 0]],
    [list, { ...list, operator: 'NOT_IN', inverted: true }, 'a', [1, 1]],
    [list, { ...list, values: ['a,b'] }, 'a', [1, 0]],
    [list, { ...list, values: long }, 'v99', [0, 1]],
    [regex, { ...regex, caseInsensitive: true }, 'A', [0, 1]],
    [regex, { ...regex, value: 5 }, 'a', [1, 0]],
  ])('%j and %j are not taken for each other', (one, other, value, expected) => {
    const [engine, turned] = [engineOf(one, other), engineOf(other, one)]
    const context = { properties: { x: value } }
    expect([...engine.decideAll(context)]).toEqual(expected)
    expect([...turned.decideAll(context)]).toEqual(expected.toReversed())
    expect([engine.decideAt(0, context), engine.decideAt(1, context)]).toEqual(expected)
  })

  // a pattern has a second result for its negation, and its search remembers the last text
  test.each([[x], [list], [{ ...number, value: '5' }]])('%j is evaluated once for all flags', (constraint) => {
    const engine = engineOf(constraint, { ...constraint, inverted: true })
    expect(engine).toBeInstanceOf(CompiledEngine)
    expect((engine as CompiledEngine).program.registry.tests).toHaveLength(1)
  })

  test.each([true, false])('a custom strategy that returns %s is called once per flag and request', (isEnabled) => {
    let asked = 0
    const own = { name: 'own', isEnabled: () => asked++ >= 0 && isEnabled }
    const rollout = { name: 'flexibleRollout', parameters: { rollout: '50', groupId: 'g' } }
    const strategies = [{ name: 'own', constraints: [list] }, rollout]
    const features = ['a', 'b'].map((name) => ({ name, enabled: true, strategies }))
    const { engine } = compile({ features }, { strategies: [own] })
    const on = engine.decideAll({ properties: { x: 'a' } })
    const reason = isEnabled ? TARGETING : SPLIT
    expect([0, 1].map((index) => engine.getReason(index, on[index] as number))).toEqual([reason, reason])
    engine.decideAll({ properties: { x: 'c' } })
    expect(asked).toBe(2)
  })
})
