import type { Context } from '@burgee/protocol/context'
import { describe, expect, test } from 'vitest'
import { compile } from '../engine.ts'

const users = Array.from({ length: 20 }, (_, i) => `u${i}`)
const weigh = (...weights: unknown[]) => weights.map((weight, i) => ({ name: 'abcd'[i], weight }))

/** Name of the variant of flag `f` with the given variants and strategy variants. */
function variantOf(variants: unknown, context: Context, strategyVariants?: unknown, parameters: object = {}) {
  const strategies = [{ name: 'default', parameters, variants: strategyVariants }]
  const { engine } = compile({ features: [{ name: 'f', enabled: true, strategies, variants }] }, { random: () => 0 })
  return engine.evaluate('f', context).variant.name
}

describe('weights', () => {
  test('a:1 b:1 c:2 for u0…u19', () => {
    const names = users.map((userId) => variantOf(weigh(1, 1, 2), { userId }))
    expect(names.join('')).toBe('accaaabacccaaabcabcc')
  })

  test.each([
    ['no weight at all', weigh(0, 0), 'disabled'],
    ['a negative sum', weigh(-1), 'disabled'],
    ['one with weight', weigh(0, 5, 0), 'b'],
    ['a fraction below every bucket', weigh(0.5), 'disabled'],
    ['a list that is none', 'ab', 'disabled'],
    ['an empty list', [], 'disabled'],
    ['entries that are none', [null], 'disabled'],
    ['a variant without a name', [{ weight: 1 }], 'disabled'],
  ])('%s', (_, variants, expected) => {
    expect(variantOf(variants, { userId: 'u0' })).toBe(expected)
  })
})

describe('overrides', () => {
  const override = (...values: unknown[]) => ({ overrides: [{ contextName: 'x', values }] })
  const [a, b, c] = weigh(1, 0, 1)
  test.each([
    ['the first one wins', [a, { ...b, ...override('1') }, { ...c, ...override('1') }], '1', 'b'],
    [
      'is not trimmed',
      [
        { ...a, weight: 1 },
        { ...b, ...override(' 1 ') },
      ],
      '1',
      'a',
    ],
    ['a number is no text', [a, { ...b, ...override(1) }], '1', 'a'],
    ['a number in the context is text', [a, { ...b, ...override('1') }], 1, 'b'],
    ['nothing without any weight', [{ ...b, ...override('1') }], '1', 'disabled'],
    ['without values', [a, { ...b, overrides: [{ contextName: 'x' }, null, 5] }], '1', 'a'],
    ['that are not a list', [a, { ...b, overrides: 'x' }], '1', 'a'],
  ])('%s', (_, variants, x, expected) => {
    expect(variantOf(variants, { userId: 'u4', properties: { x } })).toBe(expected)
    expect(variantOf([], { userId: 'u4', properties: { x } }, variants, { groupId: 'f' })).toBe(expected)
  })
})

describe('stickiness', () => {
  const stick = (stickiness: unknown) =>
    weigh(1, 1, 2).map((variant, i) => (i === 0 ? { ...variant, stickiness } : variant))
  // f:u0 → a, f:u1 → c, f:u6 → b; the first variant without an id, because chance is 0 in this test
  test.each([
    ['default: userId', 'default', { userId: 'u1', sessionId: 'u6' }, 'c'],
    ['default: sessionId', undefined, { userId: '', sessionId: 'u6' }, 'b'],
    ['default: remoteAddress', null, { remoteAddress: 'u6' }, 'b'],
    ['default skips a numeric userId', 'default', { userId: 5, sessionId: 'u6' }, 'b'],
    ['a field', 'tenant', { userId: 'u1', properties: { tenant: 'u6' } }, 'b'],
    ['a missing field is chance', 'tenant', { userId: 'u1' }, 'a'],
    ['random is a field like any other', 'random', { userId: 'u1', properties: { random: 'u6' } }, 'b'],
    ['random without it is chance', 'random', { userId: 'u1' }, 'a'],
    ['an empty name is a field', '', { userId: 'u1', properties: { '': 'u6' } }, 'b'],
  ])('%s', (_, stickiness, context, expected) => {
    expect(variantOf(stick(stickiness), context as Context)).toBe(expected)
  })

  test.each([
    ['as in its first variant', stick('tenant'), { stickiness: 'userId', groupId: 'f' }, 'b'],
    ['else as in the strategy', stick(''), { stickiness: 'userId', groupId: 'f' }, 'c'],
    ['else as in the strategy, a property', stick(undefined), { stickiness: 'tenant', groupId: 'f' }, 'b'],
    ['else by default', stick(undefined), { groupId: 'f' }, 'c'],
  ])('applies to a strategy: %s', (_, variants, parameters, expected) => {
    const context = { userId: 'u1', properties: { tenant: 'u6' } }
    expect(variantOf([], context, variants, parameters)).toBe(expected)
  })

  test('a strategy without a group hashes the text "undefined"', () => {
    const named = users.map((userId) => variantOf([], { userId }, weigh(1, 1, 2), { groupId: 'undefined' }))
    expect(users.map((userId) => variantOf([], { userId }, weigh(1, 1, 2)))).toEqual(named)
    expect(new Set(named).size).toBe(3)
  })
})

describe('precedence', () => {
  const own = [{ name: 'own', weight: 1 }]
  const flag = [{ name: 'flag', weight: 1, payload: { type: 'string', value: 'p' } }]
  const evaluate = (strategyVariants: unknown, variants: unknown, enabled = true) => {
    const strategies = [{ name: 'default', variants: strategyVariants }]
    const { variant, variantSource } = compile({
      features: [{ name: 'f', enabled, strategies, variants }],
    }).engine.evaluate('f', {})
    return { variant, variantSource }
  }
  const disabled = { variant: { name: 'disabled', enabled: false }, variantSource: undefined }
  const flagged = {
    variant: { name: 'flag', enabled: true, payload: { type: 'string', value: 'p' } },
    variantSource: 'feature',
  }

  test.each([
    ['the strategy first', own, flag, { variant: { name: 'own', enabled: true }, variantSource: 'strategy' }],
    ['the flag when the strategy yields none', weigh(0), flag, flagged],
    ['the flag when the strategy has none', [], flag, flagged],
    ['neither', undefined, undefined, disabled],
  ])('%s', (_, strategyVariants, variants, expected) => {
    expect(evaluate(strategyVariants, variants)).toEqual(expected)
  })

  test('a flag that is off has none', () => {
    expect(evaluate(own, flag, false)).toEqual(disabled)
  })

  test('a payload is passed through untouched; a variant may be called disabled', () => {
    expect(evaluate([], [{ name: 'disabled', weight: 1, payload: null }]).variant).toEqual({
      name: 'disabled',
      enabled: true,
      payload: null,
    })
  })
})
