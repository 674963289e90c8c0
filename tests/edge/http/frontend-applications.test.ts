import { afterAll, beforeAll, expect, test } from 'vitest'
import { webSdk } from '../../support/sdks.ts'
import { until } from '../../support/wait.ts'
import { EDGE_TOKENS, type EdgeScene, startScene } from './edge-scene.ts'

/** Web and mobile SDKs never register, so the server adds them to the list of applications when they report metrics. */
let scene: EdgeScene
beforeAll(async () => {
  scene = await startScene({ METRICS_INTERVAL_SECONDS: '1' })
})
afterAll(() => scene.close())

interface Listed {
  readonly appName: string
  readonly strategies: readonly string[]
  readonly sdks?: readonly string[]
}

async function listed(appName: string): Promise<Listed | undefined> {
  await scene.server.server.flush()
  const { applications } = (await scene.server.admin('GET /api/admin/metrics/applications')) as {
    applications: Listed[]
  }
  return applications.find((one) => one.appName === appName)
}

test.each([
  ['page', () => scene.serverUrl],
  ['page-behind-edge', () => scene.edge.url],
])('the web SDK of "%s" is among the applications', async (appName, urlOf) => {
  const sdk = webSdk({ url: `${urlOf()}/api/frontend`, appName, clientKey: EDGE_TOKENS.frontend })
  try {
    await sdk.start()
    expect(sdk.isEnabled('always')).toBe(true)
    const found = await until(() => listed(appName))
    expect(found.sdks).toEqual([expect.stringMatching(/^unleash-js-sdk:/)])
  } finally {
    sdk.stop()
  }
})

test('a report removes nothing that a registration contained', async () => {
  const registration = {
    appName: 'both',
    instanceId: 'i',
    interval: 1,
    started: '2026-11-27T10:00:00Z',
    sdkVersion: 'x:1',
  }
  const call = (path: string, as: string, body: object) =>
    scene.server.call({ as, call: `POST ${path}`, body, status: 202 } as Parameters<typeof scene.server.call>[0])
  await call('/api/client/register', 'client', { ...registration, strategies: ['own'] })
  const times = { start: '2026-11-27T10:00:00Z', stop: '2026-11-27T10:01:00Z' }
  const bucket = { ...times, toggles: { always: { yes: 1, no: 0 } } }
  for (let round = 0; round < 2; round += 1) {
    await call('/api/frontend/client/metrics', 'frontend', { appName: 'both', instanceId: 'i', bucket })
    expect(await listed('both')).toMatchObject({ strategies: ['own'], sdks: ['x:1'] })
  }
})
