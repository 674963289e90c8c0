import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import type { Unleash } from 'unleash-client'
import type { UnleashClient } from 'unleash-proxy-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TOKENS } from '../../http/scenario.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { nodeSdk, webSdk } from '../../support/sdks.ts'
import { until } from '../../support/wait.ts'
import { type EdgeScene, startScene } from './edge-scene.ts'

/**
 * A guarded release, with the official SDKs at a server, an edge and a proxy: a plan with steps of one minute, and a
 * safeguard on a counter that the SDKs report.
 */
const MINUTE_MS = 60_000
const FLAG = 'guarded'
const FEATURES = '/api/admin/projects/default/features'
const ENVIRONMENT = `${FEATURES}/${FLAG}/environments/development`
const USERS = Array.from({ length: 400 }, (_, index) => `user-${index}`)
let now = Date.parse('2027-01-01T00:00:00Z')
let scene: EdgeScene
let proxy: TestProxy
const servers: Record<string, Unleash> = {}
const pages: Record<string, UnleashClient> = {}

const milestone = (percent: number, intervalMinutes?: number) => ({
  name: `${percent} %`,
  ...(intervalMinutes === undefined ? {} : { transitionCondition: { intervalMinutes } }),
  strategies: [
    { strategyName: 'flexibleRollout', parameters: { rollout: String(percent), stickiness: 'userId', groupId: FLAG } },
  ],
})

beforeAll(async () => {
  scene = await startScene({ METRICS_INTERVAL_SECONDS: '1', FEATURES_REFRESH_INTERVAL_SECONDS: '1' }, () => now)
  proxy = await startProxy({
    flagUrl: `${scene.serverUrl}/api`,
    flagApiToken: TOKENS.client,
    expServerSideSdkConfig: { tokens: [KEY] },
    metricsInterval: 200,
    refreshInterval: 100,
  })
  await scene.server.admin(`POST ${FEATURES}`, { name: FLAG })
  const ends = {
    server: {
      url: `${scene.serverUrl}/api`,
      page: `${scene.serverUrl}/api/frontend`,
      key: TOKENS.frontend,
      token: TOKENS.client,
    },
    edge: {
      url: `${scene.edge.url}/api`,
      page: `${scene.edge.url}/api/frontend`,
      key: TOKENS.frontend,
      token: TOKENS.client,
    },
    proxy: { url: `${proxy.url}/proxy`, page: `${proxy.url}/proxy`, key: KEY, token: KEY },
  }
  for (const [name, { url, page, key, token }] of Object.entries(ends)) {
    servers[name] = nodeSdk({ url, appName: `node-${name}`, customHeaders: { Authorization: token } })
    pages[name] = webSdk({ url: page, appName: `web-${name}`, clientKey: key })
    await pages[name].start()
  }
})
afterAll(async () => {
  for (const sdk of Object.values(servers)) sdk.destroy()
  for (const sdk of Object.values(pages)) sdk.stop()
  await proxy.close()
  await scene.close()
})

/** Returns the users for whom the flag is on, according to one SDK. */
const listUsers = (sdk: Unleash) => USERS.filter((userId) => sdk.isEnabled(FLAG, { userId }))

/** Waits until all SDKs agree that about the given percentage of the users has the flag, and returns these users. */
async function waitForShare(percent: number): Promise<string[]> {
  const isShare = (users: readonly string[]) => Math.abs(users.length / USERS.length - percent / 100) < 0.08
  const users = await until(() => {
    const [first = [], ...others] = Object.values(servers).map(listUsers)
    return isShare(first) && others.every((other) => other.join() === first.join()) ? first : undefined
  })
  const [inside, outside] = [users[0], USERS.find((user) => !users.includes(user))]
  for (const page of Object.values(pages)) {
    for (const [userId, isOn] of [
      [inside, true],
      [outside, false],
    ] as const) {
      if (userId === undefined) continue
      await page.updateContext({ userId })
      await until(() => page.isEnabled(FLAG) === isOn)
    }
  }
  return users
}

const readPlan = async (): Promise<ReleasePlan> => (await scene.server.admin(`GET ${ENVIRONMENT}/release-plans`))[0]

async function passMinute(): Promise<void> {
  now += MINUTE_MS
  await scene.server.server.flush()
  await scene.server.server.applyDue()
}

const readErrors = async (): Promise<number> => {
  await scene.server.server.flush()
  const data = await scene.server.admin(
    'GET /api/admin/impact-metrics/data?metricName=errors&timeRange=hour&aggregationMode=count',
  )
  return (data.series[0]?.points ?? []).reduce((sum: number, [, value]: [number, number]) => sum + value, 0)
}

test('a plan serves 25, 50 and 100 %, and its safeguard steps back within two minutes', async () => {
  const body = { name: 'Steps', milestones: [milestone(25, 1), milestone(50, 1), milestone(100)] }
  const { id: templateId } = await scene.server.admin('POST /api/admin/release-plan-templates', body)
  const { id } = await scene.server.admin(`POST ${ENVIRONMENT}/release-plans`, { templateId })
  await scene.server.admin(`PUT ${ENVIRONMENT}/release-plans/${id}/safeguards`, {
    impactMetric: { metricName: 'errors', timeRange: 'hour', aggregationMode: 'count' },
    triggerCondition: { operator: '>', threshold: 10 },
    action: { type: 'previousMilestone' },
  })
  await scene.server.admin(`POST ${ENVIRONMENT}/on`)
  const first = await waitForShare(25)
  // each SDK reports one error, so that the metric is not silent
  for (const { impactMetrics } of Object.values(servers)) {
    impactMetrics.defineCounter('errors', 'Errors')
    impactMetrics.incrementCounter('errors')
  }
  await until(async () => (await readErrors()) === 3)
  await passMinute()
  const second = await waitForShare(50)
  expect(second).toEqual(expect.arrayContaining(first))
  await passMinute()
  expect(await waitForShare(100)).toEqual(USERS)

  servers.edge?.impactMetrics.incrementCounter('errors', 6)
  servers.proxy?.impactMetrics.incrementCounter('errors', 6)
  await until(async () => (await readErrors()) === 9)
  const before = now
  while ((await readPlan()).safeguards[0]?.status !== 'tripped' && now - before < 2 * MINUTE_MS) await passMinute()
  const { milestones, activeMilestoneId, safeguards } = await readPlan()
  // the proxy's totals count as public, because pages report to the proxy too
  expect(safeguards).toMatchObject([{ status: 'watching' }])
  expect(milestones.find((one) => one.id === activeMilestoneId)?.name).toBe('100 %')

  servers.edge?.impactMetrics.incrementCounter('errors', 6)
  await until(async () => (await readErrors()) === 21)
  while ((await readPlan()).safeguards[0]?.status !== 'tripped' && now - before < 4 * MINUTE_MS) await passMinute()
  const tripped = await readPlan()
  expect(tripped.safeguards).toMatchObject([{ status: 'tripped', trip: { threshold: 10 } }])
  expect(tripped.milestones.find((one) => one.id === tripped.activeMilestoneId)?.name).toBe('50 %')
  expect(await waitForShare(50)).toEqual(second)
})
