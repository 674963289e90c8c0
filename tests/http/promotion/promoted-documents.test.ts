import { compile } from '@burgee/engine'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { casesOf } from '../../support/cases.ts'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * After a complete promotion, both environments evaluate the flags in the same way for every user. Flags that were off
 * remain off for everyone unless their state is promoted as well. BURGEE_FUZZ_RUNS sets the number of environment
 * pairs, and BURGEE_FUZZ_SEED the seed.
 */
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 20260103)
const RUNS = casesOf('pairs of environments', { some: 6, full: 12 }, process.env.BURGEE_FUZZ_RUNS)
const P = '/api/admin/projects/default'
const FLAGS = 4
const USERS = Array.from({ length: 12 }, (_, index) => ({ userId: `u${index}`, properties: { plan: `${index % 3}` } }))

let server: TestServer
let runs = 0
const counts = { different: 0 }
beforeAll(async () => {
  server = await startServer({ initClientApiTokens: ['*:development.walk', '*:production.walk'] })
  for (const at of [1, 2]) {
    const constraints = [
      { contextName: 'userId', operator: 'IN', values: Array.from({ length: 6 }, (_, n) => `u${n * at}`) },
    ]
    await server.admin('POST /api/admin/segments', { name: `segment-${at}`, constraints })
  }
})
afterAll(() => server.close())

const variants = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
  .map((names) => names.map((name) => ({ name, weight: 0, payload: { type: 'string', value: name } })))
const strategy = fc.record({
  name: fc.constant('flexibleRollout'),
  title: fc.constantFrom(null, 'one', 'two'),
  disabled: fc.boolean(),
  parameters: fc.record({ rollout: fc.constantFrom('0', '50', '100'), groupId: fc.constantFrom('g', 'h') }),
  constraints: fc.array(fc.constant({ contextName: 'plan', operator: 'IN', values: ['0', '1'] }), { maxLength: 1 }),
  segments: fc.subarray([1, 2], { maxLength: 1 }),
  variants,
})
const other = fc.record({
  name: fc.constantFrom('default', 'userWithId'),
  parameters: fc.constant({ userIds: 'u1,u2,u3' }),
})
const state = fc.record({
  strategies: fc.array(fc.oneof({ weight: 3, arbitrary: strategy }, other), { maxLength: 3 }),
  variants,
  on: fc.boolean(),
})
const environment = fc.array(state, { minLength: FLAGS, maxLength: FLAGS })

async function fill(
  name: string,
  there: string,
  { strategies, variants: own, on }: typeof state extends fc.Arbitrary<infer T> ? T : never,
) {
  const place = `${P}/features/${name}/environments/${there}`
  for (const one of strategies) await server.admin(`POST ${place}/strategies`, one)
  await server.admin(`PUT ${place}/variants`, own)
  if (on) await server.admin(`POST ${place}/on`)
}

/** Evaluates each flag for each user. */
async function outcomes(names: readonly string[], there: string): Promise<object[][]> {
  const headers = { 'unleash-client-spec': '5.1.0' }
  const as = `*:${there}.walk`
  const document = (await server.call({ as, call: 'GET /api/client/features', headers })).json()
  const { engine } = compile(document)
  return names.map((name) => USERS.map((user) => engine.evaluate(name, user)))
}

const plan = (features: readonly string[], parts: readonly string[]) =>
  server.admin(`POST ${P}/environments/production/promotions/plan`, { from: 'development', features, parts })

async function promote(names: readonly string[], parts: readonly string[]): Promise<void> {
  const { features } = await plan(names, parts)
  if (features.length === 0) return
  const seen = features.map((one: { name: string; seen: string }) => ({ name: one.name, seen: one.seen }))
  await server.admin(`POST ${P}/environments/production/promotions`, { from: 'development', parts, features: seen })
}

test(
  'environments evaluate alike after a promotion',
  async () => {
    await fc.assert(
      fc.asyncProperty(environment, environment, async (development, production) => {
        runs += 1
        const names = development.map((_, index) => `run-${runs}-${index}`)
        for (const [index, name] of names.entries()) {
          await server.admin(`POST ${P}/features`, { name })
          await fill(name, 'development', development[index] as never)
          await fill(name, 'production', production[index] as never)
        }
        const isOn = (all: object[][]) =>
          all.map((one) => one.some((outcome) => (outcome as { enabled: boolean }).enabled))
        const before = isOn(await outcomes(names, 'production'))
        await promote(names, ['strategies', 'variants'])
        const flags = await Promise.all(names.map((name) => server.admin(`GET ${P}/features/${name}`)))
        for (const [index, flag] of flags.entries()) {
          const { enabled } = flag.environments.find((one: { name: string }) => one.name === 'production')
          if (production[index]?.on === false) expect(enabled, names[index]).toBe(false)
        }
        await promote(names, ['strategies', 'variants', 'enabled'])
        const [source, target] = [await outcomes(names, 'development'), await outcomes(names, 'production')]
        expect(target).toEqual(source)
        if (JSON.stringify(before) !== JSON.stringify(isOn(target))) counts.different += 1
        expect((await plan(names, ['strategies', 'variants', 'enabled'])).features).toEqual([])
        const path = `${P}/environments/production/comparison/development?features=${names.join(',')}`
        const { features } = await server.admin(`GET ${path}`)
        expect(features).toEqual(names.map((name) => ({ name, differences: [] })))
      }),
      { numRuns: RUNS, seed: SEED },
    )
    expect(counts.different).toBeGreaterThan(0)
  },
  RUNS * 20_000,
)
