import type { Unleash } from 'unleash-client'
import type { IToggle, UnleashClient } from 'unleash-proxy-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { callAs } from '../support/call-as.ts'
import { nodeSdk, webSdk } from '../support/sdks.ts'
import { until } from '../support/wait.ts'

/**
 * The unmodified official SDKs connect to the server over real sockets. The test creates the flags through the admin
 * API. All SDKs must return the same results, whether the SDK or the server evaluates the flags.
 */
const ADMIN = '*:*.admin-secret'
const CLIENT = 'default:development.client-secret'
const FRONTEND = 'default:development.frontend-secret'
const PAYLOAD = { type: 'json', value: '{"hex":"#00f"}' }

const folder = temporaryFolder()
let server: BurgeeProcess
let url: string

const admin = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  callAs(ADMIN, method, `${url}/api/admin/${path}`, body)

const FEATURES = 'projects/default/features'
const turn = (name: string, state: 'on' | 'off') =>
  admin('POST', `${FEATURES}/${name}/environments/development/${state}`)

async function createFlag(name: string, strategy: object, more: object = {}): Promise<void> {
  await admin('POST', FEATURES, { name, ...more })
  await admin('POST', `${FEATURES}/${name}/environments/development/strategies`, strategy)
  await turn(name, 'on')
}

const rollout = (name: string, percent: number, stickiness = 'default') => {
  return { name: 'flexibleRollout', parameters: { rollout: String(percent), stickiness, groupId: name } }
}

beforeAll(async () => {
  server = runBurgee(['server'], {
    DATA_DIR: folder.path,
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
    INIT_FRONTEND_API_TOKENS: FRONTEND,
  })
  url = `http://127.0.0.1:${await server.find(/listening on port (\d+)/)}`
  await admin('POST', 'context', { name: 'tenant', stickiness: true })
  const segment = await admin<{ id: number }>('POST', 'segments', {
    name: 'staff',
    constraints: [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@staff.example'] }],
  })
  await createFlag('parent', rollout('parent', 100))
  await createFlag('child', rollout('child', 100))
  await admin('POST', `${FEATURES}/child/dependencies`, { feature: 'parent' })
  await createFlag('for-staff', { ...rollout('for-staff', 100), segments: [segment.id] })
  await createFlag('half-of-tenants', rollout('half-of-tenants', 50, 'tenant'))
  const variant = (name: string, weight: number) => {
    return { name, weight, weightType: 'variable', stickiness: 'tenant', payload: PAYLOAD }
  }
  const variants = [variant('blue', 500), variant('green', 500)]
  await createFlag('coloured', { ...rollout('coloured', 100), variants }, { impressionData: true })
})
afterAll(async () => {
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  folder.remove()
})

const TENANTS = Array.from({ length: 40 }, (_, index) => `tenant-${index}`)
/** Results of flags that depend on the context. */
interface Answers {
  readonly flags: Record<string, boolean>
  readonly half: boolean
  readonly colour: string
}

async function withNodeSdk(work: (sdk: Unleash) => Promise<void>): Promise<void> {
  const sdk = nodeSdk({ url: `${url}/api`, instanceId: 'node-1', customHeaders: { Authorization: CLIENT } })
  const errors: unknown[] = []
  sdk.on('error', (error) => errors.push(error))
  try {
    await new Promise((resolve) => sdk.once('synchronized', resolve))
    await work(sdk)
    expect(errors).toEqual([])
  } finally {
    sdk.destroy()
  }
}

async function withWebSdk(usePOSTrequests: boolean, work: (sdk: UnleashClient) => Promise<void>): Promise<void> {
  const sdk = webSdk({
    url: `${url}/api/frontend`,
    clientKey: FRONTEND,
    usePOSTrequests,
    context: { userId: '7', properties: { tenant: TENANTS[0] ?? '', email: 'a@staff.example' } },
  })
  const errors: unknown[] = []
  sdk.on('error', (error: unknown) => errors.push(error))
  try {
    await sdk.start()
    await work(sdk)
    expect(errors).toEqual([])
  } finally {
    sdk.stop()
  }
}

const contextOf = (tenant: string, email = 'a@staff.example') => ({ userId: '7', properties: { tenant, email } })

/** Returns the Node SDK's local results for each tenant. */
function evaluated(sdk: Unleash): Answers[] {
  return TENANTS.map((tenant) => {
    const context = contextOf(tenant)
    const names = ['parent', 'child', 'for-staff']
    return {
      flags: Object.fromEntries(names.map((name) => [name, sdk.isEnabled(name, context)])),
      half: sdk.isEnabled('half-of-tenants', context),
      colour: sdk.getVariant('coloured', context).name,
    }
  })
}

/** Returns the results that front ends of a tenant get from the server. */
async function told(tenant: string): Promise<Answers> {
  const query = new URLSearchParams({
    userId: '7',
    'properties[tenant]': tenant,
    'properties[email]': 'a@staff.example',
  })
  const reply = await fetch(`${url}/api/frontend?${query}`, { headers: { authorization: FRONTEND } })
  const { toggles } = (await reply.json()) as { toggles: IToggle[] }
  const isOn = (name: string) => toggles.some((toggle) => toggle.name === name)
  return {
    flags: { parent: isOn('parent'), child: isOn('child'), 'for-staff': isOn('for-staff') },
    half: isOn('half-of-tenants'),
    colour: toggles.find(({ name }) => name === 'coloured')?.variant.name ?? '',
  }
}

describe('unleash-client, polling', () => {
  test('evaluates rollouts, segments, variants and stickiness of its own as the server does for front ends', async () => {
    await withNodeSdk(async (sdk) => {
      const answers = evaluated(sdk)
      expect(answers).toEqual(await Promise.all(TENANTS.map(told)))
      // custom stickiness hashes by tenant, so that both halves and both colors occur among them
      expect(new Set(answers.map(({ half }) => half))).toEqual(new Set([true, false]))
      expect(new Set(answers.map(({ colour }) => colour))).toEqual(new Set(['blue', 'green']))
      expect(evaluated(sdk)).toEqual(answers)
      expect(sdk.getVariant('coloured', contextOf('tenant-1'))).toMatchObject({ enabled: true, payload: PAYLOAD })
      expect(sdk.isEnabled('for-staff', contextOf('tenant-1', 'a@guest.example'))).toBe(false)
    })
  })

  test('a child is off while its parent is', async () => {
    await withNodeSdk(async (sdk) => {
      expect(sdk.isEnabled('child', contextOf('t'))).toBe(true)
      await turn('parent', 'off')
      await until(() => !sdk.isEnabled('parent', contextOf('t')))
      expect(sdk.isEnabled('child', contextOf('t'))).toBe(false)
      await turn('parent', 'on')
      await until(() => sdk.isEnabled('child', contextOf('t')))
    })
  })

  test('a segment that changes is in effect without a change of the flag', async () => {
    const staff = (domain: string) =>
      admin('PUT', 'segments/1', {
        name: 'staff',
        constraints: [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: [domain] }],
      })
    await withNodeSdk(async (sdk) => {
      await staff('@other.example')
      await until(() => !sdk.isEnabled('for-staff', contextOf('t')))
      await staff('@staff.example')
      await until(() => sdk.isEnabled('for-staff', contextOf('t')))
    })
  })

  test('its registration and its counts, by variant, are in the store', async () => {
    await withNodeSdk(async (sdk) => {
      const { name: colour } = sdk.getVariant('coloured', contextOf('tenant-1'))
      await until(async () => (await counted('coloured', 'node-service'))[colour])
      await until(async () => (await instances('node-service')).includes('node-1'))
    })
  })
})

describe.each([false, true])('unleash-proxy-client against /api/frontend (POST: %s)', (usePOSTrequests) => {
  test('gets flags, variants and payloads for its context, and follows it', async () => {
    await withWebSdk(usePOSTrequests, async (sdk) => {
      const impressions: unknown[] = []
      sdk.on('impression', (event: unknown) => impressions.push(event))
      for (const tenant of TENANTS.slice(0, 8)) {
        await sdk.updateContext(contextOf(tenant))
        const wanted = await told(tenant)
        await until(() => sdk.getVariant('coloured').name === wanted.colour)
        await until(() => sdk.isEnabled('half-of-tenants') === wanted.half)
        expect(sdk.getVariant('coloured')).toMatchObject({ enabled: true, payload: PAYLOAD })
        for (const [name, isOn] of Object.entries(wanted.flags))
          expect([name, sdk.isEnabled(name)]).toEqual([name, isOn])
      }
      expect(impressions.length).toBeGreaterThan(0)
      await sdk.updateContext(contextOf('tenant-1', 'a@guest.example'))
      await until(() => !sdk.isEnabled('for-staff'))
    })
  })

  test('sees a parent go off, and its child with it', async () => {
    await withWebSdk(usePOSTrequests, async (sdk) => {
      await until(() => sdk.isEnabled('child'))
      await turn('parent', 'off')
      await until(() => !sdk.isEnabled('child') && !sdk.isEnabled('parent'))
      await turn('parent', 'on')
      await until(() => sdk.isEnabled('child'))
    })
  })

  test('its counts, by variant, are in the store', async () => {
    await withWebSdk(usePOSTrequests, async (sdk) => {
      const before = await counted('coloured', 'web')
      const { name: colour } = sdk.getVariant('coloured')
      await until(async () => ((await counted('coloured', 'web'))[colour] ?? 0) > (before[colour] ?? 0))
    })
  })
})

/** Returns the variant counts of a flag from one application. */
async function counted(flag: string, appName: string): Promise<Record<string, number>> {
  const { data } = await admin<{
    data: { appName: string; environment: string; variants?: Record<string, number> }[]
  }>('GET', `client-metrics/features/${flag}/raw`)
  const own = data.filter((row) => row.appName === appName && row.environment === 'development')
  const sums = new Map<string, number>()
  for (const row of own) {
    for (const [name, count] of Object.entries(row.variants ?? {})) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return Object.fromEntries(sums)
}

/** Returns the registered instances of an application in development. */
async function instances(appName: string): Promise<string[]> {
  const path = `metrics/instances/${appName}/environment/development`
  const { instances: found } = await admin<{ instances: { instanceId: string }[] }>('GET', path)
  return found.map(({ instanceId }) => instanceId)
}
