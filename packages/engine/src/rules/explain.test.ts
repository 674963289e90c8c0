import { describe, expect, test } from 'vitest'
import { compile } from '../engine.ts'

const NEVER = { contextName: 'x', operator: 'IN', values: ['never'] }
const ALWAYS = { contextName: 'x', operator: 'NOT_IN', values: ['never'] }
const on = (strategies: unknown, more: object = {}) => ({ name: 'f', enabled: true, strategies, ...more })
const explain = (feature: object, context = {}, segments: unknown[] = []) =>
  compile({ features: [feature], segments }, { random: () => 0.42 }).engine.explain('f', context)

const custom = { name: 'custom' }
const yes = { name: 'default' }
const no = { name: 'default', constraints: [NEVER] }
const hosts = { name: 'applicationHostname', parameters: { hostNames: 'a' } }
const disabled = { name: 'default', disabled: true }
const UNKNOWN = { evaluationStatus: 'incomplete', enabled: 'unknown' }
const FALSE = { evaluationStatus: 'incomplete', enabled: false }
const UNEVALUATED = { evaluationStatus: 'unevaluated', enabled: 'unknown' }

describe('result over all strategies, and what a client gets', () => {
  test.each([
    ['no strategies', on([]), [], true, true],
    ['no strategies, off', on([], { enabled: false }), [], false, false],
    ['one true', on([yes]), [true], true, true],
    ['one true, off', on([yes], { enabled: false }), [true], true, false],
    ['one false', on([no]), [false], false, false],
    ['every strategy is evaluated', on([yes, no, yes]), [true, false, true], true, true],
    ['custom', on([custom]), [UNKNOWN], 'unknown', false],
    ['custom with a failing constraint', on([{ ...custom, constraints: [NEVER] }]), [FALSE], false, false],
    ['custom with a missing segment', on([{ ...custom, segments: [9] }]), [FALSE], false, false],
    ['custom and a true one', on([custom, yes]), [UNKNOWN, true], true, true],
    ['custom and a false one', on([custom, no]), [UNKNOWN, false], 'unknown', false],
    ['disabled', on([disabled]), [UNEVALUATED], 'unknown', false],
    ['disabled and a false one', on([disabled, no]), [UNEVALUATED, false], 'unknown', false],
    ['disabled and a true one', on([disabled, yes]), [UNEVALUATED, true], true, true],
    ['strategies that are not a list', on({}), [], false, false],
    ['hosts, where the own one is not known', on([hosts]), [UNKNOWN], 'unknown', false],
    ['a list of other users', on([{ name: 'userWithId', parameters: { userIds: 'u' } }]), [false], false, false],
  ])('%s', (_, feature, results, result, isEnabled) => {
    const explained = explain(feature)
    expect(explained.strategies.map((strategy) => strategy.result)).toEqual(results)
    expect({ result: explained.result, isEnabled: explained.isEnabled }).toEqual({ result, isEnabled })
    expect(explained.enabledInEnvironment).toBe((feature as { enabled: boolean }).enabled)
  })

  test.each([
    ['holds', () => true, true],
    ['does not hold', () => false, false],
    [
      'fails',
      () => {
        throw new Error('failure')
      },
      false,
    ],
  ])('a custom strategy that is implemented here and %s is evaluated', (_name, isEnabled, result) => {
    const { engine } = compile({ features: [on([custom])] }, { strategies: [{ name: 'custom', isEnabled }] })
    expect(engine.explain('f', {})).toMatchObject({ result, isEnabled: result, strategies: [{ result }] })
  })

  test.each([
    ['a', true],
    ['b', false],
  ])('a list of hosts is evaluated on the known host %s: %s', (hostname, result) => {
    const { engine } = compile({ features: [on([hosts])] }, { hostname })
    expect(engine.explain('f', {})).toMatchObject({ result, isEnabled: result, strategies: [{ result }] })
  })

  test('a parent whose strategies are all disabled is off for its children, as it is for clients', () => {
    const features = [on([yes], { dependencies: [{ feature: 'p' }] }), { ...on([disabled]), name: 'p' }]
    const { dependencies, isEnabled } = compile({ features }).engine.explain('f', {})
    const parent = { enabled: false, variant: { name: 'disabled', enabled: false } }
    expect(dependencies).toEqual([{ feature: 'p', satisfied: false, reason: 'parent is off', parent }])
    expect(isEnabled).toBe(false)
  })
})

describe('parts of a strategy', () => {
  test('constraints as defined, results after inversion; also of disabled strategies', () => {
    const constraints = [NEVER, { ...NEVER, inverted: true, extra: 1 }, null]
    const { strategies } = explain(on([{ ...disabled, id: 'i', title: 't', parameters: { a: 'b' }, constraints }]))
    expect(strategies).toEqual([
      {
        name: 'default',
        id: 'i',
        title: 't',
        disabled: true,
        parameters: { a: 'b' },
        result: UNEVALUATED,
        constraints: [
          { ...NEVER, result: false },
          { ...NEVER, inverted: true, extra: 1, result: true },
          { result: false },
        ],
        segments: [],
      },
    ])
  })

  test('segments with their constraints; a missing one is false', () => {
    const segments = [
      { id: 1, name: 'one', constraints: [ALWAYS] },
      { id: 2, name: 'two', constraints: [ALWAYS, NEVER] },
      { id: 3, name: 'three' },
    ]
    const { strategies } = explain(on([{ ...yes, segments: [1, 2, 3, 4] }]), {}, segments)
    expect(strategies[0]?.result).toBe(false)
    expect(strategies[0]?.segments).toEqual([
      { id: 1, name: 'one', result: true, constraints: [{ ...ALWAYS, result: true }] },
      {
        id: 2,
        name: 'two',
        result: false,
        constraints: [
          { ...ALWAYS, result: true },
          { ...NEVER, result: false },
        ],
      },
      { id: 3, name: 'three', result: true, constraints: [] },
      { id: 4, name: undefined, result: false, constraints: [] },
    ])
  })

  const flexible = (parameters: object) => ({ name: 'flexibleRollout', parameters })
  test.each([
    [
      flexible({ rollout: '70', groupId: 'g' }),
      { userId: 'u0' },
      true,
      { stickiness: 'default', stickinessValue: 'u0', groupId: 'g', bucket: 70, limit: 70 },
    ],
    [
      flexible({ rollout: '69.5', groupId: 'g', stickiness: 'x' }),
      { x: 'u0' },
      false,
      { stickiness: 'x', stickinessValue: 'u0', groupId: 'g', bucket: 70, limit: 69.5 },
    ],
    [
      flexible({ rollout: '43', stickiness: 'random' }),
      { userId: 'u0' },
      true,
      { stickiness: 'random', stickinessValue: undefined, groupId: '', bucket: 'random', limit: 43 },
    ],
    [
      flexible({ rollout: '42' }),
      {},
      false,
      { stickiness: 'default', stickinessValue: undefined, groupId: '', bucket: 'random', limit: 42 },
    ],
    [
      flexible({ rollout: '70', stickiness: { toString: 7 } }),
      { userId: 'u0' },
      false,
      { stickiness: '', stickinessValue: undefined, groupId: '', bucket: undefined, limit: 70 },
    ],
    [
      flexible({ rollout: '100', stickiness: 'x' }),
      {},
      false,
      { stickiness: 'x', stickinessValue: undefined, groupId: '', bucket: undefined, limit: 100 },
    ],
    [
      flexible({ rollout: 'x', groupId: 'g' }),
      { userId: 'u0' },
      false,
      { stickiness: 'default', stickinessValue: 'u0', groupId: 'g', bucket: 70, limit: Number.NaN },
    ],
    [
      { name: 'gradualRolloutUserId', parameters: { percentage: '70', groupId: 'g' } },
      { userId: 'u0' },
      true,
      { stickiness: 'userId', stickinessValue: 'u0', groupId: 'g', bucket: 70, limit: 70 },
    ],
    [
      { name: 'gradualRolloutSessionId', parameters: { percentage: '70' } },
      {},
      false,
      { stickiness: 'sessionId', stickinessValue: undefined, groupId: '', bucket: undefined, limit: 70 },
    ],
    [
      { name: 'gradualRolloutRandom', parameters: { percentage: '43' } },
      {},
      true,
      { stickiness: 'random', stickinessValue: undefined, groupId: '', bucket: 'random', limit: 43 },
    ],
  ])('the bucket and the limit of %j for %j', (strategy, context, result, rollout) => {
    const [explained] = explain(on([strategy]), context).strategies
    expect(explained?.result).toBe(result)
    expect(explained?.rollout).toEqual(rollout)
  })

  test('the bucket is shown although a constraint fails', () => {
    const [explained] = explain(on([{ ...flexible({ rollout: '70', groupId: 'g' }), constraints: [NEVER] }]), {
      userId: 'u0',
    }).strategies
    expect(explained).toMatchObject({ result: false, rollout: { bucket: 70, limit: 70 } })
  })
})

describe('the variant', () => {
  const abc = [1, 1, 2].map((weight, i) => ({ name: 'abc'[i], weight }))
  const ranges = [
    { name: 'a', from: 0, to: 1 },
    { name: 'b', from: 1, to: 2 },
    { name: 'c', from: 2, to: 4 },
  ]

  test('comes from the flag, with bucket, total and ranges', () => {
    const explained = explain(on([yes], { variants: abc }), { userId: 'u1' })
    expect(explained).toMatchObject({ variant: { name: 'c', enabled: true }, variantSource: 'feature', variants: abc })
    expect(explained.variantDecision).toEqual({
      source: 'feature',
      stickiness: 'default',
      stickinessValue: 'u1',
      groupId: 'f',
      bucket: 3,
      total: 4,
      chosen: 'c',
      ranges,
    })
  })

  test('names the field that its variants are hashed on', () => {
    const variants = abc.map((variant) => ({ ...variant, stickiness: 'tenant' }))
    const { variantDecision } = explain(on([yes], { variants }), { userId: 'u0', tenant: 'u1' })
    expect(variantDecision).toMatchObject({ stickiness: 'tenant', stickinessValue: 'u1', bucket: 3, chosen: 'c' })
  })

  test('comes from the strategy, and appears at the strategy too', () => {
    const strategy = { ...yes, parameters: { groupId: 'f' }, variants: abc }
    const explained = explain(on([no, strategy], { variants: [] }), { userId: 'u1' })
    expect(explained).toMatchObject({ variant: { name: 'c' }, variantSource: 'strategy', variants: abc })
    expect(explained.strategies[1]).toMatchObject({ variant: { name: 'c', enabled: true }, variants: abc })
    expect(explained.strategies[1]?.variantDecision).toEqual(explained.variantDecision)
    expect(explained.variantDecision?.source).toBe('strategy')
  })

  test('comes from an override', () => {
    const variants = [abc[0], { ...abc[1], overrides: [{ contextName: 'x', values: ['1'] }] }]
    const explained = explain(on([yes], { variants }), { userId: 'u1', x: 1 })
    expect(explained.variantDecision).toMatchObject({
      bucket: undefined,
      chosen: 'b',
      override: { contextName: 'x', value: '1' },
    })
    expect(explained.variant.name).toBe('b')
  })

  test.each([
    ['1', undefined, true],
    ['2', 1, false],
  ])('has a decision for a total weight of 1 and the field %s', (x, bucket, isOverridden) => {
    const variants = [{ ...abc[0], overrides: [{ contextName: 'x', values: ['1'] }] }]
    const { variantDecision } = explain(on([yes], { variants }), { userId: 'u1', x })
    expect(variantDecision).toMatchObject({ total: 1, bucket, chosen: 'a' })
    expect(variantDecision?.override !== undefined).toBe(isOverridden)
  })

  test('comes from a random bucket without a stickiness value', () => {
    const { variantDecision } = explain(on([yes], { variants: abc }))
    expect(variantDecision).toMatchObject({ stickinessValue: undefined, chosen: expect.any(String) })
    expect(variantDecision?.bucket).toBeGreaterThanOrEqual(1)
    expect(variantDecision?.bucket).toBeLessThanOrEqual(4)
  })

  test('stays undecided when the flag is off, although its definitions are shown', () => {
    const explained = explain(on([no], { variants: abc }), { userId: 'u1' })
    expect(explained).toMatchObject({
      variant: { name: 'disabled', enabled: false },
      variantSource: undefined,
      variants: abc,
    })
    expect(explained.variantDecision).toBeUndefined()
  })

  test('stays disabled if all weights are 0, and the decision is shown', () => {
    const { variantDecision, variant } = explain(on([yes], { variants: [{ name: 'a', weight: 0 }] }), { userId: 'u1' })
    expect(variant).toEqual({ name: 'disabled', enabled: false })
    expect(variantDecision).toMatchObject({ total: 0, bucket: undefined, chosen: undefined, ranges: [] })
  })
})

describe('dependencies', () => {
  test('every parent with its reason', () => {
    const parent = (name: string, more: object = {}) => ({ name, enabled: true, strategies: [yes], ...more })
    const wanted = [
      { feature: 'a' },
      { feature: 'b' },
      { feature: 'c' },
      { feature: 'd' },
      { feature: 'a', enabled: false },
      { feature: 'a', variants: ['v'] },
      null,
    ]
    const features = [
      on([yes], { dependencies: wanted }),
      parent('a'),
      parent('b', { enabled: false }),
      parent('c', { dependencies: [{ feature: 'a' }] }),
    ]
    const { dependencies, hasUnsatisfiedDependency, result, isEnabled } = compile({ features }).engine.explain('f', {})
    expect(dependencies.map(({ feature, reason }) => [feature, reason])).toEqual([
      ['a', 'satisfied'],
      ['b', 'parent is off'],
      ['c', 'parent has parents'],
      ['d', 'parent does not exist'],
      ['a', 'parent is on'],
      ['a', 'parent has another variant'],
      [undefined, 'malformed'],
    ])
    expect({ hasUnsatisfiedDependency, result, isEnabled }).toEqual({
      hasUnsatisfiedDependency: true,
      result: true,
      isEnabled: false,
    })
  })
})
