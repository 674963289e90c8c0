import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'vitest'
import { until } from '../support/wait.ts'
import type { ClientOptions } from './driver.ts'
import type { Installation } from './installation.ts'
import type { ObservedRequest } from './observing-relay.ts'
import { playSpecification, playTable } from './play-decisions.ts'
import type scenarioFile from './scenarios.json'
import { addOwnFlag, fetchesSince, LIMIT_MS, type Scene, type SdkClient, withClient } from './sdk-client.ts'

/** Entry of the scenario file. */
export type Scenario = (typeof scenarioFile.scenarios)[number]

/** Plays a scenario. Returns the flags with a wrong decision. Throws if anything else is wrong. */
type Play = (scene: Scene, scenario: Scenario) => Promise<readonly string[]>

/** Maximum time from the report of a value to the check of its safeguard. */
const CHECK_MS = 60_000
/** The edge answers 403 to tokens that the server does not know. */
const REFUSED_STATUSES = [401, 403]
const listStatuses = (requests: readonly ObservedRequest[]) => [...new Set(requests.map(({ status }) => status))].sort()

async function expectFlip({ installation }: Scene, client: SdkClient, flag: string): Promise<void> {
  await client.waitFor(flag, true)
  await installation.turn(flag, 'off')
  await client.waitFor(flag, false)
  await installation.turn(flag, 'on')
  await client.waitFor(flag, true)
}

const playPolling: Play = async (scene) => {
  const flag = await addOwnFlag(scene, 'polling')
  const start = scene.relay.position
  await withClient(scene, 'polling', {}, async (client) => {
    await expectFlip(scene, client, flag)
    expect(fetchesSince(scene, start).at(-1)?.isConditional).toBe(true)
    await until(() => fetchesSince(scene, start).some(({ status }) => status === 304), LIMIT_MS)
  })
  expect(listStatuses(fetchesSince(scene, start))).toEqual([200, 304])
  return []
}

const playDelta: Play = async (scene) => {
  const flag = await addOwnFlag(scene, 'delta')
  const start = scene.relay.position
  await withClient(scene, 'delta', { delta: true }, (client) => expectFlip(scene, client, flag))
  const fetches = fetchesSince(scene, start)
  expect(fetches.filter(({ path }) => !path.includes('/client/delta'))).toEqual([])
  expect(listStatuses(fetches).filter((status) => status !== 304)).toEqual([200])
  return []
}

const playStreaming: Play = async (scene) => {
  const flag = await addOwnFlag(scene, 'streaming')
  const start = scene.relay.position
  await withClient(scene, 'streaming', { streaming: true }, (client) => expectFlip(scene, client, flag))
  const streams = fetchesSince(scene, start).filter(({ path }) => path.includes('streaming'))
  const kinds = streams.map(({ status, contentType }) => `${status} ${contentType.split(';')[0]}`)
  expect(new Set(kinds)).toEqual(new Set(['200 text/event-stream']))
  return []
}

const playFlip: Play = async (scene) => {
  const flag = await addOwnFlag(scene, 'flip')
  await withClient(scene, 'flip', {}, (client) => expectFlip(scene, client, flag))
  return []
}

/** Each evaluation through OFREP counts as a use of the flag. Other clients report their counts themselves. */
const playCounts: Play = async (scene, { count = 0 }) => {
  const { installation, relay, sdk } = scene
  // ignores the name of the application, which every report contains
  const flag = await addOwnFlag(scene, 'counted')
  const later = await addOwnFlag(scene, 'counts-later')
  const start = relay.position
  const listReports = () =>
    relay.listSince(start).filter(({ path, body }) => path.endsWith('/client/metrics') && body.includes(`"${flag}"`))
  await withClient(scene, 'counts', {}, async (client) => {
    // once the SDK has the second flag, it also has the flag that is counted; waiting for the second flag adds no
    // counts to the first
    await client.waitFor(later, true)
    await client.ask(flag, count)
    // the SDK may send a report between two evaluations, and some SDKs drop the rest when they end
    const countReported = () => listReports().reduce((sum, { body }) => sum + readReportedYes(body, flag), 0)
    if (sdk.api !== 'ofrep') await until(() => countReported() >= count, LIMIT_MS).catch(() => undefined)
  })
  const hasAll = async () => {
    const { yes, no } = await readCounts(installation, flag)
    return yes + no >= count
  }
  // if counts are missing, the comparison below shows which ones arrived
  await until(hasAll, LIMIT_MS).catch(() => undefined)
  expect(await readCounts(installation, flag)).toEqual({ yes: count, no: 0 })
  expect(listStatuses(listReports()).filter((status) => status !== 202 && status !== 200)).toEqual([])
  return []
}

function readReportedYes(body: string, flag: string): number {
  const { bucket } = JSON.parse(body) as { bucket?: { toggles?: Record<string, { yes?: number }> } | null }
  return bucket?.toggles?.[flag]?.yes ?? 0
}

const playRegistration: Play = async (scene) => {
  const { admin } = scene.installation
  await withClient(scene, 'registration', {}, async ({ appName }) => {
    const path = `metrics/instances/${appName}/environment/development`
    const list = () => admin<{ instances: { instanceId: string }[] }>('GET', path)
    await until(async () => (await list()).instances.length > 0, LIMIT_MS)
    expect((await list()).instances.length).toBe(1)
  })
  return []
}

async function readCounts({ admin }: Installation, flag: string): Promise<{ yes: number; no: number }> {
  const { data } = await admin<{ data: { yes: number; no: number }[] }>('GET', `client-metrics/features/${flag}/raw`)
  const sum = (name: 'yes' | 'no') => data.reduce((total, row) => total + row[name], 0)
  return { yes: sum('yes'), no: sum('no') }
}

/** Returns the number of events of an impact metric that the server has stored. */
async function readImpact({ admin }: Installation, metric: string): Promise<number> {
  const query = `metricName=${metric}&timeRange=hour&aggregationMode=count`
  const { series } = await admin<{ series: { points: [number, number | null][] }[] }>(
    'GET',
    `impact-metrics/data?${query}`,
  )
  return series.flatMap(({ points }) => points).reduce((sum, [, value]) => sum + (value ?? 0), 0)
}

/** Adds a flag that is turned off as soon as an event of a metric is reported. Returns true once the flag is off. */
async function guardFlag(scene: Scene, metric: string): Promise<() => Promise<boolean>> {
  const flag = await addOwnFlag(scene, 'guarded')
  const { admin } = scene.installation
  const path = `projects/default/features/${flag}/environments/development/safeguards`
  await admin('PUT', path, {
    impactMetric: { metricName: metric, timeRange: 'hour', aggregationMode: 'count' },
    triggerCondition: { operator: '>', threshold: 0 },
    action: { type: 'disableEnvironment' },
  })
  return async () => {
    const [safeguard] = await admin<{ trip: object | null }[]>('GET', path)
    return safeguard?.trip != null
  }
}

const playImpact: Play = async (scene, { metric: name = '' }) => {
  const { relay, installation } = scene
  // values of another client must not trip the safeguard
  const metric = `${name}_${randomUUID().slice(0, 8)}`
  const hasTripped = await guardFlag(scene, metric)
  const start = relay.position
  const before = await readImpact(installation, metric)
  const listReports = () => relay.listSince(start).filter(({ body }) => body.includes(`"${metric}"`))
  await withClient(scene, 'impact', {}, async (client) => {
    await client.waitFor('on', true)
    await client.measure(metric)
    await until(() => listReports().length > 0, LIMIT_MS)
  })
  expect(listStatuses(listReports())).toEqual([202])
  // edge and proxy forward totals
  await until(async () => (await readImpact(installation, metric)) > before, LIMIT_MS)
  // any visitor can send the values that come from pages and proxies, so these values do not trip the safeguard
  if (scene.target.name !== 'proxy') await until(hasTripped, LIMIT_MS + CHECK_MS)
  return []
}

const playTokens: Play = async (scene) => {
  const { relay, target } = scene
  for (const token of await makeBadTokens(scene)) {
    const start = relay.position
    await withClient(scene, 'tokens', { token, folder: join(scene.folder, randomUUID()) }, async (client) => {
      await until(() => relay.listSince(start).length > 0 || scene.sdk.api === 'ofrep', LIMIT_MS)
      expect(await client.ask('on'), `${token} at ${target.name}`).toBe(false)
    })
    const own = relay.listSince(start).filter(({ authorization }) => authorization.includes(token))
    const accepted = own.filter(({ status }) => !REFUSED_STATUSES.includes(status))
    expect(accepted, `${token} at ${target.name}`).toEqual([])
  }
  return []
}

/** Returns a wrong, a revoked and an expired token. The proxy knows its tokens from its own options. */
async function makeBadTokens({ installation: { admin }, target, sdk }: Scene): Promise<string[]> {
  const wrong = '*:development.wrong-secret'
  if (target.name === 'proxy') return [wrong]
  const type = sdk.api === 'client' ? 'client' : 'frontend'
  const make = async (more: object) => {
    const body = { tokenName: randomUUID(), type, environment: 'development', projects: ['*'], ...more }
    return (await admin<{ secret: string }>('POST', 'api-tokens', body)).secret
  }
  const revoked = await make({})
  await admin('DELETE', `api-tokens/${encodeURIComponent(revoked)}`)
  return [wrong, revoked, await make({ expiresAt: '2001-01-01T00:00:00.000Z' })]
}

const playOutage: Play = async (scene) => {
  const { relay, installation, sdk } = scene
  const flag = await addOwnFlag(scene, 'outage')
  // if the SDK has no copy of the flags, the default in the application's code applies
  const hasCopy = sdk.api !== 'ofrep'
  await withClient(scene, 'outage', {}, async (client) => {
    await client.waitFor(flag, true)
    try {
      relay.setAway(true)
      await installation.turn(flag, 'off')
      for (let round = 0; round < 3; round += 1) expect(await client.ask(flag)).toBe(hasCopy)
    } finally {
      relay.setAway(false)
    }
    await client.waitFor(flag, false)
    await installation.turn(flag, 'on')
    await client.waitFor(flag, true)
  })
  return []
}

/**
 * The first client is stopped only after the second one has started, because some SDKs delete their backup when they
 * stop.
 */
const playBackup: Play = async (scene) => {
  const options = { folder: join(scene.folder, randomUUID()), appName: 'backup' }
  const start = scene.relay.position
  await withClient(scene, 'backup', options, async (first) => {
    await first.waitFor('on', true)
    // the SDK writes the backup of the first reply before its next poll
    await until(() => fetchesSince(scene, start).some(({ status }) => status === 304), LIMIT_MS)
    scene.relay.setAway(true)
    try {
      await withClient(scene, 'backup', options, (second) => second.waitFor('on', true))
    } finally {
      scene.relay.setAway(false)
    }
  })
  return []
}

/** Runs a filter scenario: the matching flag is on, and the other flag is unknown to the SDK. */
async function expectFilter(scene: Scene, filter: Partial<ClientOptions>, matching: string, other: string) {
  const start = scene.relay.position
  await withClient(scene, 'filter', { ...filter, folder: join(scene.folder, randomUUID()) }, async (client) => {
    await client.waitFor(matching, true)
    expect(await client.ask(other)).toBe(false)
  })
  expect(fetchesSince(scene, start).some(({ path }) => path.includes('?'))).toBe(true)
}

const playProject: Play = async (scene) => {
  const other = await addOwnFlag(scene, 'not-in-project')
  const matching = await addOwnFlag(scene, 'in-project', 'shop')
  await expectFilter(scene, { project: 'shop' }, matching, other)
  return []
}

const playPrefix: Play = async (scene) => {
  const matching = await addOwnFlag(scene, 'prefixed')
  await expectFilter(scene, { prefix: 'prefixed' }, matching, 'on')
  return []
}

const playTag: Play = async (scene) => {
  const matching = await addOwnFlag(scene, 'tagged')
  await scene.installation.admin('POST', `features/${matching}/tags`, { type: 'simple', value: 'sdk' })
  await expectFilter(scene, { tag: 'simple:sdk' }, matching, 'on')
  return []
}

/** Functions that run the scenarios of the scenario file, by name. */
export const PLAYS: Readonly<Record<string, Play>> = {
  specification: playSpecification,
  table: playTable,
  polling: playPolling,
  delta: playDelta,
  streaming: playStreaming,
  flip: playFlip,
  counts: playCounts,
  registration: playRegistration,
  impact: playImpact,
  tokens: playTokens,
  outage: playOutage,
  backup: playBackup,
  project: playProject,
  prefix: playPrefix,
  tag: playTag,
}
