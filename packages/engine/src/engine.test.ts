import type { Context } from '@burgee/protocol/context'
import { describe, expect, test } from 'vitest'
import { compile, type FeatureDocument } from './engine.ts'

const DEFAULT = [{ name: 'default' }]
const on = (name: string, more: object = {}) => ({ name, enabled: true, strategies: DEFAULT, ...more })

describe('loading', () => {
  test('sorts names by property order; a later duplicate takes the earlier position', () => {
    const features = [
      on('b'),
      on('10'),
      on('a'),
      on('9'),
      on('b', { enabled: false }),
      on('__proto__'),
      on('-1'),
      on('01'),
    ]
    const { engine } = compile({ features })
    expect(engine.names).toEqual(['9', '10', 'b', 'a', '__proto__', '-1', '01'])
    expect(engine.evaluate('b', {}).enabled).toBe(false)
    expect(engine.evaluateAll({}).map(({ name }) => name)).toEqual(engine.names)
  })

  test('segments by strict id, the last duplicate wins', () => {
    const never = [{ contextName: 'x', operator: 'IN', values: ['x'] }]
    const features = [1, 2, 3, 4].map((id) => on(`s${id}`, { strategies: [{ name: 'default', segments: [id] }] }))
    const segments = [
      { id: 1, constraints: never },
      { id: 1, constraints: [] },
      { id: '2', constraints: [] },
      { id: 3 },
      { id: 4, constraints: never },
    ]
    const { engine, warnings } = compile({ features, segments })
    expect(engine.evaluateAll({}).map(({ enabled }) => enabled)).toEqual([true, false, true, false])
    expect(engine.evaluate('s4', { properties: { x: 'x' } }).enabled).toBe(true)
    expect(warnings).toEqual([{ feature: 's2', message: 'segment 2 does not exist' }])
  })

  test('a malformed segment is never met, and named', () => {
    const features = [on('f', { strategies: [{ name: 'default', segments: [1] }] })]
    const { engine, warnings } = compile({ features, segments: [{ id: 1, constraints: 5 }] })
    expect(engine.evaluate('f', {}).enabled).toBe(false)
    expect(warnings).toEqual([{ feature: undefined, message: 'segment 1: constraints are not a list' }])
  })

  test('a segment that holds for no context does not disturb other strategies', () => {
    const constraints = [{ contextName: 'x', operator: 'IN', values: [] }]
    const features = [on('f', { strategies: [{ name: 'default', segments: [1] }, { name: 'default' }] })]
    const { engine, warnings } = compile({ features, segments: [{ id: 1, constraints }] })
    expect([engine.evaluate('f', {}).enabled, warnings]).toEqual([true, []])
  })

  test('a missing context is empty', () => {
    const constraints = [{ contextName: 'x', operator: 'NOT_IN', values: ['a'] }]
    const { engine } = compile({ features: [on('f', { strategies: [{ name: 'default', constraints }] })] })
    expect(engine.evaluate('f', undefined as unknown as Context).enabled).toBe(true)
  })

  test('segments of the flag itself do not count', () => {
    expect(compile({ features: [on('f', { segments: [99] })] }).engine.evaluate('f', {}).enabled).toBe(true)
  })

  test.each([
    null,
    undefined,
    5,
    'x',
    [],
    {},
    { features: null },
    { features: {} },
    { features: [null, 5, 'x', {}, { name: 5 }, []], segments: 5 },
  ])('%j is a document without flags', (document) => {
    const { engine, warnings } = compile(document as unknown as FeatureDocument)
    expect(engine.names).toEqual([])
    expect(engine.evaluateAll({})).toEqual([])
    expect(warnings.length).toBeGreaterThan(0)
  })

  test.each([true, false])('a malformed flag is off and named, its neighbours are untouched; caches: %s', (caches) => {
    const bad = [
      null,
      5,
      { name: 'flexibleRollout' },
      { name: 'default', constraints: {} },
      { name: 'default', constraints: [null] },
      { name: 'default', constraints: [{ contextName: 'x', operator: 'LIKE', values: ['a'] }] },
      { name: 'default', segments: 5 },
      { name: 'default', segments: [99] },
      {},
    ]
    // first condition of the document; a malformed condition must not be confused with it
    const a = { contextName: 'x', operator: 'IN', values: ['a'] }
    const features = [
      on('before', { strategies: [{ name: 'default', constraints: [a] }] }),
      ...bad.map((strategy, i) => on(`bad${i}`, { strategies: [strategy] })),
      on('bad9', { strategies: {} }),
      on('after'),
    ]
    const { engine, warnings } = compile({ features }, { caches })
    const enabled = engine.evaluateAll({ x: 'a' }).filter((evaluation) => evaluation.enabled)
    expect(enabled.map(({ name }) => name)).toEqual(['before', 'after'])
    expect(warnings.map(({ feature }) => feature)).toEqual(Array.from({ length: 10 }, (_, i) => `bad${i}`))
  })

  test('a flag whose compilation fails is off and named', () => {
    const trap = on('trap')
    Object.defineProperty(trap, 'variants', {
      get: () => {
        throw new Error('trap')
      },
    })
    const { engine, warnings } = compile({ features: [trap, on('f')] })
    expect(engine.evaluateAll({}).map(({ enabled }) => enabled)).toEqual([false, true])
    expect(warnings).toEqual([{ feature: 'trap', message: 'cannot be compiled: Error: trap' }])
    expect(engine.explain('trap', {}).isEnabled).toBe(false)
  })
})

describe('flags', () => {
  test.each([
    ['without strategies', { strategies: [] }, true],
    ['off', { enabled: false }, false],
    ['off without strategies', { enabled: false, strategies: [] }, false],
    ['whose strategies are missing', { strategies: undefined }, false],
    [
      'with a disabled strategy: the server strips them, not the SDK',
      { strategies: [{ name: 'default', disabled: true }] },
      true,
    ],
    ['with one strategy of two', { strategies: [{ name: 'unknown' }, { name: 'default' }] }, true],
  ])('%s', (_, more, expected) => {
    expect(compile({ features: [on('f', more)] }).engine.evaluate('f', {}).enabled).toBe(expected)
  })

  test('the first strategy that holds gives the variant', () => {
    const strategies = [
      { name: 'unknown' },
      { name: 'default', variants: [{ name: 'a', weight: 1 }] },
      { name: 'default', variants: [{ name: 'b', weight: 1 }] },
    ]
    expect(compile({ features: [on('f', { strategies })] }).engine.evaluate('f', {}).variant.name).toBe('a')
  })

  test.each(['absent', 'constructor', 'toString', '__proto__', 'hasOwnProperty', ''])('%j is not known', (name) => {
    const { engine } = compile({ features: [on('f')] })
    const off = { name, enabled: false, variant: { name: 'disabled', enabled: false }, known: false }
    expect(engine.evaluate(name, {})).toEqual({ ...off, variantSource: undefined, impressionData: undefined })
    expect(engine.explain(name, {})).toMatchObject({
      name,
      known: false,
      isEnabled: false,
      result: false,
      strategies: [],
    })
  })

  test.each([true, false, null, undefined])('impressionData %s is passed on', (impressionData) => {
    const { engine } = compile({
      features: [on('f', { impressionData }), on('off', { impressionData, enabled: false })],
    })
    expect(engine.evaluateAll({}).map((evaluation) => evaluation.impressionData)).toEqual([
      impressionData,
      impressionData,
    ])
  })

  test('evaluations are shared and cannot be changed', () => {
    const { engine } = compile({ features: [on('f', { variants: [{ name: 'a', weight: 1 }] })] })
    const first = engine.evaluate('f', { userId: '1' })
    expect(engine.evaluate('f', { userId: '2' })).toBe(first)
    expect([first, first.variant].every(Object.isFrozen)).toBe(true)
  })
})

describe('hostile contexts', () => {
  const strategies = [
    { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'userId' } },
    { name: 'userWithId', parameters: { userIds: 'a' } },
    { name: 'remoteAddress', parameters: { IPs: '10.0.0.1' } },
    { name: 'gradualRolloutSessionId', parameters: { percentage: '100' } },
    { name: 'default', constraints: [{ contextName: 'x', operator: 'IN', values: ['x'] }] },
  ]
  const variants = [{ name: 'a', weight: 1, overrides: [{ contextName: 'userId', values: ['a'] }] }]
  const { engine } = compile({ features: [on('f', { strategies, variants })] })

  test.each([
    null,
    undefined,
    5,
    'x',
    Symbol('x'),
    { toString: 1 },
    Object.create(null),
    { toString: null, valueOf: null },
  ])('nothing throws, nothing matches', (value) => {
    const fields = { userId: value, sessionId: value, remoteAddress: value, x: value, currentTime: value } as Context
    const text = typeof value === 'number' || typeof value === 'string'
    for (const context of [fields, { properties: fields }, { properties: value } as Context]) {
      expect(engine.evaluate('f', context).enabled).toBe(engine.explain('f', context).isEnabled)
      if (!text) expect(engine.evaluate('f', context).enabled).toBe(false)
    }
    expect(engine.evaluateAll(value as Context)).toHaveLength(1)
  })
})
