import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StartedEdge } from '@burgee/edge/edge-process'
import type { Context } from '@burgee/protocol/context'
import { EVALUATION_PROFILES, type EvaluationProfile, PROFILE_HEADER } from '@burgee/protocol/evaluation-profile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runEvaluate } from '../../bin/src/evaluate/evaluate-command.ts'
import { drawnCase } from '../conformance/drawn-documents.ts'
import { ask } from '../edge/http/edge-scene.ts'
import { runEdge } from '../edge/http/running-edge.ts'
import { startServer, type TestServer, TOKENS } from '../http/scenario.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { KEY, startProxy, type TestProxy } from '../support/proxy.ts'

/**
 * Random contexts that vary everything in an installation that can affect the result of a flag. The flags are random as
 * well, within the limits that the server sets. Flags whose result would depend on chance or on a generated session id
 * are excluded.
 */
const CASES = 6
const CONTEXTS = 8
const API = '/api/admin/projects/default/features'

interface DrawnStrategy {
  readonly name: string
  readonly parameters: Readonly<Record<string, string>>
  readonly constraints: readonly object[]
  readonly variants?: readonly { readonly stickiness?: string; readonly overrides?: unknown }[]
}

/** Returns true for a strategy that has no randomness and nothing that only a stored document can contain. */
function isCertain({ name, parameters, variants = [] }: DrawnStrategy): boolean {
  const stickiness = [parameters.stickiness, ...variants.map((variant) => variant.stickiness)]
  if (name.startsWith('gradual') || name === 'custom') return false
  if (name === 'flexibleRollout' && parameters.groupId === undefined) return false
  return !stickiness.some((one) => one === 'random' || one === 'missing')
}

/** Additional strategies for IPv6 addresses, in all notations. */
const BY_ADDRESS = ['2001:db8::/32', '2001:DB8:0::1', '10.0.0.0/8, ::1'].map((IPs) => ({
  name: 'remoteAddress',
  parameters: { IPs },
  constraints: [],
}))

const STRATEGIES = Array.from({ length: CASES }, (_, number) => drawnCase(number))
  .flatMap(({ document }) => document.features as readonly { readonly strategies: readonly DrawnStrategy[] }[])
  .flatMap(({ strategies }) => strategies)
  .filter(isCertain)

/**
 * Default values for fields of every context, so that no field is generated. The environment is the one that the tokens
 * are for.
 */
const DEFAULTS = { userId: 'nobody', sessionId: 'none', remoteAddress: '2001:db8::1', appName: 'walk' }

const WALK: readonly Context[] = Array.from({ length: CASES }, (_, number) => drawnCase(number))
  .flatMap(({ contexts }) => contexts.slice(0, CONTEXTS))
  .map((context) => ({
    ...DEFAULTS,
    ...context,
    environment: 'development',
    properties: { country: 'norway', größe: 'klein', ...context.properties },
  }))

interface Installation {
  readonly server: TestServer
  readonly serverUrl: string
  readonly edge: StartedEdge
  readonly behind: StartedEdge
  readonly proxy: TestProxy
  /** File with the flags in the format that SDKs download. */
  readonly file: string
  readonly names: readonly string[]
}

const folder = temporaryFolder()
afterAll(folder.remove)

async function start(profile: EvaluationProfile): Promise<Installation> {
  const server = await startServer({ evaluationProfile: profile })
  const { url: serverUrl } = await server.server.listen()
  for (const [number, strategy] of [...BY_ADDRESS, ...STRATEGIES].entries()) {
    const name = `flag-${number}`
    const own = `${API}/${name}/environments/development`
    await server.admin(`POST ${API}`, { name })
    const { statusCode } = await server.call({ as: 'admin', call: `POST ${own}/strategies`, body: strategy })
    if (statusCode === 200) await server.admin(`POST ${own}/on`)
  }
  const edge = await runEdge({ UPSTREAM_URL: serverUrl, TOKENS: TOKENS.client })
  const behind = await runEdge({ UPSTREAM_URL: edge.url, TOKENS: TOKENS.client })
  const proxy = await startProxy({
    flagUrl: `${serverUrl}/api`,
    flagApiToken: TOKENS.client,
    enableAllEndpoint: true,
    trustProxy: false,
  })
  const { text, json } = await ask(serverUrl, 'GET /api/client/features', { token: TOKENS.client })
  const file = join(folder.path, `${profile}.json`)
  writeFileSync(file, text)
  const { features } = json as { readonly features: readonly { readonly name: string; readonly enabled: boolean }[] }
  const names = features.filter(({ enabled }) => enabled).map(({ name }) => name)
  return { server, serverUrl, edge, behind, proxy, file, names }
}

/** Decision of each flag: off, on, or the name of the variant. */
type Decisions = Readonly<Record<string, string>>

interface Toggle {
  readonly name: string
  readonly enabled: boolean
  readonly variant: { readonly name: string; readonly enabled: boolean }
}

const decisionOf = ({ enabled, variant }: Pick<Toggle, 'enabled' | 'variant'>) => {
  if (!enabled) return 'off'
  return variant.enabled ? variant.name : 'on'
}

async function toggles(url: string, call: string, token: string, context: Context): Promise<Decisions> {
  const { json, text } = await ask(url, call, { token, body: { context } })
  const list = (json as { readonly toggles?: readonly Toggle[] }).toggles
  if (list === undefined) throw new Error(text)
  return Object.fromEntries(list.map((toggle) => [toggle.name, decisionOf(toggle)]))
}

async function ofrep(url: string, context: Context): Promise<Decisions> {
  const { properties, userId, ...fields } = context
  const sent = { context: { ...properties, ...fields, targetingKey: userId } }
  const { json } = await ask(url, 'POST /ofrep/v1/evaluate/flags', { token: TOKENS.frontend, body: sent })
  const { flags } = json as {
    readonly flags: readonly { readonly key: string; readonly variant?: string; value: unknown }[]
  }
  return Object.fromEntries(flags.map(({ key, variant, value }) => [key, value === false ? 'off' : (variant ?? 'on')]))
}

async function playground({ server }: Installation, context: Context): Promise<Decisions> {
  const body = { environment: 'development', projects: ['default'], context }
  const { features } = await server.admin('POST /api/admin/playground', body)
  return Object.fromEntries(
    (features as (Toggle & { isEnabled: boolean })[]).map((one) => [
      one.name,
      decisionOf({ ...one, enabled: one.isEnabled }),
    ]),
  )
}

async function evaluate(place: readonly string[], names: readonly string[], context: Context): Promise<Decisions> {
  const [at = '', ...options] = place
  const decisions: Record<string, string> = {}
  for (const name of names) {
    const { text } = await runEvaluate([at, name, '--json', '--context', JSON.stringify(context), ...options])
    const { isEnabled, variant } = JSON.parse(text)
    decisions[name] = decisionOf({ enabled: isEnabled, variant })
  }
  return decisions
}

describe.each(EVALUATION_PROFILES)('with the profile %s', (profile) => {
  let installation: Installation
  beforeAll(async () => {
    installation = await start(profile)
  }, 120_000)
  afterAll(async () => {
    const { server, edge, behind, proxy } = installation
    await proxy.close()
    await behind.close()
    await edge.close()
    await server.close()
  })
  const only = (decisions: Decisions) =>
    Object.fromEntries(installation.names.map((name) => [name, decisions[name] ?? 'off']))

  test('server and edge announce it, with 200 and 304', async () => {
    const { serverUrl, edge } = installation
    for (const url of [serverUrl, edge.url]) {
      const first = await ask(url, 'GET /api/client/features', { token: TOKENS.client })
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
      const again = await ask(url, 'GET /api/client/features', { token: TOKENS.client, headers })
      expect([first, again].map(({ status, headers: own }) => [status, own.get(PROFILE_HEADER)])).toEqual([
        [200, profile],
        [304, profile],
      ])
    }
  })

  test('everything that decides flags decides alike', { timeout: 120_000 }, async () => {
    const { serverUrl, edge, behind, proxy, names, file } = installation
    const { frontend } = TOKENS
    let isOn = 0
    for (const [number, context] of WALK.entries()) {
      const expected = only(await toggles(serverUrl, 'POST /api/frontend/all', frontend, context))
      isOn += Object.values(expected).filter((decision) => decision !== 'off').length
      const others = {
        edge: await toggles(edge.url, 'POST /api/frontend/all', frontend, context),
        'edge behind an edge': await toggles(behind.url, 'POST /api/frontend/all', frontend, context),
        proxy: await toggles(proxy.url, 'POST /proxy/all', KEY, context),
        playground: await playground(installation, context),
        'OFREP of the server': await ofrep(serverUrl, context),
        'OFREP of the edge': await ofrep(edge.url, context),
        ...(number % 8 === 0 && { evaluate: await evaluate([file, '--profile', profile], names, context) }),
      }
      for (const [component, decisions] of Object.entries(others)) {
        expect(only(decisions), `${component}: ${JSON.stringify(context)}`).toEqual(expected)
      }
    }
    const asked = WALK.length * names.length
    expect(names.length).toBeGreaterThan(40)
    expect(isOn / asked).toBeGreaterThan(0.1)
    expect(isOn / asked).toBeLessThan(0.9)
  })

  test('evaluate takes the profile that a server announces', async () => {
    const { serverUrl, names } = installation
    const [context = {}] = WALK
    const some = names.slice(0, 12)
    const expected = await toggles(serverUrl, 'POST /api/frontend/all', TOKENS.frontend, context)
    const decisions = await evaluate([serverUrl, '--token', TOKENS.client], some, context)
    expect(decisions).toEqual(Object.fromEntries(some.map((name) => [name, expected[name]])))
  })
})
