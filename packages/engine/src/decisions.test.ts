import { describe, expect, test } from 'vitest'
import { compile } from './engine.ts'

const on = (name: string, more: object = {}) => ({ name, enabled: true, strategies: [{ name: 'default' }], ...more })

describe('dependencies', () => {
  const features = [
    on('on'),
    on('off', { enabled: false }),
    on('varied', { variants: [{ name: 'a', weight: 1 }] }),
    on('empty', { dependencies: [] }),
    on('child', { dependencies: [{ feature: 'on' }] }),
  ]
  test.each([
    [[{ feature: 'on' }], true],
    [[{ feature: 'on', enabled: true }], true],
    [[{ feature: 'on', enabled: null }], true],
    [[{ feature: 'on', enabled: false }], false],
    [[{ feature: 'off' }], false],
    [[{ feature: 'off', enabled: false }], true],
    [[{ feature: 'off', enabled: false, variants: ['x'] }], true],
    [[{ feature: 'off', variants: ['disabled'] }], false],
    [[{ feature: 'varied', variants: ['a', 'b'] }], true],
    [[{ feature: 'varied', variants: ['b'] }], false],
    [[{ feature: 'varied', variants: [] }], true],
    [[{ feature: 'on', variants: ['disabled'] }], true],
    [[{ feature: 'absent' }], false],
    [[{ feature: 'absent', enabled: false }], false],
    [[{ feature: 'child' }], false],
    [[{ feature: 'child', enabled: false }], false],
    [[{ feature: 'empty' }], true],
    [[{ feature: 'f' }], false],
    [[{ feature: 'f', enabled: false }], false],
    [[{ feature: 'on' }, { feature: 'varied' }], true],
    [[{ feature: 'on' }, { feature: 'off' }], false],
    [[{ feature: '__proto__' }], false],
    [[null], false],
    [[{}], false],
    ['on', false],
    [null, true],
  ])('%j: %s', (dependencies, expected) => {
    const { engine } = compile({ features: [on('f', { dependencies }), ...features] })
    expect(engine.evaluate('f', {}).enabled).toBe(expected)
    expect(engine.explain('f', {})).toMatchObject({
      isEnabled: expected,
      hasUnsatisfiedDependency: !expected,
      result: true,
    })
  })

  test('the parent sees the context of the child', () => {
    const strategies = [{ name: 'userWithId', parameters: { userIds: 'u' } }]
    const { engine } = compile({ features: [on('f', { dependencies: [{ feature: 'p' }] }), on('p', { strategies })] })
    expect([engine.evaluate('f', { userId: 'u' }).enabled, engine.evaluate('f', { userId: 'v' }).enabled]).toEqual([
      true,
      false,
    ])
  })
})

describe('the random number', () => {
  const half = [{ name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'random' } }]
  const variants = [1, 1].map((weight, i) => ({ name: 'ab'[i], weight, stickiness: 'missing' }))

  test('a random parent does not contradict itself within one request', () => {
    const children = ['with', 'without'].map((name, i) =>
      on(name, { dependencies: [{ feature: 'coin', enabled: i === 0 }] }),
    )
    const { engine } = compile({ features: [...children, on('coin', { strategies: half })] })
    for (let i = 0; i < 200; i++) {
      const [first, second, coin] = engine.evaluateAll({}).map(({ enabled }) => enabled)
      expect([first, second]).toEqual([coin, !coin])
    }
  })

  test('gets drawn once per decision', () => {
    let rolls = 0
    const random = () => {
      rolls++
      return 0
    }
    const { engine } = compile({ features: [on('f', { strategies: half, variants })] }, { random })
    expect(engine.evaluate('f', {}).variant.name).toBe('a')
    expect(rolls).toBe(2)
    engine.evaluate('f', { userId: 'u' })
    expect(rolls).toBe(4)
  })

  test('enabled and variant come from one decision', () => {
    const { engine } = compile({ features: [on('f', { strategies: half, variants })] })
    for (let i = 0; i < 200; i++) {
      const { enabled, variant } = engine.evaluate('f', {})
      expect(variant.enabled).toBe(enabled)
    }
  })
})
