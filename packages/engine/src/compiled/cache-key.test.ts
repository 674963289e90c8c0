import type { Context } from '@burgee/protocol/context'
import { describe, expect, test } from 'vitest'
import { compile } from '../engine.ts'

const flag = (strategy: object, more: object = {}) => ({ name: 'f', enabled: true, strategies: [strategy], ...more })
const keyOf = (feature: object, context: Context, clock = () => 0) =>
  compile({ features: [feature] }, { clock, strategies: [{ name: 'own', isEnabled: () => true }] }).engine.getCacheKey(
    context,
  )

const inX = { name: 'default', constraints: [{ contextName: 'x', operator: 'IN', values: ['a', ''] }] }
const half = (stickiness: string) => ({ name: 'flexibleRollout', parameters: { rollout: '50', stickiness } })
const users = { name: 'userWithId', parameters: { userIds: 'a,,5' } }
const addresses = { name: 'remoteAddress', parameters: { IPs: '10.0.0.1' } }
const two = [1, 1].map((weight, i) => ({ name: `v${i}`, weight }))
const dated = {
  name: 'default',
  constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: '2022-01-01' }],
}
const until = { name: 'default', constraints: [{ ...dated.constraints[0], operator: 'DATE_BEFORE' }] }
const between = {
  name: 'default',
  constraints: [...dated.constraints, { ...until.constraints[0], value: '2022-03-01' }],
}

const undated = {
  name: 'default',
  constraints: [...between.constraints, { ...dated.constraints[0], value: 'no date', inverted: true }],
}

describe('contexts that a flag distinguishes have different keys', () => {
  test.each([
    [inX, { x: 'a' }, { x: 'b' }],
    [inX, {}, { x: '' }],
    [inX, { x: '' }, { properties: { x: 'a' } }],
    [inX, { x: 'null' }, { x: null }],
    [inX, { x: 'undefined' }, {}],
    [half('default'), { userId: 'a' }, { userId: 'b' }],
    [half('x'), { x: 'a' }, {}],
    [users, { userId: '5' }, { userId: 5 }],
    [users, { userId: '' }, {}],
    [addresses, { remoteAddress: '10.0.0.1' }, { remoteAddress: '10.0.0.2' }],
    [dated, { currentTime: '2021-12-31' }, { currentTime: '2022-01-02' }],
    [dated, { currentTime: '2022-01-01' }, { currentTime: '2022-01-02' }],
    [dated, { currentTime: 'x' }, { currentTime: '2022-01-02' }],
    [until, { currentTime: '2021-12-31' }, { currentTime: '2022-01-01' }],
    [between, { currentTime: '2021-12-31' }, { currentTime: '2022-01-02' }],
    [between, { currentTime: '2022-01-02' }, { currentTime: '2022-03-02' }],
    [undated, { currentTime: 'no date' }, { currentTime: '2022-01-01' }],
    [undated, { currentTime: 'no date' }, { currentTime: '2021-12-31' }],
  ])('%j: %j and %j', (strategy, one, other) => {
    const [first, second] = [keyOf(flag(strategy), one as Context), keyOf(flag(strategy), other as Context)]
    expect([typeof first, typeof second]).toEqual(['string', 'string'])
    expect(first).not.toBe(second)
  })

  test('two fields are not taken for one', () => {
    const constraints = ['x', 'y'].map((contextName) => ({ contextName, operator: 'IN', values: ['1'] }))
    const feature = flag({ name: 'default', constraints })
    const keys = [
      { x: '1', y: '' },
      { x: '', y: '1' },
      { x: '1' },
      { y: '1' },
      { x: '-' },
      { x: '1:', y: '1' },
      { x: '1', y: ':1' },
      { x: '10:', y: '' },
    ].map((context) => keyOf(feature, context))
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('contexts that no flag distinguishes have the same key', () => {
  test.each([
    [inX, { x: 'a' }, { x: 'a', y: 'b', userId: 'u' }],
    [inX, { x: 'a' }, { properties: { x: 'a' } }],
    [inX, { x: 5 }, { x: '5' }],
    [inX, { x: null }, {}],
    [half('default'), { userId: 'a' }, { sessionId: 'a' }],
    [half('default'), { userId: 'a', sessionId: 'b' }, { userId: 'a', sessionId: 'c' }],
    [users, { userId: 6 }, {}],
    [dated, { currentTime: '2022-01-02' }, { currentTime: '2023-01-02' }],
    [{ name: 'default' }, { userId: 'a' }, { userId: 'b' }],
    [{ name: 'flexibleRollout', parameters: { rollout: '100' } }, { userId: 'a' }, {}],
  ])('%j: %j and %j', (strategy, one, other) => {
    const key = keyOf(flag(strategy), one as Context)
    expect(key).toBeTypeOf('string')
    expect(keyOf(flag(strategy), other as Context)).toBe(key)
  })

  test('time passes without a new key until it passes an instant of a constraint', () => {
    const before = keyOf(flag(dated), {}, () => Date.UTC(2020, 1))
    expect(keyOf(flag(dated), {}, () => Date.UTC(2021, 1))).toBe(before)
    expect(keyOf(flag(dated), {}, () => Date.UTC(2022, 1))).not.toBe(before)
  })
})

describe('the context key', () => {
  test.each([
    ['chance', half('random'), {}, {}],
    ['no id', half('default'), {}, {}],
    ['no id for variants', { name: 'default' }, { variants: two }, { userId: 5 }],
    ['no field for variants', { name: 'default' }, { variants: [{ ...two[0], stickiness: 'x' }, two[1]] }, { x: '' }],
    ['a custom strategy', { name: 'own' }, {}, {}],
    ['a value of more than 508 characters', inX, {}, { x: 'a'.repeat(509) }],
  ])('%s', (_, strategy, more, context) => {
    expect(keyOf(flag(strategy, more), context as Context)).toBeUndefined()
  })

  test('does not exist if a variant of a parent that is off decides', () => {
    const parent = { ...flag({ name: 'default' }), name: 'p', enabled: false, variants: two }
    const child = flag({ name: 'default' }, { dependencies: [{ feature: 'p', enabled: false, variants: ['v0'] }] })
    const { engine } = compile({ features: [parent, child] }, { profile: 'yggdrasil' })
    expect(engine.getCacheKey({ userId: 'a' })).toBeUndefined()
  })

  test.each([
    ['an id for variants', { name: 'default' }, { variants: two }, { remoteAddress: '::1' }],
    ['chance of a flag that is off', half('random'), { enabled: false }, {}],
    ['a missing field that matches no one', half('x'), {}, {}],
    ['a value of 508 characters', inX, {}, { x: 'a'.repeat(508) }],
    ['an unknown strategy', { name: 'unknown' }, {}, {}],
  ])('exists with %s', (_, strategy, more, context) => {
    expect(keyOf(flag(strategy, more), context as Context)).toBeTypeOf('string')
  })
})
