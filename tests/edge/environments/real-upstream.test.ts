import { createEnvironments } from '@burgee/edge/environments/edge-environments'
import { TokenRegistry } from '@burgee/edge/tokens/token-registry'
import { createUsage } from '@burgee/edge/usage/bulk-reporter'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { parseRevisionNumber } from '@burgee/serving/document/revision-tag'
import { DEFAULT_COLLECTION_LIMITS } from '@burgee/serving/impact/impact-bounds'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer, TOKENS } from '../../http/scenario.ts'
import { keptLog } from '../../support/kept-log.ts'
import { until } from '../../support/wait.ts'
import { upstreamAt } from '../upstream-of-server.ts'

/** Flags and usage of an edge in front of a real server, over real sockets. */
let server: TestServer
let url: string
const { logger, lines } = keptLog()
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  server = await startServer()
  const { port } = await server.server.listen()
  url = `http://127.0.0.1:${port}`
  await server.admin('POST /api/admin/projects/default/features', { name: 'greeting' })
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  lines.length = 0
})
afterAll(() => server.close())

function start(streaming: 'auto' | 'off') {
  const upstream = upstreamAt(url, { streaming, logger })
  const times = { clock: Date.now, monotonic: PROCESS_CLOCK, random: Math.random, logger }
  const book = new TokenRegistry({
    upstream,
    startTokens: [TOKENS.client, TOKENS.production],
    pretrustedTokens: [],
    ...times,
    isDynamic: false,
    revalidationIntervalMs: 3_600_000,
  })
  const sourceOf = (token: string) => upstream.createSource(token)
  const environments = createEnvironments({
    fetching: book.fetching,
    createSource: sourceOf,
    firstDataLimitMs: 5000,
    ...times,
  })
  const usage = createUsage({
    fetching: book.fetching,
    upstream,
    intervalMs: 60_000,
    impactLimits: DEFAULT_COLLECTION_LIMITS,
    ...times,
  })
  book.start()
  ends.push(async () => {
    book.close()
    await environments.close()
    await upstream.close()
  })
  return { book, environments, usage }
}

const isOn = (environments: ReturnType<typeof start>['environments'], environment: string) =>
  environments.peek(environment)?.flags.find(({ feature }) => feature.name === 'greeting')?.feature.enabled

/** Returns the revision that the server assigns to the download of a token. */
async function serverNumber(token: string): Promise<number | undefined> {
  const response = await fetch(`${url}/api/client/features`, { headers: { authorization: token } })
  await response.body?.cancel()
  return parseRevisionNumber(response.headers.get('etag') ?? undefined)
}

test.each(['off', 'auto'] as const)('flags follow the server, with its numbers (streams: %s)', async (streaming) => {
  const { book, environments } = start(streaming)
  await until(() => book.fetching.isSettled)
  await Promise.all(['development', 'production'].map((environment) => environments.get(environment)))
  const epoch = environments.completeUpTo('development')?.epoch
  const before = isOn(environments, 'development')
  const state = before === true ? 'off' : 'on'
  await server.admin(`POST /api/admin/projects/default/features/greeting/environments/development/${state}`)
  await until(() => isOn(environments, 'development') === !before)
  expect(isOn(environments, 'production')).toBe(false)
  const revision = environments.completeUpTo('development')
  expect([revision?.epoch, revision?.id]).toEqual([epoch, await serverNumber(TOKENS.client)])
})

test('counts and registrations reach the server in the names of the applications', async () => {
  const { book, usage } = start('off')
  await until(() => book.fetching.isSettled)
  const of = { lane: { environment: 'development', projects: ['default'] }, owner: undefined }
  usage.register(of, { appName: 'web', instanceId: 'one', sdkVersion: 'sdk:1', strategies: ['default'] })
  usage.count(of, 'web', [{ name: 'greeting', at: undefined, yes: 3, no: 1, variants: { blue: 2 } }])
  await usage.close(5000)
  expect([usage.getStatus().failures, usage.getStatus().waiting.flags]).toEqual([0, 0])
  await server.server.flush()
  const { data } = await server.admin('GET /api/admin/client-metrics/features/greeting/raw')
  expect(data[0]).toMatchObject({ appName: 'web', environment: 'development', yes: 3, no: 1, variants: { blue: 2 } })
  const { instances } = await server.admin('GET /api/admin/metrics/applications/web')
  expect(instances).toMatchObject([{ instanceId: 'one', sdkVersion: 'sdk:1', environment: 'development' }])
})
