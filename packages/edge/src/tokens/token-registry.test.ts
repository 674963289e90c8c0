import { hash } from 'node:crypto'
import { toNetwork } from '@burgee/kit/http/client-network'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { UpstreamError } from '@burgee/serving/upstream/upstream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ValidatedToken } from '../upstream/upstream-interface.ts'
import type { TokenRequester } from './edge-token.ts'
import { TokenRefused, TokenUndecided } from './token-refusal.ts'
import { TokenRegistry, type TokenRegistryDeps } from './token-registry.ts'

/** Tokens that the simulated upstream knows: type and projects by token. An Error makes every request fail. */
type Script = Record<string, string> | Error

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LONG = 'x'.repeat(40)
const DEV = `*:dev.${LONG}`
const SHOP = `shop:dev.${LONG}`
const PAGE = `shop:dev.page-${LONG}`
const PROD = `shop:prod.${LONG}`

let script: Script
let asked: string[][]
let lines: string[]
let limitsGuesses: boolean
let book: TokenRegistry | undefined

beforeEach(() => {
  vi.useFakeTimers()
  script = { [DEV]: 'client *', [SHOP]: 'CLIENT shop', [PAGE]: 'Frontend shop', [PROD]: 'client shop' }
  asked = []
  lines = []
  limitsGuesses = false
})
afterEach(() => {
  book?.close()
  book = undefined
  vi.useRealTimers()
})

function answer(token: string): ValidatedToken[] {
  const known = script instanceof Error ? undefined : script[token]
  if (known === undefined) return []
  const [type = '', projects = '', environment = /:([^.]+)/.exec(token)?.[1] ?? ''] = known.split(' ')
  const types: Record<string, ValidatedToken['type']> = { client: 'backend', frontend: 'frontend', admin: 'admin' }
  return [{ token, type: types[type.toLowerCase()] ?? 'other', environment, projects: projects.split(',') }]
}

const say = (message: string) => void lines.push(message)
const logger = { debug: say, info: say, warn: say, error: say, fatal: say }

const open = (more: Partial<TokenRegistryDeps> = {}): TokenRegistry => {
  book = new TokenRegistry({
    upstream: {
      validate: async (tokens) => {
        asked.push([...tokens])
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (script instanceof Error) throw script
        const good = tokens.flatMap(answer)
        if (limitsGuesses && good.length === 0) throw new UpstreamError(429, '/edge/validate')
        return good
      },
    },
    startTokens: [DEV],
    pretrustedTokens: [],
    isDynamic: false,
    revalidationIntervalMs: HOUR,
    monotonic: PROCESS_CLOCK,
    random: () => 0.5,
    logger,
    guessLimitPerMinute: 1_000_000,
    ...more,
  })
  return book
}
const started = async (more: Partial<TokenRegistryDeps> = {}): Promise<TokenRegistry> => {
  const one = open(more)
  one.start()
  await vi.advanceTimersByTimeAsync(10)
  return one
}
/** Returns the result of sending a token: kind and projects, or the reason of the rejection. */
const show = async (one: TokenRegistry, text: string, from = asker()): Promise<string> => {
  const outcome = one.admit(text, from).then(
    ({ kind, environment, projects }) => `${kind} ${environment} ${projects}`,
    (error: unknown) => {
      if (error instanceof TokenRefused) return `refused: ${error.reason}`
      if (error instanceof TokenUndecided) return `undecided: ${error.reason} ${error.status ?? 'no answer'}`
      return String(error)
    },
  )
  await vi.advanceTimersByTimeAsync(MINUTE / 60)
  return outcome
}
const asker = (at = 0): TokenRequester => ({ network: toNetwork(`192.0.2.${at % 100}`), kind: 'sdk' })
const names = (tokens: readonly { readonly text: string }[]) => tokens.map(({ text }) => text)
const down = () => new Error('connect ECONNREFUSED')

describe('a token from an SDK', () => {
  test.each<{
    name: string
    token: string
    says?: Record<string, string>
    more?: Partial<TokenRegistryDeps>
    is: string
  }>([
    { name: 'nothing', token: '', is: 'refused: missing' },
    { name: 'no token', token: 'nonsense', is: 'refused: form' },
    { name: 'an unknown one', token: 'shop:dev.invented', is: 'refused: unknown' },
    { name: 'one of the start', token: DEV, is: 'backend dev *' },
    { name: 'one that is covered', token: SHOP, is: 'backend dev shop' },
    { name: 'one of a front end', token: PAGE, is: 'frontend dev shop' },
    { name: 'another environment', token: PROD, is: 'refused: not-covered' },
    { name: 'another environment, dynamic', token: PROD, more: { isDynamic: true }, is: 'backend prod shop' },
    { name: 'more than the start', token: DEV, more: { startTokens: [SHOP] }, is: 'refused: not-covered' },
    {
      name: 'several of the start together',
      token: `[]:dev.${LONG}`,
      says: { [SHOP]: 'client shop', [`b:dev.${LONG}`]: 'client b', [`[]:dev.${LONG}`]: 'client b,shop' },
      more: { startTokens: [SHOP, `b:dev.${LONG}`] },
      is: 'backend dev b,shop',
    },
    {
      name: 'a front end of another environment',
      token: PROD,
      says: { [DEV]: 'client *', [PROD]: 'frontend shop' },
      is: 'refused: not-covered',
    },
    {
      name: 'an administrator of all',
      token: PROD,
      says: { [DEV]: 'client *', [PROD]: 'admin * *' },
      is: 'refused: kind',
    },
    {
      name: 'an administrator of one',
      token: SHOP,
      says: { [DEV]: 'client *', [SHOP]: 'admin *' },
      is: 'backend dev *',
    },
    { name: 'a kind of the future', token: SHOP, says: { [DEV]: 'client *', [SHOP]: 'robot *' }, is: 'refused: kind' },
  ])('$name: $is', async ({ token, says, more, is }) => {
    script = says ?? script
    expect(await show(await started(more), token)).toBe(is)
  })

  test('causes one validation request for many callers', async () => {
    const one = await started()
    await Promise.all(Array.from({ length: 50 }, () => show(one, SHOP)))
    expect(asked).toEqual([[DEV], [SHOP]])
    expect(await show(one, SHOP)).toBe('backend dev shop')
    expect(asked).toHaveLength(2)
  })

  test('stays rejected for a minute without another validation request', async () => {
    const one = await started()
    for (let times = 0; times < 20; times += 1) expect(await show(one, 'a:dev.new')).toBe('refused: unknown')
    expect(asked).toHaveLength(2)
    Object.assign(script, { 'a:dev.new': 'client a' })
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(await show(one, 'a:dev.new')).toBe('backend dev a')
  })

  test('joins batches of a hundred, validated one after the other', async () => {
    const one = await started()
    await Promise.all(Array.from({ length: 250 }, (_, at) => show(one, `a:dev.${at}`)))
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(asked.slice(1).map(({ length }) => length)).toEqual([100, 100, 50])
  })
})

describe('ten thousand invented tokens', () => {
  test('at once: a thousand wait, the others fail immediately as undecided', async () => {
    const one = await started()
    const shown = Promise.all(Array.from({ length: 10_000 }, (_, at) => show(one, `a:dev.${at}`, asker(at))))
    const outcomes = await vi.advanceTimersByTimeAsync(MINUTE).then(() => shown)
    expect(outcomes.filter((is) => is === 'refused: unknown')).toHaveLength(1000)
    expect(outcomes.filter((is) => is === 'undecided: busy no answer')).toHaveLength(9000)
    // the tokens that arrived before the first request form a separate small batch
    expect(asked.length - 1).toBeLessThanOrEqual(12)
    expect([one.rejectedCount, one.pendingCount]).toEqual([1000, 0])
  })

  test('do not keep a good one out where the upstream limits guesses', async () => {
    const one = await started()
    limitsGuesses = true
    asked = []
    const shown = Array.from({ length: 900 }, (_, at) =>
      one.admit(`a:dev.${at}`, asker(at)).catch(({ status }) => status),
    )
    const good = one.admit(SHOP, asker())
    await vi.advanceTimersByTimeAsync(15_000)
    expect((await good).projects).toEqual(['shop'])
    const outcomes = await Promise.all(shown)
    expect(new Set(outcomes.slice(0, 700))).toEqual(new Set([429]))
    // one request a second
    expect(asked.length).toBeLessThanOrEqual(12)
  })

  test('one after the other: five questions a second, and ten thousand verdicts at the most', async () => {
    const one = await started()
    await vi.advanceTimersByTimeAsync(MINUTE)
    asked = []
    const began = performance.now()
    for (let at = 0; at < 300; at += 1) {
      const shown = one.admit(`a:dev.${at}`, asker(at)).catch(() => 'no')
      await vi.advanceTimersByTimeAsync(200)
      expect(await shown).toBe('no')
    }
    expect(asked.length).toBeLessThanOrEqual(10 + (performance.now() - began) / 200)
    for (let at = 0; at < 12_000; at += 1000) {
      const many = Array.from({ length: 1000 }, (_, more) =>
        one.admit(`b:dev.${at + more}`, asker(more)).catch(() => 'no'),
      )
      await vi.advanceTimersByTimeAsync(4000)
      await Promise.all(many)
    }
    expect(one.rejectedCount).toBe(10_000)
  })
})

describe('a network with invented tokens', () => {
  const from = (network: string, kind: TokenRequester['kind'] = 'sdk'): TokenRequester => ({
    network: toNetwork(network),
    kind,
  })
  const flood = (one: TokenRegistry, count: number, asking: (at: number) => TokenRequester): void => {
    for (let at = 0; at < count; at += 1) one.admit(`a:dev.flood-${at}`, asking(at)).catch(() => {})
  }

  test.each<[string, number, number, (at: number) => TokenRequester]>([
    ['16 connections of one network with batches of 100', 1600, 2, () => from('192.0.2.1', 'node')],
    ['1,500 connections of one network', 1500, 2, () => from('2001:db8::1')],
    ['1,500 connections of ten networks', 1500, 4, (at) => from(`192.0.2.${at % 10}`)],
  ])('delays others by a few validation requests only: %s', async (_name, count, questions, asking) => {
    const one = await started()
    await vi.advanceTimersByTimeAsync(MINUTE)
    asked = []
    flood(one, count, asking)
    await vi.advanceTimersByTimeAsync(1)
    const good = Array.from({ length: 24 }, (_, at) => `a:dev.good-${at}`)
    Object.assign(script, Object.fromEntries(good.map((text) => [text, 'client a'])))
    const admitted = Promise.all(good.map((text) => one.admit(text, from('198.51.100.7'))))
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(names(await admitted)).toEqual(good)
    expect(asked.findLastIndex((texts) => texts.some((text) => good.includes(text)))).toBeLessThanOrEqual(questions)
  })

  test('leaves capacity for its own SDKs while its nodes keep inventing tokens', async () => {
    const one = await started({ guessLimitPerMinute: 100 })
    flood(one, 1600, () => from('192.0.2.1', 'node'))
    expect(await show(one, SHOP, from('192.0.2.1'))).toBe('backend dev shop')
  })

  test('may open 250 streams, and ten after 100 wrong tokens within a minute', async () => {
    const one = await started({ guessLimitPerMinute: 100 })
    const outcomes = async (name: string, count: number) => {
      const texts = Array.from({ length: count }, (_, at) => `a:dev.${name}-${at}`)
      const shown = Promise.allSettled(texts.map((text) => one.admit(text, from('192.0.2.1'))))
      await vi.advanceTimersByTimeAsync(5000)
      const counts: Record<string, number> = {}
      for (const outcome of await shown) {
        const is = outcome.status === 'fulfilled' ? 'admitted' : outcome.reason.reason
        counts[is] = (counts[is] ?? 0) + 1
      }
      return counts
    }
    expect(await outcomes('first', 300)).toEqual({ unknown: 100, guessed: 150, crowded: 50 })
    expect(await outcomes('second', 30)).toEqual({ guessed: 10, crowded: 20 })
    // valid tokens are accepted as before
    expect(await show(one, SHOP, from('192.0.2.1'))).toBe('backend dev shop')
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(await outcomes('third', 20)).toEqual({ unknown: 20 })
  })
})

describe('start tokens', () => {
  test('retry validation with growing pauses until the upstream answers', async () => {
    script = down()
    const one = await started()
    await vi.advanceTimersByTimeAsync(MINUTE)
    // after 1, 2, 4 and 8 s, then every 10 s
    expect([asked.length, one.fetching.isSettled, one.fetching.current()]).toEqual([9, false, []])
    expect(await show(one, SHOP)).toBe('undecided: upstream no answer')
    script = { [DEV]: 'client *', [SHOP]: 'client shop' }
    await vi.advanceTimersByTimeAsync(10_000)
    expect([one.fetching.isSettled, names(one.fetching.current())]).toEqual([true, [DEV]])
    expect(await show(one, SHOP)).toBe('backend dev shop')
    expect(lines).toEqual([
      'Cannot validate tokens with the upstream: connect ECONNREFUSED',
      'Token validation by the upstream works again',
    ])
  })

  test('log that a token of front ends fetches nothing', async () => {
    const one = await started({ startTokens: [DEV, PAGE] })
    expect(names(one.fetching.current())).toEqual([DEV])
    expect(lines).toEqual(['The start-up token shop:dev.page-****xxxxx is for front ends: nothing is fetched with it'])
  })

  test('log each rejected token once without its secret, and are validated again', async () => {
    script = {}
    const one = await started()
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(lines).toEqual(['The start-up token *:dev.xxxxx****xxxxx is not used: The upstream does not know the token'])
    expect(one.fetching.isSettled).toBe(true)
    script = { [DEV]: 'client *' }
    await vi.advanceTimersByTimeAsync(10_000)
    expect(names(one.fetching.current())).toEqual([DEV])
  })

  test('fetch only if no other token covers them', async () => {
    const one = await started({ startTokens: [SHOP, PROD, DEV] })
    expect(names(one.fetching.current()).sort()).toEqual([DEV, PROD].sort())
    const heard: string[] = []
    one.fetching.subscribe(() => heard.push(names(one.fetching.current()).join()))
    script = { [SHOP]: 'client shop', [PROD]: 'client shop' }
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(heard.at(-1)?.split(',').sort()).toEqual([PROD, SHOP].sort())
  })

  test('make what depends on them wait rather than be refused', async () => {
    const one = open()
    // sent before the start-up tokens are validated
    expect(await show(one, SHOP)).toBe('undecided: starting no answer')
    expect(await show(one, PROD)).toBe('refused: not-covered')
    one.start()
    await vi.advanceTimersByTimeAsync(10)
    expect(await show(one, SHOP)).toBe('backend dev shop')
    expect(asked).toEqual([[SHOP], [PROD], [DEV]])
  })

  test.each([
    [{ startTokens: ['secret-without-form-xxxxxxxx'] }, /^TOKENS: sec\*\*\*\*xxx is not/],
    [{ pretrustedTokens: ['old-key'] }, /^PRETRUSTED_TOKENS: \*\*\*\* is neither/],
  ])('reject a malformed token: %o', (more, says) => {
    expect(() => open(more)).toThrow(says)
  })
})

describe('periodic revalidation', () => {
  test('a token that the upstream no longer names is removed, within the interval', async () => {
    const one = await started()
    await show(one, SHOP)
    await show(one, PAGE)
    const removed: string[] = []
    one.subscribe({ added: () => {}, removed: ({ text }) => removed.push(text) })
    script = { [DEV]: 'client *', [PAGE]: 'frontend shop' }
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(removed).toEqual([SHOP])
    expect([one.find(SHOP), await show(one, SHOP)]).toEqual([undefined, 'refused: unknown'])
  })

  test('one of the start that goes takes with it what it covered', async () => {
    const one = await started({ startTokens: [DEV, PROD] })
    await show(one, SHOP)
    await show(one, PAGE)
    script = { [SHOP]: 'client shop', [PAGE]: 'frontend shop', [PROD]: 'client shop' }
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(names(one.all())).toEqual([PROD])
  })

  test('one that is good for something else now is another one', async () => {
    const one = await started()
    await show(one, SHOP)
    const heard: string[] = []
    one.subscribe({
      added: ({ projects }) => heard.push(`+${projects}`),
      removed: ({ projects }) => heard.push(`-${projects}`),
    })
    Object.assign(script, { [SHOP]: 'client b' })
    await vi.advanceTimersByTimeAsync(HOUR)
    expect([heard, one.find(SHOP)?.projects]).toEqual([['-shop', '+b'], ['b']])
  })

  test.each<[string, Script]>([
    ['is away', down()],
    ['fails', new UpstreamError(503, '/edge/validate')],
    ['has nothing to ask', new UpstreamError(404, '/edge/validate')],
    ['knows kinds of the future', { [DEV]: 'robot *', [SHOP]: 'robot *', [PAGE]: 'robot *' }],
  ])('an upstream that %s changes nothing', async (_name, next) => {
    const one = await started()
    await show(one, SHOP)
    await show(one, PAGE)
    script = next
    await vi.advanceTimersByTimeAsync(3 * HOUR)
    expect(names(one.all())).toEqual([DEV, SHOP, PAGE])
    expect(names(one.fetching.current())).toEqual([DEV])
  })

  test('a round that fails is tried again soon, from where it stopped', async () => {
    const one = await started()
    Object.assign(script, Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`a:dev.${at}`, 'client a'])))
    await Promise.all(Array.from({ length: 150 }, (_, at) => show(one, `a:dev.${at}`)))
    await vi.advanceTimersByTimeAsync(MINUTE)
    asked = []
    const good = script
    script = down()
    await vi.advanceTimersByTimeAsync(HOUR - MINUTE)
    script = good
    await vi.advanceTimersByTimeAsync(30_000)
    const sizes = asked.map(({ length }) => length)
    expect([sizes.slice(-2), new Set(asked.flat()).size, one.all().length]).toEqual([[100, 51], 151, 151])
  })
})

describe('a token that the upstream refuses to a fetch', () => {
  test.each<[string, Script, number]>([
    ['is gone where the upstream no longer names it', {}, 0],
    ['stays where the upstream accepts it', { [DEV]: 'client *' }, 1],
    ['stays while the upstream is unavailable', down(), 1],
    ['disappears where there is no upstream to validate it', new UpstreamError(404, '/edge/validate'), 0],
  ])('%s', async (_name, next, left) => {
    const one = await started()
    script = next
    void one.handleRejectedFetch(DEV)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(one.fetching.current()).toHaveLength(left)
  })

  test('causes one validation request at a time', async () => {
    const one = await started()
    asked = []
    for (let times = 0; times < 10; times += 1) void one.handleRejectedFetch(DEV)
    await vi.advanceTimersByTimeAsync(1000)
    expect(asked).toEqual([[DEV]])
  })
})

describe('token changes reported by the upstream', () => {
  const hashes = (...texts: readonly string[]) => texts.map((text) => hash('sha256', text))
  const NOTHING = { revoked: [], changed: [], all: false }

  test('a revoked token is removed at once and rejected for a minute, whatever another upstream node answers', async () => {
    const one = await started()
    await show(one, SHOP)
    const removed: string[] = []
    one.subscribe({ added: () => {}, removed: ({ text }, reason) => removed.push(`${text} ${reason}`) })
    asked = []
    one.applyChanges({ ...NOTHING, revoked: hashes(SHOP, PAGE) })
    expect([one.find(SHOP), removed]).toEqual([undefined, [`${SHOP} refused`]])
    expect([await show(one, SHOP), await show(one, PAGE), asked]).toEqual([
      ...['refused: unknown', 'refused: unknown', []],
    ])
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(await show(one, PAGE)).toBe('frontend dev shop')
  })

  test('a token revoked during its validation is not accepted', async () => {
    const one = await started()
    const shown = show(one, SHOP)
    one.applyChanges({ ...NOTHING, revoked: hashes(SHOP) })
    expect(await shown).toBe('refused: unknown')
    await show(one, PAGE)
    one.applyChanges({ ...NOTHING, all: true })
    await vi.advanceTimersByTimeAsync(2)
    one.applyChanges({ ...NOTHING, revoked: hashes(PAGE) })
    await vi.advanceTimersByTimeAsync(1000)
    expect(names(one.all())).toEqual([DEV])
  })

  test('a revoked start token takes the tokens it covered with it, and is validated again', async () => {
    const one = await started()
    await show(one, PAGE)
    const good = script
    script = {}
    one.applyChanges({ ...NOTHING, revoked: hashes(DEV) })
    expect([one.all(), one.fetching.current()]).toEqual([[], []])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(one.all()).toEqual([])
    script = good
    await vi.advanceTimersByTimeAsync(11_000)
    expect(names(one.fetching.current())).toEqual([DEV])
  })

  test('a trusted token stays, and is not validated', async () => {
    const one = await started({ pretrustedTokens: ['old-key@dev'] })
    asked = []
    one.applyChanges({ revoked: hashes('old-key'), changed: hashes('old-key'), all: false })
    await vi.advanceTimersByTimeAsync(1000)
    expect([one.find('old-key')?.kind, asked]).toEqual(['frontend', []])
  })

  test('a changed token is validated alone until the upstream answers', async () => {
    const one = await started()
    await show(one, SHOP)
    await show(one, PAGE)
    const good = { ...script, [SHOP]: 'client b' }
    script = down()
    asked = []
    one.applyChanges({ ...NOTHING, changed: hashes(SHOP, 'nobody knows this one') })
    await vi.advanceTimersByTimeAsync(10)
    script = good
    await vi.advanceTimersByTimeAsync(2000)
    expect([asked, one.find(SHOP)?.projects]).toEqual([[[SHOP], [SHOP]], ['b']])
  })

  test('possibly missed changes revalidate all tokens at once, including those of a failing validation in progress', async () => {
    const one = await started()
    await show(one, SHOP)
    await show(one, PAGE)
    asked = []
    one.applyChanges({ ...NOTHING, all: true })
    await vi.advanceTimersByTimeAsync(2)
    const good = script as Record<string, string>
    script = down()
    one.applyChanges({ ...NOTHING, all: true })
    await vi.advanceTimersByTimeAsync(10)
    script = { [DEV]: good[DEV] ?? '', [SHOP]: good[SHOP] ?? '' }
    await vi.advanceTimersByTimeAsync(2000)
    expect(asked.map(({ length }) => length)).toEqual([3, 3])
    expect(names(one.all())).toEqual([DEV, SHOP])
  })
})

describe('an upstream without token validation', () => {
  test('tokens of the start count as they read, others not', async () => {
    script = new UpstreamError(404, '/edge/validate')
    const one = await started({ startTokens: [DEV, `[]:prod.${LONG}`], pretrustedTokens: ['old-key@dev'] })
    expect(names(one.fetching.current())).toEqual([DEV])
    expect([await show(one, DEV), await show(one, SHOP), await show(one, 'old-key')]).toEqual([
      ...['backend dev *', 'refused: unknown', 'frontend dev *'],
    ])
    expect(lines.filter((line) => line.includes('/edge/validate'))).toHaveLength(1)
  })
})

describe('a remembered token', () => {
  const kept = (token: string, type: 'backend' | 'frontend', projects: string[]) => ({
    token,
    type,
    projects,
    environment: /:([^.]+)/.exec(token)?.[1] ?? '',
  })

  test('counts as valid from the start until the upstream answers', async () => {
    script = down()
    const one = open()
    one.restore([kept(PAGE, 'frontend', ['shop']), kept(SHOP, 'backend', ['shop']), kept(DEV, 'backend', ['*'])])
    one.start()
    expect(names(one.all())).toEqual([DEV, SHOP, PAGE])
    expect([one.fetching.isSettled, names(one.fetching.current())]).toEqual([true, [DEV]])
    await vi.advanceTimersByTimeAsync(MINUTE)
    script = { [DEV]: 'client *', [PAGE]: 'frontend shop' }
    await vi.advanceTimersByTimeAsync(10_000)
    expect(names(one.all())).toEqual([DEV, PAGE])
  })

  test('gets ignored if no start token covers it or the upstream has already rejected it', async () => {
    script = { [DEV]: 'client *' }
    const one = await started()
    await show(one, SHOP)
    one.restore([kept(PROD, 'backend', ['shop']), kept(SHOP, 'backend', ['shop']), kept('nonsense', 'backend', ['*'])])
    expect(names(one.all())).toEqual([DEV])
  })
})

test('trusted tokens are never validated', async () => {
  const one = await started({ startTokens: [DEV], pretrustedTokens: ['old-key@dev', PAGE] })
  expect(one.find('old-key')).toMatchObject({ kind: 'frontend', environment: 'dev', projects: ['*'] })
  expect(one.find(PAGE)).toMatchObject({ origin: 'pretrusted', projects: ['shop'] })
  await vi.advanceTimersByTimeAsync(2 * HOUR)
  expect(new Set(asked.flat())).toEqual(new Set([DEV]))
})

test('beyond the most, those of SDKs go that were not used for longest; those of the start stay', async () => {
  const texts = Array.from({ length: 12 }, (_, at) => `a:dev.${at}`)
  script = { [DEV]: 'client *', ...Object.fromEntries(texts.map((text) => [text, 'client a'])) }
  const one = await started({ max: 10 })
  for (const text of texts) {
    await show(one, text)
    one.find('a:dev.0')
  }
  expect(names(one.all())).toEqual([DEV, 'a:dev.0', ...texts.slice(4)])
})

test('a public id finds its token without revealing it', async () => {
  const one = await started()
  const { id, hash } = one.find(DEV) ?? { id: '', hash: '' }
  expect([id, hash]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), expect.stringMatching(/^[0-9a-f]{64}$/)])
  expect([hash.includes(id), one.findById(id)?.text]).toEqual([false, DEV])
})
