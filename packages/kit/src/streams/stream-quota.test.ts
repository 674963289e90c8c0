import { describe, expect, test } from 'vitest'
import { DescriptorBudget } from '../descriptors.ts'
import { toNetwork } from '../http/client-network.ts'
import { monotonicClock } from '../monotonic-clock.ts'
import { type StreamCaller, StreamQuota, type StreamQuotaOptions } from './stream-quota.ts'

type Opened = { -readonly [Part in 'network' | 'token' | 'user']?: string }

const callerOf = ({ network = '192.0.2.1', ...rest }: Opened): StreamCaller => ({
  network: toNetwork(network),
  ...rest,
})

/** Opens streams until one is rejected. */
function openAll(quota: StreamQuota, opened: Opened, kind = 'sdk') {
  const ends: (() => void)[] = []
  for (;;) {
    const reason = quota.refusal(kind, callerOf(opened))
    if (reason !== undefined) return { count: ends.length, reason, ends }
    ends.push(quota.take(kind, callerOf(opened)))
  }
}

const quotaOf = (more: Partial<StreamQuotaOptions> = {}) => new StreamQuota({ maxPerKind: 1000, ...more })

describe('one caller', () => {
  test.each<[string, Opened, object]>([
    ['a token gets nine tenths', { token: 'a' }, { count: 900, reason: 'token' }],
    ['a network gets nine tenths', {}, { count: 900, reason: 'network' }],
    ['a user gets the quota of users', { user: '1' }, { count: 100, reason: 'user' }],
  ])('%s', (_name, opened, expected) => {
    expect(openAll(quotaOf({ maxPerUser: 100 }), opened)).toMatchObject(expected)
  })

  test.each([
    [0, { count: 0, reason: 'full' }],
    [1, { count: 1, reason: 'full' }],
    [9, { count: 9, reason: 'full' }],
    [10, { count: 9, reason: 'token' }],
    [30, { count: 27, reason: 'token' }],
  ])('gets a share of a maximum of %i for a single token', (mostOfKind, expected) => {
    expect(openAll(quotaOf({ maxPerKind: mostOfKind }), { token: 'a' })).toMatchObject(expected)
  })
})

describe('another caller', () => {
  test.each<[string, Opened, Opened, number]>([
    ['another token from the same network gets none, for the network is full', { token: 'a' }, { token: 'b' }, 0],
    [
      'another network with the same token gets none, for the token is full',
      { token: 'a' },
      { network: '192.0.2.2', token: 'a' },
      0,
    ],
    [
      'another token from another network gets its share of the rest',
      { token: 'a' },
      { network: '192.0.2.2', token: 'b' },
      90,
    ],
    ['another address of one IPv6 network gets none', { network: '2001:db8::1' }, { network: '2001:db8::2' }, 0],
    ['another IPv6 network gets its share of the rest', { network: '2001:db8::1' }, { network: '2001:db8:0:1::1' }, 90],
  ])('%s', (_name, first, second, count) => {
    const quota = quotaOf()
    openAll(quota, first)
    expect(openAll(quota, second).count).toBe(count)
  })

  test('tokens of many networks never shut out one more token', () => {
    const quota = quotaOf({ maxPerKind: 10_000 })
    const hold = (index: number) => openAll(quota, { network: `192.0.2.${index}`, token: `t${index}` }).count
    expect(Array.from({ length: 4 }, (_one, index) => hold(index))).toEqual([9000, 900, 90, 9])
    expect(quota.refusal('sdk', callerOf({ network: '192.0.2.9', token: 'new' }))).toBeUndefined()
  })

  test('every token gets the same share if all open streams in turn', () => {
    const quota = quotaOf({ maxPerKind: 1000 })
    const counts = [0, 0, 0]
    for (let isRefused = false; !isRefused; ) {
      isRefused = true
      counts.forEach((count, index) => {
        const caller = callerOf({ network: `192.0.2.${index}`, token: `t${index}` })
        if (quota.refusal('sdk', caller) !== undefined) return
        quota.take('sdk', caller)
        counts[index] = count + 1
        isRefused = false
      })
    }
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(960)
  })

  test('streams of another kind are counted apart, but for those of a user', () => {
    const quota = quotaOf({ maxPerUser: 100 })
    openAll(quota, { user: '1', network: '192.0.2.2' }, 'sdk')
    openAll(quota, { token: 'a' }, 'sdk')
    expect(quota.refusal('admin', callerOf({ token: 'a' }))).toBeUndefined()
    expect(quota.refusal('admin', callerOf({ user: '1' }))).toBe('user')
    expect(quota.refusal('admin', callerOf({ user: '2' }))).toBeUndefined()
  })
})

test('an ended stream makes room for one', () => {
  const quota = quotaOf({ maxPerUser: 3 })
  const { ends } = openAll(quota, { user: '1' })
  ends[0]?.()
  expect(openAll(quota, { user: '1' }).count).toBe(1)
  expect(quota.counts).toEqual(new Map([['sdk', 3]]))
})

test('streams stop before the descriptors of the process do', () => {
  let open = 10
  const descriptors = new DescriptorBudget(
    { limit: () => 1024, open: () => open },
    monotonicClock(() => 0),
  )
  const quota = quotaOf({ maxPerKind: 10_000, descriptors })
  const opened = (): number => {
    for (let count = 0; ; count += 1) {
      if (quota.refusal('sdk', callerOf({})) !== undefined) return count
      quota.take('sdk', callerOf({}))
      open += 1
    }
  }
  expect([opened(), open]).toEqual([1024 - 128 - 10, 1024 - 128])
  expect(quota.refusal('sdk', callerOf({}))).toBe('descriptors')
})
