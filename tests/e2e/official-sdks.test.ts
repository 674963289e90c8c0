import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { callAs } from '../support/call-as.ts'
import { nodeSdk, webSdk } from '../support/sdks.ts'
import { until } from '../support/wait.ts'

/** The unmodified official SDKs connect to the real command over real sockets. */
const ADMIN = '*:*.admin-secret'
const CLIENT = 'default:development.client-secret'
const WEB_KEY = 'web-key'
const FEATURE = 'sdk-story'
const FEATURES = '/api/admin/projects/default/features'

const folder = temporaryFolder()
let server: BurgeeProcess
let proxy: BurgeeProcess
let serverUrl: string
let proxyUrl: string

beforeAll(async () => {
  server = runBurgee(['server'], {
    DATA_DIR: folder.path,
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
  })
  serverUrl = `http://127.0.0.1:${await server.find(/listening on port (\d+)/)}`
  proxy = runBurgee(['proxy'], {
    UNLEASH_URL: `${serverUrl}/api`,
    UNLEASH_API_TOKEN: CLIENT,
    UNLEASH_PROXY_CLIENT_KEYS: WEB_KEY,
    PROXY_PORT: '0',
    FLAG_FETCH_INTERVAL: '50',
    FLAG_METRICS_INTERVAL: '100',
  })
  proxyUrl = `http://127.0.0.1:${await proxy.find(/listening on port (\d+)/)}/proxy`
  await until(async () => (await fetch(`${proxyUrl}/health`)).status === 200)
  await createFeature()
})
afterAll(async () => {
  proxy.kill('SIGTERM')
  expect(await proxy.ended).toBe(0)
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  folder.remove()
})

const admin = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  callAs(ADMIN, method, `${serverUrl}${path}`, body)

async function createFeature(): Promise<void> {
  await admin('POST', FEATURES, { name: FEATURE, impressionData: true })
  await admin('POST', `${FEATURES}/${FEATURE}/environments/development/strategies`, {
    name: 'flexibleRollout',
    parameters: { rollout: '100', stickiness: 'default', groupId: FEATURE },
    constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
    variants: [
      {
        name: 'blue',
        weight: 1000,
        weightType: 'variable',
        stickiness: 'default',
        payload: { type: 'json', value: '{"hex":"#00f"}' },
      },
    ],
  })
}
const turn = (state: 'on' | 'off') => admin('POST', `${FEATURES}/${FEATURE}/environments/development/${state}`)

const BLUE = { name: 'blue', enabled: true, payload: { type: 'json', value: '{"hex":"#00f"}' } }

describe('unleash-client against the server', () => {
  test('sees a flag flip, its variant and its payload', async () => {
    const sdk = nodeSdk({ url: `${serverUrl}/api`, customHeaders: { Authorization: CLIENT } })
    sdk.on('error', () => {})
    const eu = { userId: '7', properties: { region: 'eu' } }
    try {
      // subscribe before the change, because the first sync may complete during it
      const isSynchronized = new Promise((resolve) => sdk.once('synchronized', resolve))
      await turn('off')
      await isSynchronized
      expect(sdk.isEnabled(FEATURE, eu)).toBe(false)
      await turn('on')
      await until(() => sdk.isEnabled(FEATURE, eu))
      expect(sdk.isEnabled(FEATURE, { userId: '7', properties: { region: 'us' } })).toBe(false)
      expect(sdk.getVariant(FEATURE, eu)).toMatchObject(BLUE)
      await turn('off')
      await until(() => !sdk.isEnabled(FEATURE, eu))
    } finally {
      sdk.destroy()
    }
  })
})

describe.each([false, true])('unleash-proxy-client against the proxy (POST: %s)', (usePOSTrequests) => {
  test('sees a flag flip, its variant and payload; its metrics arrive at the server', async () => {
    const sdk = webSdk({
      url: proxyUrl,
      clientKey: WEB_KEY,
      usePOSTrequests,
      context: { userId: '7', properties: { region: 'eu' } },
    })
    const impressions: unknown[] = []
    sdk.on('impression', (event: unknown) => impressions.push(event))
    try {
      await turn('off')
      await sdk.start()
      await until(() => !sdk.isEnabled(FEATURE))
      await turn('on')
      await until(() => sdk.isEnabled(FEATURE))
      expect(sdk.getVariant(FEATURE)).toMatchObject(BLUE)
      expect(impressions.length).toBeGreaterThan(0)
      await sdk.updateContext({ userId: '7', properties: { region: 'us' } })
      await until(() => !sdk.isEnabled(FEATURE))
      await until(async () => (await seenVariants()) > 0)
    } finally {
      sdk.stop()
    }
  })
})

/** Returns how many times the proxy has reported the variant to the server on behalf of its SDKs. */
async function seenVariants(): Promise<number> {
  const { data } = await admin<{
    data: { appName: string; environment: string; yes: number; variants?: Record<string, number> }[]
  }>('GET', `/api/admin/client-metrics/features/${FEATURE}/raw`)
  const own = data.filter((row) => row.appName === 'flag-proxy' && row.environment === 'development' && row.yes > 0)
  return own.reduce((sum, row) => sum + (row.variants?.blue ?? 0), 0)
}
