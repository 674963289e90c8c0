import type { Unleash } from 'unleash-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { endServerClients, serverClient } from '../../support/openfeature.ts'
import { nodeSdk, webSdk } from '../../support/sdks.ts'
import { until } from '../../support/wait.ts'
import { type EdgeNode, edgeNode, ended, runEdge } from './edge-node.ts'
import {
  fillUpstream,
  flagOf,
  START_TOKENS,
  seenBy,
  startUpstreamServer,
  type TokenName,
  type UpstreamServer,
} from './upstream-server.ts'

/**
 * The unmodified official SDKs run at the same time against an edge, an edge with two workers, and an edge behind
 * another edge.
 */
const folder = temporaryFolder()
let server: UpstreamServer
let tokens: Readonly<Record<TokenName, string>>
const edges: EdgeNode[] = []

async function start(env: Readonly<Record<string, string>>): Promise<EdgeNode> {
  const own = { TOKENS: Object.values(START_TOKENS).join(), METRICS_INTERVAL_SECONDS: '1', ...env }
  const edge = await edgeNode(runEdge(own))
  edges.push(edge)
  await edge.ready()
  return edge
}

beforeAll(async () => {
  server = await startUpstreamServer(folder.path)
  tokens = await fillUpstream(server)
})
afterAll(async () => {
  await endServerClients()
  for (const { process } of edges.reverse()) expect(await ended(process)).toBe(0)
  expect(await ended(server.process)).toBe(0)
  folder.remove()
})

const TOKEN_NAMES: readonly TokenName[] = ['shopBackend', 'bankBackend', 'shopWeb', 'bankWeb', 'allWeb', 'twoWeb']
const isBackend = (name: TokenName): boolean => name.endsWith('Backend')
const MODES = {
  polling: { type: 'polling', format: 'full' },
  delta: { type: 'polling', format: 'delta' },
  streaming: { type: 'streaming' },
} as const

/** Arrangement of one or more edges. Returns the edge that SDKs connect to. */
type Chain = () => Promise<EdgeNode>
const CHAINS: Readonly<Record<string, Chain>> = {
  'one edge': () => start({ UPSTREAM_URL: server.url }),
  'an edge that polls each second': () =>
    start({ UPSTREAM_URL: server.url, FLAG_STREAMING: 'off', FEATURES_REFRESH_INTERVAL_SECONDS: '1' }),
  'an edge of two workers': () => start({ UPSTREAM_URL: server.url, WORKERS: '2' }),
  'an edge behind an edge': async () => start({ UPSTREAM_URL: (await start({ UPSTREAM_URL: server.url })).base }),
}

describe.each(Object.entries(CHAINS))('%s', (_name, chain) => {
  let edge: EdgeNode
  beforeAll(async () => {
    edge = await chain()
  })

  test.each(TOKEN_NAMES)('%s sees its own flags and no others', async (name) => {
    const token = tokens[name]
    const seen = isBackend(name) ? await edge.download(token) : await edge.frontend(token)
    // ignore all other flags, which belong to other tests
    expect(Array.isArray(seen) ? seen.filter((flag) => flag.includes('-in-')) : seen).toEqual(seenBy(name))
  })

  test.concurrent.each(Object.entries(MODES))(
    'the Node SDK, %s, follows a change and reports as itself',
    async (mode, how) => {
      const flag = await fresh(`node-${mode}`)
      const appName = `app-${flag}`
      const sdk: Unleash = nodeSdk({
        url: `${edge.base}/api`,
        appName,
        customHeaders: { Authorization: tokens.shopBackend },
        experimentalMode: how,
      })
      const errors: unknown[] = []
      sdk.on('error', (error) => errors.push(error))
      try {
        await until(() => sdk.isSynchronized())
        expect(sdk.isEnabled(flagOf('shop', 'development'))).toBe(true)
        expect(sdk.isEnabled(flagOf('shop', 'production'))).toBe(false)
        expect(sdk.isEnabled(flagOf('bank', 'development'))).toBe(false)
        await server.turn('shop', flag, 'development', 'on')
        await until(() => sdk.isEnabled(flag))
        await server.turn('shop', flag, 'development', 'off')
        await until(() => !sdk.isEnabled(flag))
        await until(() => hasReported(appName, flag))
        expect(errors).toEqual([])
      } finally {
        sdk.destroy()
      }
    },
  )

  test.concurrent.each([
    ['/api/frontend', false],
    ['/api/frontend', true],
    ['/api/proxy', false],
    ['/api/proxy', true],
  ] as const)('the web SDK at %s, by POST %s, follows a change and its context', async (path, usePOSTrequests) => {
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }]
    const flag = await fresh('web', { name: 'flexibleRollout', parameters: { rollout: '100' }, constraints })
    const appName = `web-${flag}`
    const url = `${edge.base}${path}`
    const sdk = webSdk({ url, appName, clientKey: tokens.shopWeb, usePOSTrequests, context: { userId: '7' } })
    const errors: unknown[] = []
    sdk.on('error', (error: unknown) => errors.push(error))
    try {
      await sdk.start()
      expect(sdk.isEnabled(flagOf('shop', 'development'))).toBe(true)
      expect(sdk.isEnabled(flagOf('bank', 'development'))).toBe(false)
      await server.turn('shop', flag, 'development', 'on')
      await until(() => sdk.isEnabled(flag))
      await sdk.updateContext({ userId: '8' })
      expect(sdk.isEnabled(flag)).toBe(false)
      await until(() => hasReported(appName, flag))
      expect(errors).toEqual([])
    } finally {
      sdk.stop()
    }
  })

  test("OpenFeature's server SDK is answered within its token", async () => {
    const client = await serverClient(edge.base, { Authorization: tokens.bankWeb })
    const context = { targetingKey: '7' }
    expect(await client.getBooleanValue(flagOf('bank', 'development'), false, context)).toBe(true)
    expect(await client.getBooleanValue(flagOf('shop', 'development'), false, context)).toBe(false)
  })
})

/** Returns true if the server has received an application's usage of a flag. */
async function hasReported(appName: string, flag: string): Promise<boolean> {
  const path = `client-metrics/features/${flag}/raw`
  const { data } = await server.admin<{ data: { appName: string; yes: number }[] }>('GET', path)
  return data.some((row) => row.appName === appName && row.yes > 0)
}

let made = 0
/** Creates a new flag in the project `shop`, which is off. */
async function fresh(name: string, strategy?: object): Promise<string> {
  made += 1
  const flag = `${name}-${made}`
  await server.make('shop', flag, strategy)
  return flag
}
