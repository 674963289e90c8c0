import type { EdgeToken } from '@burgee/edge/tokens/edge-token'
import { TokenRefused, TokenUndecided } from '@burgee/edge/tokens/token-refusal'
import { TokenRegistry, type TokenRegistryDeps } from '@burgee/edge/tokens/token-registry'
import type { HttpUpstream } from '@burgee/edge/upstream/http-upstream'
import { toNetwork } from '@burgee/kit/http/client-network'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer, TOKENS } from '../../http/scenario.ts'
import { keptLog } from '../../support/kept-log.ts'
import { openRelay, type Relay } from '../../support/relay.ts'
import { until } from '../../support/wait.ts'
import { upstreamAt } from '../upstream-of-server.ts'

/** Token validation of an edge with a real server, over a real socket. */
const NEVER_MS = 3_600_000
const INTERVAL_MS = 200

let server: TestServer
let relay: Relay
let upstream: HttpUpstream
let book: TokenRegistry
/** Number of tokens in each request to the upstream. */
let asked: number[] = []

beforeAll(async () => {
  // the server's rate limits would distort the counts
  server = await startServer({ tokenGuessLimitPerMinute: 1_000_000, edgeValidateLimitPerMinute: 1_000_000 })
  const { port } = await server.server.listen()
  relay = await openRelay({ host: '127.0.0.1', port })
})
afterEach(async () => {
  book.close()
  await upstream.close()
  relay.become('through')
})
afterAll(async () => {
  await relay.close()
  await server.close()
})

const open = (more: Partial<TokenRegistryDeps> = {}): TokenRegistry => {
  asked = []
  upstream = upstreamAt(`http://127.0.0.1:${relay.port}`)
  const validate = (tokens: readonly string[]) => {
    asked.push(tokens.length)
    return upstream.validate(tokens)
  }
  book = new TokenRegistry({
    upstream: { validate },
    startTokens: [TOKENS.client],
    pretrustedTokens: [],
    isDynamic: false,
    guessLimitPerMinute: 1_000_000,
    revalidationIntervalMs: NEVER_MS,
    monotonic: PROCESS_CLOCK,
    random: Math.random,
    logger: SILENT,
    ...more,
  })
  book.start()
  return book
}
const settled = () => until(() => book.fetching.isSettled)
const made = async (type: string, environment = 'development'): Promise<{ secret: string }> => {
  const name = `${type}-${environment}`
  return server.admin('POST /api/admin/api-tokens', { tokenName: name, type, environment, projects: ['default'] })
}
/** Alternates between networks. Each network uses a part of the tokens. */
const outcome = (text: string, at = 0): Promise<string> =>
  book.admit(text, { network: toNetwork(`192.0.2.${at % 4}`), kind: 'sdk' }).then(
    ({ kind, environment, projects }: EdgeToken) => `${kind} ${environment} ${projects}`,
    (error: unknown) => {
      if (error instanceof TokenRefused) return error.reason
      return error instanceof TokenUndecided ? `${error.reason} ${error.status}` : String(error)
    },
  )

test('tokens get the answer of the server', async () => {
  open()
  await settled()
  expect([
    await outcome(TOKENS.client),
    await outcome((await made('client')).secret),
    await outcome(TOKENS.frontend),
    await outcome(TOKENS.production),
    await outcome(TOKENS.admin),
    await outcome('default:development.nobody-made-this'),
  ]).toEqual([
    'backend development default',
    'backend development default',
    'frontend development default',
    ...['not-covered', 'kind', 'unknown'],
  ])
  expect(asked).toEqual([1, 1, 1, 1, 1, 1])
})

test('a token that is deleted at the server is gone within the interval; so is all that a token of the start covered', async () => {
  const [start, shown] = [await made('client', 'production'), await made('client', 'production')]
  open({ startTokens: [TOKENS.client, start.secret], revalidationIntervalMs: INTERVAL_MS })
  await settled()
  expect(await outcome(shown.secret)).toBe('backend production default')
  expect(await outcome(TOKENS.frontend)).toBe('frontend development default')
  const removed: string[] = []
  book.subscribe({ added: () => {}, removed: ({ text }) => removed.push(text) })
  await server.admin(`DELETE /api/admin/api-tokens/${start.secret}`)
  await until(() => removed.length === 2)
  expect(removed).toEqual([start.secret, shown.secret])
  expect(await outcome(shown.secret)).toBe('not-covered')
  expect(book.find(TOKENS.frontend)?.kind).toBe('frontend')
  await server.admin(`DELETE /api/admin/api-tokens/${shown.secret}`)
})

test('during an outage known tokens work, others are rejected, and the server is not asked in vain', async () => {
  const { logger, lines } = keptLog()
  open({ revalidationIntervalMs: INTERVAL_MS, logger })
  await settled()
  await outcome(TOKENS.frontend)
  const fresh = await made('client')
  relay.become('refused')
  await until(() => lines.length > 0)
  asked = []
  for (let times = 0; times < 20; times += 1) expect(await outcome(fresh.secret)).toBe('upstream undefined')
  expect(asked.length).toBeLessThanOrEqual(2)
  expect(book.find(TOKENS.frontend)?.environment).toBe('development')
  expect(book.fetching.current().map(({ text }) => text)).toEqual([TOKENS.client])
  relay.become('through')
  await until(async () => (await outcome(fresh.secret)) === 'backend development default')
  await until(() => lines.length === 2)
  expect(lines.join('\n')).not.toContain(fresh.secret)
})

test('tokens of the start that the server gets only later are taken then', async () => {
  relay.become('refused')
  open()
  expect(await outcome(TOKENS.frontend)).toMatch(/^upstream/)
  expect(book.fetching.isSettled).toBe(false)
  relay.become('through')
  await settled()
  expect(book.fetching.current().map(({ environment }) => environment)).toEqual(['development'])
})

test('250 tokens at once are three or four requests, and all are answered', async () => {
  open()
  await settled()
  asked = []
  const good = Array.from({ length: 3 }, () => made('frontend'))
  const texts = [...(await Promise.all(good)).map(({ secret }) => secret), ...invented(247)]
  const outcomes = await Promise.all(texts.map((text) => outcome(text)))
  expect(outcomes.filter((is) => is === 'frontend development default')).toHaveLength(3)
  expect(outcomes.filter((is) => is === 'unknown')).toHaveLength(247)
  expect([Math.max(...asked), asked.reduce((sum, count) => sum + count)]).toEqual([100, 250])
  expect(asked.length).toBeLessThanOrEqual(4)
})

test('ten thousand invented tokens are a dozen requests, a thousand remembered, and those known are not touched', async () => {
  open()
  await settled()
  await outcome(TOKENS.frontend)
  asked = []
  const outcomes = await Promise.all(invented(10_000).map(outcome))
  expect(new Set(outcomes)).toEqual(new Set(['unknown', 'crowded 429']))
  expect(asked.length).toBeLessThanOrEqual(12)
  expect([book.pendingCount, book.rejectedCount, book.all().length]).toEqual([0, 1000, 2])
  expect(await outcome(TOKENS.frontend)).toBe('frontend development default')
})

let inventions = 0
function invented(count: number): string[] {
  inventions += 1
  return Array.from({ length: count }, (_, at) => `default:development.invented-${inventions}-${at}`)
}
