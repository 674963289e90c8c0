import type { Context } from '@burgee/protocol/context'
import { EVALUATION_PROFILES } from '@burgee/protocol/evaluation-profile'
import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import { describe, expect, test } from 'vitest'
import { type CompileOptions, compile } from '../engine.ts'

const off = { random: () => 0.999 }
const isOn = (name: string, parameters: unknown, context: Context, options: CompileOptions = off) =>
  compile({ features: [{ name: 'f', enabled: true, strategies: [{ name, parameters }] }] }, options).engine.evaluate(
    'f',
    context,
  ).enabled

describe('built-in strategies', () => {
  test.each([
    ['default', undefined, {}, true],
    ['userWithId', { userIds: 'a, b ,c' }, { userId: 'b' }, true],
    ['userWithId', { userIds: ' a,b ' }, { userId: 'a' }, false],
    ['userWithId', { userIds: ' a,b ' }, { userId: ' a' }, true],
    ['userWithId', { userIds: '5' }, { userId: 5 }, false],
    ['userWithId', { userIds: 'a' }, { properties: { userId: 'a' } }, false],
    ['userWithId', { userIds: '' }, { userId: '' }, false],
    ['userWithId', { userIds: 'undefined' }, {}, false],
    ['userWithId', {}, { userId: 'a' }, false],
    ['remoteAddress', { IPs: '10.0.0.1, 10.1.0.0/16' }, { remoteAddress: '10.1.2.3' }, true],
    ['remoteAddress', { IPs: '10.0.0.1' }, { remoteAddress: '10.0.0.2' }, false],
    ['remoteAddress', { IPs: '::1' }, { remoteAddress: '::1' }, true],
    ['remoteAddress', { IPs: '::/0' }, { remoteAddress: '::1' }, true],
    ['remoteAddress', { IPs: '10.0.0.0/8' }, { remoteAddress: '::ffff:10.0.0.1' }, false],
    ['remoteAddress', { IPs: '10.0.0.1' }, { remoteAddress: '10.0.0.1/8' }, false],
    ['remoteAddress', { IPs: 'anything' }, { remoteAddress: 'anything' }, true],
    ['gradualRolloutUserId', { percentage: '70', groupId: 'g' }, { userId: 'u0' }, true],
    ['gradualRolloutUserId', { percentage: '69', groupId: 'g' }, { userId: 'u0' }, false],
    ['gradualRolloutUserId', { percentage: '100' }, { sessionId: 'u0' }, false],
    ['gradualRolloutUserId', { percentage: '100' }, { userId: '' }, false],
    ['gradualRolloutSessionId', { percentage: '70', groupId: 'g' }, { sessionId: 'u0' }, true],
    ['gradualRolloutSessionId', { percentage: '100' }, { userId: 'u0' }, false],
    ['gradualRolloutRandom', { percentage: '100' }, {}, true],
    ['gradualRolloutRandom', { percentage: '99' }, {}, false],
    ['unknown', {}, {}, false],
    ['__proto__', {}, {}, false],
  ])('%s %j for %j: %s', (name, parameters, context, expected) => {
    expect(isOn(name, parameters, context as Context)).toBe(expected)
  })

  test.each([
    // g:u0 is in bucket 70
    ['70', {}, { userId: 'u0' }, true],
    ['69.9', {}, { userId: 'u0' }, false],
    [' 7e1 ', {}, { userId: 'u0' }, true],
    ['70%', {}, { userId: 'u0' }, false],
    ['', {}, { userId: 'u0' }, false],
    [70, {}, { userId: 'u0' }, true],
    ['70', { stickiness: 'default' }, { userId: '', sessionId: 'u0' }, true],
    ['100', { stickiness: '' }, {}, true],
    ['99', { stickiness: 'default' }, {}, false],
    ['99', { stickiness: 'random' }, { userId: 'u0' }, false],
    ['70', { stickiness: 'tenant' }, { properties: { tenant: 'u0' } }, true],
    ['100', { stickiness: 'tenant' }, { userId: 'u0' }, false],
    ['100', { stickiness: 'tenant' }, { properties: { tenant: '' } }, false],
    ['70', { stickiness: 'userId' }, { properties: { userId: 'u0' } }, true],
    ['100', { stickiness: '__proto__' }, {}, false],
    ['0', {}, { userId: 'u0' }, false],
  ])('flexibleRollout %j %j for %j: %s', (rollout, parameters, context, expected) => {
    expect(isOn('flexibleRollout', { groupId: 'g', rollout, ...parameters }, context)).toBe(expected)
  })

  test.each(['flexibleRollout', 'gradualRolloutUserId'])('%s hashes low bytes: é0…é19 of group 用户', (name) => {
    const parameters = { rollout: '50', percentage: '50', groupId: '用户' }
    const users = Array.from({ length: 20 }, (_, i) => `é${i}`)
    const admitted = users.map((userId) => Number(isOn(name, parameters, { userId })))
    expect(admitted.join('')).toBe('01011100100101010110')
  })

  test.each([[undefined], [null], [{ toString: 1 }]])('the group %j hashes like an empty one', (groupId) => {
    const users = Array.from({ length: 20 }, (_, i) => `u${i}`)
    const admit = (group: unknown) =>
      users.filter((userId) => isOn('flexibleRollout', { rollout: '50', groupId: group }, { userId }))
    expect(admit(groupId)).toEqual(admit(''))
  })

  test.each([
    ['Web-1, web-2', 'WEB-1', true],
    ['web-1', 'web-2', false],
    ['web-1', undefined, false],
    ['', '', false],
  ])('applicationHostname %j on %j: %s', (hostNames, hostname, expected) => {
    expect(isOn('applicationHostname', { hostNames }, {}, { hostname })).toBe(expected)
  })

  test.each(['flexibleRollout', 'userWithId', 'remoteAddress', 'applicationHostname', 'gradualRolloutUserId'])(
    '%s without parameters is never true',
    (name) => {
      for (const parameters of [undefined, null, 5, 'x'])
        expect(isOn(name, parameters, { userId: 'a' }, { hostname: 'a' })).toBe(false)
      const junk = {
        userIds: 5,
        IPs: {},
        hostNames: [],
        percentage: {},
        rollout: { valueOf: 1 },
        groupId: { toString: 1 },
      }
      expect(isOn(name, junk, { userId: 'a' })).toBe(false)
    },
  )
})

describe('custom strategies', () => {
  test('get copies: what one changes reaches neither other flags nor later requests', () => {
    const isEnabled = (parameters: Record<string, string>, context: Context) => {
      const isFresh = parameters.used === undefined
      parameters.used = 'yes'
      Object.defineProperty(context, 'userId', { get: () => expect.unreachable() })
      Object.assign(context.properties ?? {}, { region: 'changed' })
      return isFresh
    }
    const strategies = [{ name: 'own', parameters: {} }]
    const constraints = [{ contextName: 'region', operator: 'IN', values: ['eu'] }]
    const features = [
      { name: 'first', enabled: true, strategies },
      { name: 'user', enabled: true, strategies: [{ name: 'userWithId', parameters: { userIds: '7' } }] },
      { name: 'region', enabled: true, strategies: [{ name: 'default', constraints }] },
    ]
    const { engine } = compile({ features }, { strategies: [{ name: 'own', isEnabled }] })
    const context = { userId: '7', properties: { region: 'eu' } }
    for (let time = 0; time < 2; time += 1) {
      expect(engine.evaluateAll(context).map(({ enabled }) => enabled)).toEqual([true, true, true])
    }
    expect(context).toEqual({ userId: '7', properties: { region: 'eu' } })
    expect(features[0]?.strategies).toEqual([{ name: 'own', parameters: {} }])
  })

  const features = [{ name: 'f', enabled: true, strategies: [{ name: 'mine', parameters: { plan: 'gold' } }] }]
  const context = { properties: { plan: 'gold' } }
  const run = (
    isEnabled: (parameters: Readonly<Record<string, string>>, context: object) => unknown,
    given: Context = context,
  ) => {
    const errors: string[] = []
    const { engine } = compile(
      { features },
      {
        strategies: [{ name: 'mine', isEnabled: isEnabled as () => boolean }],
        onError: (error, strategy) => {
          errors.push(`${strategy}: ${error}`)
          throw new Error('the listener fails too')
        },
      },
    )
    return { enabled: engine.evaluate('f', given).enabled, errors }
  }

  test.each<[name: string, given: Context]>([
    ['with properties', { userId: '7', properties: { plan: 'gold' } }],
    ['without properties', { userId: '7', remoteAddress: '192.0.2.1' }],
    ['with properties that are not an object', { userId: '7', properties: 'gold' as never }],
    ['that is empty', {}],
  ])('get their parameters and a context %s', (_name, given) => {
    const seen: unknown[] = []
    const { enabled, errors } = run((...received) => seen.push(...received) > 0, given)
    expect({ enabled, errors, seen }).toEqual({ enabled: true, errors: [], seen: [{ plan: 'gold' }, given] })
  })

  test.each([undefined, 1, 'true', Promise.resolve(true), null])('answering %s is off and reported', (answer) => {
    const { enabled, errors } = run(() => answer)
    expect({ enabled, reported: errors.length }).toEqual({ enabled: false, reported: 1 })
  })

  test('throwing is off and reported', () => {
    const { enabled, errors } = run(() => {
      throw new Error('broken')
    })
    expect({ enabled, errors }).toEqual({ enabled: false, errors: ['mine: Error: broken'] })
  })

  test('precede the built-in of the same name, and are not asked when a constraint fails', () => {
    let asked = 0
    const never = { name: 'default', isEnabled: () => asked++ > 0 && false }
    const constraints = [{ contextName: 'x', operator: 'IN', values: ['x'] }]
    const strategies = [{ name: 'default' }, { name: 'default', constraints }]
    const { engine } = compile({ features: [{ name: 'f', enabled: true, strategies }] }, { strategies: [never] })
    expect(engine.evaluate('f', {}).enabled).toBe(false)
    expect(asked).toBe(1)
  })
})

describe.each(EVALUATION_PROFILES)('remoteAddress, profile %s', (profile) => {
  test.each([
    ['2001:db8::/32, 10.0.0.0/8', '2001:db8::1', true],
    ['2001:db8::/32, 10.0.0.0/8', '2001:DB8:0:0:0:0:0:1', true],
    ['2001:db8::/32, 10.0.0.0/8', '2001:db9::1', false],
    ['2001:db8::/32, 10.0.0.0/8', '10.1.2.3', true],
    ['2001:db8::/32, 10.0.0.0/8', '::ffff:10.1.2.3', false],
    ['2001:db8::/32, 10.0.0.0/8', 'nonsense', false],
    ['2001:DB8:0::1', '2001:db8::1', true],
    ['::1', '0:0:0:0:0:0:0:1', true],
    ['::ffff:10.0.0.0/104', '::ffff:10.1.2.3', true],
    ['2001:db8::/129, nonsense', '2001:db8::1', false],
  ])('compares %s with the caller %s: %s', (IPs, remoteAddress, expected) => {
    const strategies = [{ name: 'remoteAddress', parameters: { IPs } }]
    const { engine } = compile({ features: [{ name: 'f', enabled: true, strategies }] }, { profile })
    expect(engine.evaluate('f', { remoteAddress }).enabled).toBe(expected)
  })
})

test.each(BUILT_IN_STRATEGIES)('the engine knows $name', ({ name }) => {
  const features = [{ name: 'f', enabled: true, strategies: [{ name, parameters: {} }] }]
  expect(compile({ features }).warnings).toEqual([])
})

test.each([
  [{ name: 'nope', parameters: {} }, 'strategy "nope" is unknown'],
  [{ parameters: {} }, 'strategy "" is unknown'],
  [{ name: 'userWithId' }, 'strategy "userWithId" has no parameters'],
])('the engine warns about %j', (strategy, message) => {
  const { warnings } = compile({ features: [{ name: 'f', enabled: true, strategies: [strategy] }] })
  expect(warnings).toEqual([{ feature: 'f', message }])
})
