import { startFakeServer, startTestRun, type TestRun, useTestFlags } from '@burgee/testing'
import type { Unleash } from 'unleash-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nodeSdk } from '../support/sdks.ts'
import { until } from '../support/wait.ts'

interface Flags {
  readonly checkout: boolean
  readonly color: 'blue' | 'red'
}

const COLORS = { enabled: false, variants: ['blue', 'red'] } as const

describe('hooks of a test framework', () => {
  const flags = useTestFlags<Flags>(
    { flags: { checkout: false, color: COLORS }, overrides: { checkout: true } },
    { beforeAll, afterEach, afterAll },
  )
  let sdk: Unleash
  beforeAll(() => {
    sdk = nodeSdk({ url: `${flags.url}/api`, customHeaders: { Authorization: flags.clientToken } })
  })
  afterAll(() => sdk.destroy())
  const state = () => [sdk.isEnabled('checkout'), sdk.getVariant('color').name]

  test('a test changes flags', async () => {
    await until(() => sdk.isEnabled('checkout'))
    await flags.set({ checkout: false, color: { variant: 'red' } })
    await expect.poll(state).toEqual([false, 'red'])
  })

  test('the next test has the overrides of the start', async () => {
    await expect.poll(state).toEqual([true, 'disabled'])
  })
})

test('an error names the hooks if the framework has no global ones', () => {
  expect(() => useTestFlags()).toThrow('beforeAll, afterEach, afterAll')
})

test('global hooks are used by default, at the server that is named', async () => {
  const ran: Record<string, (() => Promise<void>)[]> = { beforeAll: [], afterEach: [], afterAll: [] }
  for (const [name, runs] of Object.entries(ran)) Reflect.set(globalThis, name, (run: never) => runs.push(run))
  const runAll = (name: string) => Promise.all((ran[name] ?? []).map((run) => run()))
  await using server = await startFakeServer<Flags>({ flags: { checkout: false, color: COLORS } })
  try {
    // biome-ignore lint/correctness/useHookAtTopLevel: no hook of React
    const flags = useTestFlags<Flags>({ server, name: 'a file' })
    expect(() => flags.clientToken).toThrow('only in tests')
    await runAll('beforeAll')
    expect(flags.url).toBe(server.url)
    await flags.set({ checkout: true })
    await runAll('afterEach')
    await runAll('afterAll')
    const reply = await fetch(`${flags.url}/api/client/features`, { headers: { authorization: flags.clientToken } })
    expect(reply.status).toBe(403)
  } finally {
    for (const name of Object.keys(ran)) Reflect.deleteProperty(globalThis, name)
  }
})

test('the fake server has further flags and segments, and replaces its flags', async () => {
  const constraint = { contextName: 'userId', operator: 'IN', values: ['7'] }
  const strategies = [{ name: 'default', segments: [1] }]
  await using server = await startFakeServer({
    flags: { checkout: false },
    document: {
      features: [{ name: 'for-seven', enabled: true, strategies }],
      segments: [{ id: 1, constraints: [constraint] }],
    },
  })
  const listOn = async (userId: string) => {
    const headers = { authorization: server.frontendToken }
    const reply = await fetch(`${server.url}/api/frontend?userId=${userId}`, { headers })
    return ((await reply.json()) as { toggles: { name: string }[] }).toggles.map(({ name }) => name)
  }
  expect([await listOn('7'), await listOn('8')]).toEqual([['for-seven'], []])
  const run: TestRun = await startTestRun(server)
  await server.setFlags({ checkout: true })
  expect([await listOn('7'), await listOn('8')]).toEqual([['checkout', 'for-seven'], ['checkout']])
  await run.set({ checkout: false })
})

test('types reject unknown flags and variants', () => {
  const check = (run: TestRun<Flags>) => [
    // @ts-expect-error there is no such flag
    run.set({ chekout: true }),
    // @ts-expect-error there is no such variant
    run.set({ color: { variant: 'green' } }),
    // @ts-expect-error a flag without variants
    run.set({ checkout: { variant: 'red' } }),
  ]
  expect(check).toBeTypeOf('function')
})
