import { SILENT } from '@burgee/kit/log/logger'
import { expect, test } from 'vitest'
import { PollingSource } from './polling-source.ts'
import type { Upstream } from './upstream.ts'

test('an unusable configuration is requested again in full; a used one is not', async () => {
  const asked: (string | undefined)[] = []
  const used = [false, true, true, true]
  const { promise, resolve } = Promise.withResolvers<void>()
  const upstream = {
    download: async (_query: URLSearchParams, etag: string | undefined) => {
      asked.push(etag)
      if (asked.length === 4) resolve()
      if (etag !== undefined) return { changed: false }
      return { changed: true, body: { version: 2, features: [] }, etag: '"tag"' }
    },
  } as unknown as Upstream
  const source = new PollingSource({
    upstream,
    query: new URLSearchParams(),
    refreshIntervalMs: 1,
    random: () => 0,
    logger: SILENT,
  })
  let accepted = 0
  source.start({
    accept: async () => {
      accepted += 1
      return used.shift() ?? true
    },
    confirm: () => {},
    fail: () => {},
  })
  await promise
  await source.stop()
  expect([asked.slice(0, 4), accepted]).toEqual([[undefined, undefined, '"tag"', '"tag"'], 2])
})
