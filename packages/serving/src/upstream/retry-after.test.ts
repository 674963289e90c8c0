import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SILENT } from '@burgee/kit/log/logger'
import { Agent } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { PollingSource } from './polling-source.ts'
import { StreamFollower } from './stream-follower.ts'
import { getErrorRetryAfterMs, Upstream, UpstreamError } from './upstream.ts'

const MINUTE_MS = 60_000

describe('the wait that an upstream asks for', () => {
  let answer = (_response: ServerResponse) => {}
  const server = createServer((_request, response) => answer(response))
  const dispatcher = new Agent()
  let upstream: Upstream
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    upstream = new Upstream({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
      token: () => 'token',
      identity: { appName: 'a', instanceId: 'i', connectionId: 'c', sdkVersion: 'v' },
      optionNames: { token: 'TOKEN', url: 'URL' },
      dispatcher,
      timeoutMs: 10_000,
      refreshIntervalMs: 1000,
      metricsIntervalMs: 1000,
    })
  })
  afterAll(async () => {
    await dispatcher.destroy()
    server.close()
  })

  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString()
  test.each<[number, string | undefined, [number, number] | undefined]>([
    [503, '7', [7000, 7000]],
    [429, '7', [7000, 7000]],
    [503, inSeconds(60), [MINUTE_MS / 2, MINUTE_MS]],
    [503, '86400', [5 * MINUTE_MS, 5 * MINUTE_MS]],
    [503, inSeconds(86_400), [5 * MINUTE_MS, 5 * MINUTE_MS]],
    [503, inSeconds(-60), [0, 0]],
    [503, 'soon', undefined],
    [503, undefined, undefined],
    [500, '7', undefined],
    [401, '7', undefined],
  ])('after %i with Retry-After: %s', async (status, retryAfter, expected) => {
    answer = (response) =>
      void response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end()
    const calls = [
      () => upstream.download(new URLSearchParams(), undefined),
      () => upstream.post('/client/metrics', {}),
      () => upstream.validate(['*:development.secret']),
    ]
    for (const call of calls) {
      const error = await call().catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(UpstreamError)
      const { retryAfterMs } = error as UpstreamError
      if (expected === undefined) expect(retryAfterMs).toBeUndefined()
      else {
        expect(retryAfterMs).toBeGreaterThanOrEqual(expected[0])
        expect(retryAfterMs).toBeLessThanOrEqual(expected[1])
      }
    }
  })

  test('no wait is requested after other failures', () => {
    expect([new Error('ECONNREFUSED'), undefined, new UpstreamError(503, '/')].map(getErrorRetryAfterMs)).toEqual([
      0, 0, 0,
    ])
  })
})

describe('requests before the end of Retry-After', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Polls an upstream every second. The upstream rejects each request with the next of these waits. */
  async function timesOf(waits: readonly (number | undefined)[], random: number) {
    vi.useFakeTimers()
    const began = Date.now()
    const times: number[] = []
    const upstream = {
      download: async () => {
        const wait = waits[times.length]
        times.push((Date.now() - began) / 1000)
        throw new UpstreamError(503, '/client/features', '', wait)
      },
    } as unknown as Upstream
    const source = new PollingSource({
      upstream,
      query: new URLSearchParams(),
      refreshIntervalMs: 1000,
      random: () => random,
      logger: SILENT,
    })
    source.start({ accept: () => {}, confirm: () => {}, fail: () => {} })
    await vi.advanceTimersByTimeAsync(100_000)
    await source.stop()
    return times.slice(0, 4)
  }

  test.each<[string, (number | undefined)[], number, number[]]>([
    ['no wait requested: growing pauses', [], 0.5, [0, 2, 5, 9]],
    ['longer than the own pause', [30_000, 30_000], 0, [0, 30, 60, 63.6]],
    ['spread out, never earlier', [30_000, 30_000], 1, [0, 33, 66, 70.4]],
    ['shorter than the own pause', [1000, 1000, 1000], 0.5, [0, 2, 5, 9]],
  ])('do not happen by polls: %s', async (_name, waits, random, expected) => {
    expect(await timesOf(waits, random)).toEqual(expected)
  })

  test.each<[string, number, string | undefined, number, number[]]>([
    ['503 without a wait', 503, undefined, 1, [0, 1, 3]],
    ['503 with a wait', 503, '20', 0, [0, 20, 40]],
    ['429 with a wait', 429, '120', 0, [0, 120, 240]],
    ['429 with a short wait', 429, '1', 1, [0, 60, 120]],
  ])('do not happen by streams: %s', async (_name, status, retryAfter, random, expected) => {
    vi.useFakeTimers()
    const began = Date.now()
    const times: number[] = []
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
    const upstream = {
      stream: async () => {
        times.push((Date.now() - began) / 1000)
        return { status, headers, body: null }
      },
    } as unknown as Upstream
    const deps = { upstream, namePrefix: undefined, random: () => random, now: () => Date.now() }
    const follower = new StreamFollower(deps, () => {})
    follower.recordPoll(undefined)
    await vi.advanceTimersByTimeAsync(300_000)
    await follower.stop()
    expect(times.slice(0, 3)).toEqual(expected)
  })
})
