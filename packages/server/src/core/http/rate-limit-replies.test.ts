import { toNetwork } from '@burgee/kit/http/client-network'
import { buildLimitKey, getStrictest, RateLimit } from '@burgee/kit/http/rate-limit'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { describe, expect, test } from 'vitest'
import { createRateLimitHook } from './rate-limit-replies.ts'

describe('a limit', () => {
  let now = 1_000_000
  const limit = new RateLimit({ max: 2, windowMs: 60_000, monotonic: monotonicClock(() => now) })
  test.each([
    { name: 'the first', key: 'a', after: 0, waitMs: 0, remaining: '1', reset: '60' },
    { name: 'the second, later', key: 'a', after: 10_500, waitMs: 0, remaining: '0', reset: '50' },
    { name: 'one too many', key: 'a', after: 0, waitMs: 49_500, remaining: '0', reset: '50' },
    { name: 'another caller', key: 'b', after: 0, waitMs: 0, remaining: '1', reset: '60' },
    { name: 'still too many', key: 'a', after: 49_499, waitMs: 1, remaining: '0', reset: '1' },
    { name: 'in the next window', key: 'a', after: 1, waitMs: 0, remaining: '1', reset: '60' },
  ])('$name', ({ key, after, waitMs, remaining, reset }) => {
    now += after
    expect(limit.take(buildLimitKey(key))).toEqual({
      waitMs,
      remaining: Number(remaining),
      headers: {
        'ratelimit-policy': '2;w=60',
        'ratelimit-limit': '2',
        'ratelimit-remaining': remaining,
        'ratelimit-reset': reset,
      },
    })
  })

  test('remembers ten thousand keys, and forgets the one whose window began first', () => {
    const small = new RateLimit({ max: 1, windowMs: 60_000, monotonic: monotonicClock(() => now) })
    const wait = (key: string) => small.take(buildLimitKey(key)).waitMs > 0
    for (let count = 0; count < 10_000; count += 1) small.take(buildLimitKey(`key ${count}`))
    expect([wait('key 0'), wait('key 9999')]).toEqual([true, true])
    small.take(buildLimitKey('one more'))
    expect([wait('key 9999'), wait('key 2'), wait('key 0')]).toEqual([true, true, false])
  })

  test('reports exhaustion when the next request would exceed it', () => {
    const one = new RateLimit({ max: 1, windowMs: 60_000, monotonic: monotonicClock(() => now) })
    expect(one.isExhausted(buildLimitKey('x'))).toBe(false)
    one.take(buildLimitKey('x'))
    expect([one.isExhausted(buildLimitKey('x')), one.isExhausted(buildLimitKey('y'))]).toEqual([true, false])
    now += 60_000
    expect(one.isExhausted(buildLimitKey('x'))).toBe(false)
  })

  test('yields to the strictest of several limits', () => {
    const [loose, tight] = [5, 1].map(
      (most) => new RateLimit({ max: most, windowMs: 60_000, monotonic: monotonicClock(() => now) }),
    )
    const take = () =>
      getStrictest(loose?.take(buildLimitKey('x')) as never, tight?.take(buildLimitKey('x')) as never).headers[
        'ratelimit-limit'
      ]
    expect([take(), take()]).toEqual(['1', '1'])
  })
})

test('a request over the limit is rejected before its body is read', () => {
  const first = createRateLimitHook(
    new RateLimit({ max: 1, windowMs: 60_000, monotonic: monotonicClock(() => 0) }),
    (caller) => toNetwork(caller.remoteAddress),
  )
  const from = (remoteAddress: string) =>
    first({ method: 'POST', url: '/', headers: {}, params: {}, id: '1', remoteAddress })
  expect(from('192.0.2.1')).toMatchObject({ 'ratelimit-remaining': '0' })
  expect(from('192.0.2.1')).toMatchObject({
    status: 429,
    body: 'Too many requests, please try again later.',
    headers: { 'retry-after': '60', 'ratelimit-limit': '1', 'content-type': 'text/plain; charset=utf-8' },
  })
  expect(from('192.0.2.2')).toMatchObject({ 'ratelimit-remaining': '0' })
})
