import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Context } from '@burgee/protocol/context'
import { expect } from 'vitest'
import { until } from '../support/wait.ts'
import { CONTEXTS, FLAGS } from './decision-table.ts'
import type { ClientOptions, Decision, Driver } from './driver.ts'
import { isSame } from './expected-decisions.ts'
import type { Installation, Target } from './installation.ts'
import type { ObservingRelay } from './observing-relay.ts'
import scenarioFile from './scenarios.json' with { type: 'json' }
import type { SdkVersion } from './sdk-versions.ts'

/** One SDK version at one target. */
export interface Scene {
  readonly sdk: SdkVersion
  readonly target: Target
  readonly installation: Installation
  readonly driver: Driver
  readonly relay: ObservingRelay
  readonly folder: string
}

/** Entry of the scenario file. */
export type Scenario = (typeof scenarioFile.scenarios)[number]

/** Plays a scenario. Returns the flags with a wrong decision. Throws if anything else is wrong. */
type Play = (scene: Scene, scenario: Scenario) => Promise<readonly string[]>

const LIMIT_MS = 60_000
/** The edge answers 403 to tokens that the server does not know. */
const REFUSED_STATUSES = [401, 403]
const { intervalSeconds } = scenarioFile
const USER = { userId: 'user-1', sessionId: 'session-1', properties: {} }
/** Every seventh user: covers both sides of every limit, and is still fast in an interpreted language. */
const TABLE_CONTEXTS: readonly Context[] = CONTEXTS.filter((_context, number) => number % 7 === 0).map((context) => ({
  ...context,
}))
const TABLE_NAMES = FLAGS.map(({ name }) => name)

interface Client {
  readonly appName: string
  ask(flag: string, times?: number): Promise<boolean>
  decide(flags: readonly string[], contexts: readonly Context[]): Promise<readonly (readonly Decision[])[]>
  measure(name: string): Promise<void>
  stop(): Promise<void>
}

async function startClient(scene: Scene, name: string, more: Partial<ClientOptions> = {}): Promise<Client> {
  const { driver, target, relay, sdk, installation } = scene
  const client = `${name}-${randomUUID()}`
  const appName = `${sdk.package}-${sdk.version}-${target.name}-${name}`.replaceAll(/[^\w.-]/g, '-')
  const isRemote = sdk.features.includes('remote')
  await driver.send({
    do: 'start',
    client,
    url: `${relay.url}${isRemote ? '' : target.path}`,
    token: isRemote ? target.frontendToken : installation.clientToken,
    appName,
    instanceId: 'one',
    intervalSeconds,
    folder: scene.folder,
    ...more,
  })
  return {
    appName,
    ask: async (flag, times = 1) => {
      const { isEnabled } = await driver.send({ do: 'ask', client, flag, context: USER, times })
      return isEnabled === true
    },
    decide: async (flags, contexts) => (await driver.send({ do: 'decide', client, flags, contexts })).decisions ?? [],
    measure: async (metric) => {
      await driver.send({ do: 'measure', client, name: metric })
    },
    stop: async () => {
      await driver.send({ do: 'stop', client })
    },
  }
}

/** Starts a client, waits until it has flags, plays and stops it. */
async function withClient<T>(
  scene: Scene,
  name: string,
  more: Partial<ClientOptions>,
  play: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await startClient(scene, name, more)
  try {
    return await play(client)
  } finally {
    await client.stop()
  }
}

/** Creates a flag for this scene only that is on for everyone, and returns its name. */
async function addOwnFlag({ installation, sdk, target }: Scene, name: string, project?: string): Promise<string> {
  const flag = `${name}-${sdk.package}-${sdk.version}-${target.name}`.replaceAll(/[^\w.-]/g, '-')
  await installation.addFlag(flag, project === undefined ? {} : { project })
  return flag
}

/** Lists the requests for flags by all clients of this scene, from a position on. */
function fetchesSince({ relay }: Scene, position: number) {
  return relay.requests.slice(position).filter(({ path }) => /\/client\/(features|delta|streaming)/.test(path))
}

const playSpecification: Play = (scene) =>
  withClient(scene, 'specification', {}, async (client) => {
    await until(() => client.ask('on'), LIMIT_MS)
    const wrong = new Set<string>()
    for (const { flag, context, variant } of scene.installation.specification.cases) {
      const [[decision] = []] = await client.decide([flag], [context])
      const own = scene.installation.expected.decide(scene.sdk, flag, context)
      // in cases that only check on or off, the variant may be random
      const isRight = variant === undefined ? decision?.[0] === own[0] : isSame(decision, own)
      if (!isRight) wrong.add(flag)
    }
    return [...wrong]
  })

const playTable: Play = (scene) =>
  withClient(scene, 'table', {}, async (client) => {
    await until(() => client.ask('on'), LIMIT_MS)
    const decisions = await client.decide(TABLE_NAMES, TABLE_CONTEXTS)
    const isRight = (flag: string, column: number) =>
      TABLE_CONTEXTS.every((context, row) =>
        isSame(decisions[row]?.[column], scene.installation.expected.decide(scene.sdk, flag, context)),
      )
    return TABLE_NAMES.filter((flag, column) => !isRight(flag, column))
  })

async function expectFlip({ installation }: Scene, client: Client, flag: string): Promise<void> {
  await until(() => client.ask(flag), LIMIT_MS)
  await installation.turn(flag, 'off')
  await until(async () => !(await client.ask(flag)), LIMIT_MS)
  await installation.turn(flag, 'on')
  await until(() => client.ask(flag), LIMIT_MS)
}

const playPolling: Play = async (scene) => {
  const flag = await addOwnFlag(scene, 'polling')
  const start = scene.relay.requests.length
  await withClient(scene, 'polling', {}, async (client) => {
    await expectFlip(scene, client, flag)
    await until(() => fetchesSince(scene, start).some(({ status }) => status === 304), LIMIT_MS)
  })
  expect(new Set(fetchesSince(scene, start).map(({ status }) => status))).toEqual(new Set([200, 304]))
  return []
}

const playStreaming: Play = async (scene) => {
  const flag = await addOwnFlag(scene, 'streaming')
  const start = scene.relay.requests.length
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

const playCounts: Play = async (scene, { count = 0 }) => {
  const { installation, relay } = scene
  const flag = await addOwnFlag(scene, 'counts')
  const start = relay.requests.length
  const statuses = () =>
    relay.requests
      .slice(start)
      .filter(({ path, body }) => path.endsWith('/client/metrics') && body.includes(`"${flag}"`))
      .map(({ status }) => status)
  await withClient(scene, 'counts', {}, async (client) => {
    await until(() => client.ask('on'), LIMIT_MS)
    await client.ask(flag, count)
    await until(() => statuses().length > 0, LIMIT_MS)
  })
  await until(async () => (await readCounts(installation, flag)).yes >= count, LIMIT_MS)
  expect(await readCounts(installation, flag)).toEqual({ yes: count, no: 0 })
  expect(new Set(statuses())).toEqual(new Set([202]))
  return []
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

const playImpact: Play = async (scene, { metric = '' }) => {
  const { relay } = scene
  const start = relay.requests.length
  const posts = () => relay.requests.slice(start).filter(({ body }) => body.includes(`"${metric}"`))
  await withClient(scene, 'impact', {}, async (client) => {
    await until(() => client.ask('on'), LIMIT_MS)
    await client.measure(metric)
    await until(() => posts().length > 0, LIMIT_MS)
  })
  expect(new Set(posts().map(({ status }) => status))).toEqual(new Set([202]))
  return []
}

const playTokens: Play = async (scene) => {
  const { relay, target } = scene
  for (const token of await makeBadTokens(scene)) {
    const start = relay.requests.length
    await withClient(scene, 'tokens', { token, folder: join(scene.folder, randomUUID()) }, async (client) => {
      await until(() => relay.requests.length > start || scene.sdk.features.includes('remote'), LIMIT_MS)
      expect(await client.ask('on'), `${token} at ${target.name}`).toBe(false)
    })
    const accepted = relay.requests.slice(start).filter(({ status }) => !REFUSED_STATUSES.includes(status))
    expect(accepted, `${token} at ${target.name}`).toEqual([])
  }
  return []
}

/** Returns a wrong, a revoked and an expired token. The proxy knows its tokens from its own options. */
async function makeBadTokens({ installation: { admin }, target, sdk }: Scene): Promise<string[]> {
  const wrong = '*:development.wrong-secret'
  if (target.name === 'proxy') return [wrong]
  const type = sdk.features.includes('remote') ? 'frontend' : 'client'
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
  const isRemote = sdk.features.includes('remote')
  await withClient(scene, 'outage', {}, async (client) => {
    try {
      await until(() => client.ask(flag), LIMIT_MS)
      relay.setAway(true)
      await installation.turn(flag, 'off')
      for (let round = 0; round < 3; round += 1) expect(await client.ask(flag)).toBe(!isRemote)
    } finally {
      relay.setAway(false)
    }
    await until(async () => !(await client.ask(flag)), LIMIT_MS)
    await installation.turn(flag, 'on')
    await until(() => client.ask(flag), LIMIT_MS)
  })
  return []
}

/** The first client is not stopped in order before the second one starts, because some SDKs then delete their backup. */
const playBackup: Play = async (scene) => {
  const options = { folder: join(scene.folder, randomUUID()), appName: 'backup' }
  await withClient(scene, 'backup', options, async (first) => {
    await until(() => first.ask('on'), LIMIT_MS)
    scene.relay.setAway(true)
    try {
      await withClient(scene, 'backup', options, (second) => until(() => second.ask('on'), LIMIT_MS))
    } finally {
      scene.relay.setAway(false)
    }
  })
  return []
}

/** Plays a filter scenario: the matching flag is on, the other flag is unknown. */
async function expectFilter(scene: Scene, filter: Partial<ClientOptions>, matching: string, other: string) {
  const start = scene.relay.requests.length
  await withClient(scene, 'filter', { ...filter, folder: join(scene.folder, randomUUID()) }, async (client) => {
    await until(() => client.ask(matching), LIMIT_MS)
    expect(await client.ask(other)).toBe(false)
  })
  expect(fetchesSince(scene, start).every(({ path }) => path.includes('?'))).toBe(true)
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

/** Functions that play the scenarios of the scenario file, by name. */
export const PLAYS: Readonly<Record<string, Play>> = {
  specification: playSpecification,
  table: playTable,
  polling: playPolling,
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
