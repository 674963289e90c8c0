import { createRequire } from 'node:module'
import type { PlaygroundResult } from '@burgee/protocol/playground'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** The playground's bucket, limit and sticky value must match an official SDK. */
const { normalizedStrategyValue: bucketOf, normalizedVariantValue: variantBucketOf } = createRequire(import.meta.url)(
  'unleash-client/lib/strategy/util.js',
) as {
  normalizedStrategyValue(id: string, groupId: string): number
  normalizedVariantValue(id: string, groupId: string, total: number): number
}

let server: TestServer
const as = 'admin'
const P = '/api/admin/projects/default/features'
const rollout = (parameters: object, more: object = {}) => ({ name: 'flexibleRollout', parameters, ...more })
const two = [
  { name: 'a', weight: 250, weightType: 'fix', stickiness: 'default' },
  { name: 'b', weight: 1, stickiness: 'default' },
]

/** Flags by name, one per rule. */
const FLAGS: Readonly<Record<string, object>> = {
  half: rollout({ rollout: '50', groupId: 'g' }),
  'by-colour': rollout({ rollout: '100', stickiness: 'colour' }),
  chance: rollout({ rollout: '100', stickiness: 'random' }),
  unmet: rollout({ rollout: '100' }, { constraints: [{ contextName: 'x', operator: 'IN', values: ['y'] }] }),
  old: { name: 'gradualRolloutUserId', parameters: { groupId: 'old' } },
  everyone: { name: 'default' },
  variants: rollout({ rollout: '100', groupId: 'v' }, { variants: two }),
}

beforeAll(async () => {
  server = await startServer()
  for (const [name, strategy] of [...Object.entries(FLAGS), ['own', { name: 'default' }] as const]) {
    await server.call({ as, call: `POST ${P}`, body: { name } })
    const made = { as, call: `POST ${P}/${name}/environments/development/strategies`, body: strategy }
    expect((await server.call(made)).statusCode).toBe(200)
    await server.call({ as, call: `POST ${P}/${name}/environments/development/on` })
  }
  const variants = [{ ...two[0], overrides: [{ contextName: 'userId', values: ['boss'] }] }, two[1]]
  await server.call({ as, call: `PUT ${P}/own/environments/development/variants`, body: variants })
})
afterAll(() => server.close())

async function resultOf(name: string, context: object): Promise<PlaygroundResult> {
  const body = { environments: ['development'], context: { appName: 'app', ...context } }
  const reply = await server.call({ as, call: 'POST /api/admin/playground/advanced', body })
  return reply.json().features.find((one: { name: string }) => one.name === name).environments.development[0]
}

const by = (stickiness: string, stickinessValue: string | null, groupId: string) => ({
  stickiness,
  stickinessValue,
  groupId,
})

describe('the reason of a result', () => {
  test.each([
    ['half', { userId: '1' }, { ...by('default', '1', 'g'), bucket: bucketOf('1', 'g'), limit: 50 }],
    ['half', { userId: '2' }, { ...by('default', '2', 'g'), bucket: bucketOf('2', 'g'), limit: 50 }],
    ['half', { sessionId: 's' }, { ...by('default', 's', 'g'), bucket: bucketOf('s', 'g'), limit: 50 }],
    ['half', {}, { ...by('default', null, 'g'), bucket: 'random', limit: 50 }],
    [
      'by-colour',
      { colour: 'red' },
      { ...by('colour', 'red', 'by-colour'), bucket: bucketOf('red', 'by-colour'), limit: 100 },
    ],
    ['by-colour', { userId: '1' }, { ...by('colour', null, 'by-colour'), bucket: null, limit: 100 }],
    ['chance', { userId: '1' }, { ...by('random', null, 'chance'), bucket: 'random', limit: 100 }],
    ['unmet', { userId: '1' }, { ...by('default', '1', 'unmet'), bucket: bucketOf('1', 'unmet'), limit: 100 }],
    ['old', { userId: '1' }, { ...by('userId', '1', 'old'), bucket: bucketOf('1', 'old'), limit: null }],
    ['everyone', { userId: '1' }, undefined],
  ])('%s for %j: %j', async (name, context, decision) => {
    const result = await resultOf(name, context)
    const [strategy] = result.strategies.data
    expect(strategy?.decision).toEqual(decision)
    if (typeof decision?.bucket === 'number' && name !== 'unmet') {
      expect(result.isEnabled).toBe(decision.bucket <= (decision.limit ?? 0))
    }
  })

  const ranges = [
    { name: 'a', from: 0, to: 250 },
    { name: 'b', from: 250, to: 1000 },
  ]
  test.each(['1', '2', '3', '4', '5'])('the variant of a strategy for user %s', async (userId) => {
    const { variant, variantDecision, strategies } = await resultOf('variants', { userId })
    const bucket = variantBucketOf(userId, 'v', 1000)
    expect(variantDecision).toEqual({
      source: 'strategy',
      ...by('default', userId, 'v'),
      bucket,
      total: 1000,
      chosen: bucket <= 250 ? 'a' : 'b',
      ranges,
    })
    expect(strategies.data[0]?.variantDecision).toEqual(variantDecision)
    expect(variant?.name).toBe(variantDecision?.chosen)
  })

  test('the variant of a flag, by an override and by its bucket', async () => {
    const rest = { source: 'feature', total: 1000, ranges }
    expect((await resultOf('own', { userId: 'boss' })).variantDecision).toEqual({
      ...rest,
      ...by('default', 'boss', 'own'),
      bucket: null,
      chosen: 'a',
      override: { contextName: 'userId', value: 'boss' },
    })
    const bucket = variantBucketOf('1', 'own', 1000)
    const chosen = bucket <= 250 ? 'a' : 'b'
    const decision = { ...rest, ...by('default', '1', 'own'), bucket, chosen }
    expect((await resultOf('own', { userId: '1' })).variantDecision).toEqual(decision)
  })

  test('no variants, nothing decided', async () => {
    expect(await resultOf('everyone', {})).not.toHaveProperty('variantDecision')
  })

  test('the same in the simple form', async () => {
    const body = { environment: 'development', context: { appName: 'app', userId: '1' } }
    const reply = await server.call({ as, call: 'POST /api/admin/playground', body })
    const found = reply.json().features.find((one: { name: string }) => one.name === 'half')
    expect(found.strategies.data[0].decision.bucket).toBe(bucketOf('1', 'g'))
  })
})
