import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** The playground agrees with what SDKs get from the download and from the frontend API. */

let server: TestServer
const A = '/api/admin'
const P = `${A}/projects/default`
const HALF = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default', groupId: 'g' } }
const OFF = { ...HALF, disabled: true }
const IN_PRODUCTION = { ...HALF, constraints: [{ contextName: 'environment', operator: 'IN', values: ['production'] }] }
const ELSEWHERE = { ...HALF, constraints: [{ contextName: 'environment', operator: 'NOT_IN', values: ['production'] }] }

const admin = (call: string, body?: unknown) => server.admin(call, body)

async function flag(name: string, strategies: readonly object[], environment = 'development'): Promise<string[]> {
  await admin(`POST ${P}/features`, { name })
  const E = `${P}/features/${name}/environments/${environment}`
  const ids: string[] = []
  for (const strategy of strategies) ids.push((await admin(`POST ${E}/strategies`, strategy)).id)
  await admin(`POST ${E}/on`)
  return ids
}

beforeAll(async () => {
  server = await startServer()
  await flag('plain', [HALF])
  await flag('elsewhere-only', [HALF], 'production')
  await flag('without-rollout', [{ name: 'flexibleRollout' }])
  const [own] = await flag('all-disabled', [HALF])
  await admin(`PUT ${P}/features/all-disabled/environments/development/strategies/${own}`, OFF)
  await flag('disabled-from-before', [OFF])
  await flag('none-from-before', [HALF])
  await flag('archived', [HALF])
  await flag('revived', [HALF])
  for (const name of ['in-production', 'elsewhere']) {
    const strategy = name === 'elsewhere' ? ELSEWHERE : IN_PRODUCTION
    await flag(name, [strategy])
    await admin(`POST ${P}/features/${name}/environments/production/strategies`, strategy)
    await admin(`POST ${P}/features/${name}/environments/production/on`)
  }
  // enabled without an enabled strategy, as in older databases
  await server.db.rows("delete from feature_strategies where feature_name = 'none-from-before'")
  await server.db.rows("delete from feature_strategies where feature_name = 'disabled-from-before' and disabled = 0")
  // the event makes the server reload the flag from the database
  for (const name of ['none-from-before', 'disabled-from-before']) {
    await admin(`POST ${A}/features/${name}/tags`, { type: 'simple', value: 'older' })
  }
  await admin(`POST ${P}/archive`, { features: ['archived', 'revived'] })
  await admin(`POST ${P}/revive`, { features: ['revived'] })
})
afterAll(() => server.close())

const CONTEXT = { appName: 'a', userId: '7' }

async function played(environment: string, context: object) {
  const body = { environments: [environment], context: { ...CONTEXT, ...context } }
  const { features } = await admin(`POST ${A}/playground/advanced`, body)
  return (name: string) =>
    features.find((one: { name: string }) => one.name === name)?.environments[environment][0] as
      | { isEnabled: boolean; isEnabledInCurrentEnvironment: boolean; context: Record<string, string> }
      | undefined
}

describe('results per environment', () => {
  test.each([
    ['plain', true, true],
    ['elsewhere-only', false, false],
    ['without-rollout', true, false],
    ['all-disabled', false, false],
    ['disabled-from-before', false, false],
    ['none-from-before', true, true],
    ['revived', false, false],
    ['archived', undefined, undefined],
  ])('%s: %s, and for user 7 %s', async (name, isEnabledInCurrentEnvironment, isEnabled) => {
    const find = async (call: string, as: string) => {
      const body = (await server.call({ as, call })).json()
      return (body.features ?? body.toggles).find((one: { name: string }) => one.name === name)
    }
    const own = (await played('development', {}))(name)
    expect(own?.isEnabledInCurrentEnvironment).toBe(isEnabledInCurrentEnvironment)
    expect((await find('GET /api/client/features', 'client'))?.enabled).toBe(isEnabledInCurrentEnvironment)
    expect(own?.isEnabled).toBe(isEnabled)
    expect((await find('GET /api/frontend?userId=7', 'frontend')) !== undefined).toBe(isEnabled === true)
    const simple = await admin(`POST ${A}/playground`, { environment: 'development', context: CONTEXT })
    const result = simple.features.find((one: { name: string }) => one.name === name)
    expect(result?.isEnabledInCurrentEnvironment).toBe(isEnabledInCurrentEnvironment)
  })
})

describe('a constraint on the environment', () => {
  const contexts = [
    {},
    { environment: 'production' },
    { environment: 'development' },
    { environment: 'mars,production' },
    { properties: { environment: 'production' } },
  ]
  test.each(contexts)('evaluates the requested environment with the context %j', async (context) => {
    for (const [environment, inProduction] of [
      ['production', true],
      ['development', false],
    ] as const) {
      const own = await played(environment, context)
      expect([own('in-production')?.isEnabled, own('elsewhere')?.isEnabled]).toEqual([inProduction, !inProduction])
      const wanted = Object.keys(context).length === 0 ? CONTEXT : { ...CONTEXT, environment }
      expect(own('elsewhere')?.context).toEqual(wanted)
      const body = { environment, context: { ...CONTEXT, ...context } }
      const { features } = await admin(`POST ${A}/playground`, body)
      const simple = features.find((one: { name: string }) => one.name === 'in-production')
      expect(simple.isEnabled).toBe(inProduction)
    }
  })

  test('sees the environment of the token in the frontend API', async () => {
    const call = 'GET /api/frontend?userId=7&environment=production'
    const { toggles } = (await server.call({ as: 'frontend', call })).json()
    const names = toggles.map((one: { name: string }) => one.name)
    expect([names.includes('in-production'), names.includes('elsewhere')]).toEqual([false, true])
  })
})
