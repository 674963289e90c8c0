import type { Unleash } from 'unleash-client'
import type { UnleashClient } from 'unleash-proxy-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFlagStream } from '../../http/sdk/streams/flag-stream.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { nodeSdk, webSdk } from '../../support/sdks.ts'
import { until } from '../../support/wait.ts'
import { EDGE_TOKENS, type EdgeScene, startScene } from './edge-scene.ts'

/** Two test runs at the same time, with the official SDKs at a server, an edge and a proxy. */
const FLAG = 'tested'
/** Flag that is on for contexts of the environment that the runs override. */
const CONSTRAINED = 'constrained'
const FEATURES = '/api/admin/projects/default/features'
const RUNS = '/api/admin/projects/default/test-runs'
const ENDS = ['server', 'edge', 'proxy'] as const

interface Run {
  readonly id: string
  readonly clientToken: string
  readonly frontendToken: string
}

let scene: EdgeScene
const proxies: TestProxy[] = []
const servers: Unleash[] = []
const pages: UnleashClient[] = []

beforeAll(async () => {
  scene = await startScene({ DYNAMIC: 'true', FEATURES_REFRESH_INTERVAL_SECONDS: '1' })
  await scene.server.admin(`POST ${FEATURES}`, { name: FLAG })
  await scene.server.admin(`POST ${FEATURES}/${FLAG}/environments/development/strategies`, {
    name: 'default',
    variants: [
      { name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' },
      { name: 'b', weight: 0, weightType: 'fix', stickiness: 'default' },
    ],
  })
  await scene.server.admin(`POST ${FEATURES}`, { name: CONSTRAINED })
  await scene.server.admin(`POST ${FEATURES}/${CONSTRAINED}/environments/development/strategies`, {
    name: 'default',
    constraints: [{ contextName: 'environment', operator: 'IN', values: ['development'] }],
  })
  await scene.server.admin(`POST ${FEATURES}/${CONSTRAINED}/environments/development/on`)
})
afterAll(async () => {
  for (const sdk of servers) sdk.destroy()
  for (const sdk of pages) sdk.stop()
  for (const proxy of proxies) await proxy.close()
  await scene.close()
})

const start = (overrides: object): Promise<Run> =>
  scene.server.admin(`POST ${RUNS}`, { environment: 'development', overrides })

/** Starts a Node SDK and a page at a server, an edge and a proxy, all with the tokens of one run. */
async function startSdks({ id, clientToken, frontendToken }: Run) {
  const proxy = await startProxy({
    flagUrl: `${scene.serverUrl}/api`,
    flagApiToken: clientToken,
    expServerSideSdkConfig: { tokens: [KEY] },
    refreshInterval: 100,
  })
  proxies.push(proxy)
  const ends = {
    server: { url: `${scene.serverUrl}/api`, page: `${scene.serverUrl}/api/frontend`, clientToken, frontendToken },
    edge: { url: `${scene.edge.url}/api`, page: `${scene.edge.url}/api/frontend`, clientToken, frontendToken },
    proxy: { url: `${proxy.url}/proxy`, page: `${proxy.url}/proxy`, clientToken: KEY, frontendToken: KEY },
  }
  const started: { readonly server: Unleash; readonly page: UnleashClient }[] = []
  for (const name of ENDS) {
    const { url, page, ...tokens } = ends[name]
    const server = nodeSdk({ url, appName: `node-${name}-${id}`, customHeaders: { Authorization: tokens.clientToken } })
    server.on('error', () => {})
    servers.push(server)
    // the edge fetches the flags of a run once a backend token asks for them
    await until(() => server.isSynchronized())
    const web = webSdk({ url: page, appName: `web-${name}`, clientKey: tokens.frontendToken })
    pages.push(web)
    await web.start()
    started.push({ server, page: web })
  }
  return started
}

type Sdks = Awaited<ReturnType<typeof startSdks>>

/** Waits until the flag has a state at all SDKs. */
async function waitFor(sdks: Sdks, isOn: boolean, variant?: string): Promise<void> {
  for (const { server, page } of sdks) {
    await until(() => server.isEnabled(FLAG) === isOn && page.isEnabled(FLAG) === isOn)
    if (variant === undefined) continue
    await until(() => server.getVariant(FLAG).name === variant && page.getVariant(FLAG).name === variant)
  }
}

test('two runs have different flags at a server, an edge and a proxy, and change during the test', async () => {
  const on = await start({ [FLAG]: { variant: 'b' } })
  const off = await start({ [FLAG]: false })
  const sdksOn = await startSdks(on)
  const sdksOff = await startSdks(off)
  await waitFor(sdksOn, true, 'b')
  await waitFor(sdksOff, false)
  const [atServer, atEdge] = sdksOff
  await until(() => atServer?.page.isEnabled(CONSTRAINED) && atEdge?.page.isEnabled(CONSTRAINED))
  await scene.server.admin(`PATCH ${RUNS}/${off.id}`, { overrides: { [FLAG]: { variant: 'a' } } })
  await waitFor(sdksOff, true, 'a')
  await waitFor(sdksOn, true, 'b')
  await scene.server.admin(`PATCH ${RUNS}/${on.id}`, { overrides: { [FLAG]: false } })
  await waitFor(sdksOn, false)
  await waitFor(sdksOff, true, 'a')
}, 60_000)

test('an edge rejects both tokens of a run soon after its end, and closes its streams', async () => {
  const run = await start({ [FLAG]: true })
  const download = () => scene.ask('GET /api/client/features', { token: run.clientToken })
  const evaluate = () => scene.ask('GET /api/frontend', { token: run.frontendToken })
  await until(async () => (await download()).status === 200)
  await until(async () => (await evaluate()).status === 200)
  const stream = await openFlagStream(scene.edge.url, run.clientToken, {})
  await scene.server.admin(`DELETE ${RUNS}/${run.id}`)
  await stream.ended
  await until(async () => (await download()).status === 403)
  await until(async () => (await evaluate()).status === 403)
  expect((await scene.ask('GET /api/client/features', { token: EDGE_TOKENS.client })).status).toBe(200)
}, 60_000)
