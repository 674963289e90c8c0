import { monotonicClock } from '@burgee/kit/monotonic-clock'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import { describe, expect, test } from 'vitest'
import { LastKnownTokens, TRUSTED_MS } from './last-known-tokens.ts'

const NOW = 1_800_000_000_000
const CLOCKS = { clock: () => NOW, monotonic: monotonicClock(() => 0) }
const row = (hash: string, more: Partial<TokenRow> = {}): TokenRow =>
  ({ id: `id-${hash}`, hash, type: 'client', expires_at: null, ...more }) as TokenRow

function known(...rows: TokenRow[]): LastKnownTokens {
  const tokens = new LastKnownTokens({ entries: 10 } as never, [], CLOCKS)
  for (const one of rows) tokens.record(one.hash, one, NOW)
  return tokens
}

describe('renewed tokens', () => {
  test('adopt the row of the database: an earlier expiry applies during an outage', () => {
    const tokens = known(row('a'))
    const [kept] = tokens.all()
    const expiring = row('a', { expires_at: NOW + 1000 })
    tokens.renew(kept === undefined ? [] : [kept], [{ row: expiring, atMs: NOW }])
    expect(tokens.acceptTemporarily('a')).toEqual(expiring)
  })

  test('disappear if the database no longer has them', () => {
    const tokens = known(row('a'), row('b'))
    const before = tokens.all()
    tokens.renew(before, before.slice(0, 1))
    expect([tokens.isTrusted('a', NOW), tokens.isTrusted('b', NOW)]).toEqual([true, false])
  })

  test('stay forgotten if they were deleted while the read was running', () => {
    const tokens = known(row('a'))
    const before = tokens.all()
    tokens.forget('a')
    tokens.renew(before, before)
    expect(tokens.acceptTemporarily('a')).toBeUndefined()
  })
})

test.each<[name: string, remove: (tokens: LastKnownTokens) => void, removals: number]>([
  ['a token is one removal', (tokens) => tokens.forget('a'), 1],
  ['an unknown token is one removal', (tokens) => tokens.forget('x'), 1],
  ['one id is one removal', (tokens) => tokens.forgetIds(new Set(['id-a'])), 1],
  ['several ids is one removal', (tokens) => tokens.forgetIds(new Set(['id-a', 'id-b'])), 1],
  ['no id is no removal', (tokens) => tokens.forgetIds(new Set()), 0],
])('forgetting %s', (_name, remove, removals) => {
  const tokens = known(row('a'), row('b'))
  remove(tokens)
  expect(tokens.removals).toBe(removals)
})

describe('a token during a database outage', () => {
  test.each([
    ['at once', 0, true],
    ['after a day', TRUSTED_MS, true],
    ['a millisecond later', TRUSTED_MS + 1, false],
  ])('has its trust checked %s: %d ms → %s', (_name, passedMs, isTrusted) => {
    expect(known(row('a')).isTrusted('a', NOW + passedMs)).toBe(isTrusted)
  })

  test('stays trusted for a day after it was last confirmed unchanged', () => {
    const tokens = known(row('a'))
    tokens.confirm([row('a')], NOW + 1000)
    tokens.confirm([row('a')], NOW + 500)
    expect(tokens.isTrusted('a', NOW + 1000 + TRUSTED_MS)).toBe(true)
  })

  test('answers without a question for five seconds after the database did not answer', () => {
    let passedMs = 0
    const clocks = { clock: () => NOW, monotonic: monotonicClock(() => passedMs) }
    const tokens = new LastKnownTokens({ entries: 10 } as never, [{ row: row('a'), atMs: NOW }], clocks)
    expect(tokens.findWithoutQuery('a')).toBeUndefined()
    tokens.acceptTemporarily('a')
    passedMs = 4999
    expect(tokens.findWithoutQuery('a')?.hash).toBe('a')
    passedMs = 5000
    expect(tokens.findWithoutQuery('a')).toBeUndefined()
    tokens.acceptTemporarily('a')
    tokens.requireQuery()
    expect(tokens.findWithoutQuery('a')).toBeUndefined()
  })
})

describe('tokens of the previous process', () => {
  test('count as confirmed now at the latest, whatever its clock showed', () => {
    const kept = [{ row: row('a'), atMs: NOW + 10 * TRUSTED_MS }]
    const tokens = new LastKnownTokens({ entries: 10 } as never, kept, CLOCKS)
    expect(tokens.isTrusted('a', NOW + TRUSTED_MS)).toBe(true)
    expect(tokens.isTrusted('a', NOW + TRUSTED_MS + 1)).toBe(false)
  })

  test('include those of SDKs but not those of administrators', () => {
    const tokens = known(row('a'), row('b', { type: 'admin' }), row('c', { type: 'frontend' }))
    for (const now of [NOW, NOW + TRUSTED_MS])
      expect(tokens.trusted(now).map(({ row: one }) => one.hash)).toEqual(['a', 'c'])
    expect(tokens.trusted(NOW + TRUSTED_MS + 1)).toEqual([])
  })
})
