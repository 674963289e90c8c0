import { gzipSync } from 'node:zlib'
import type { ProxyConfig } from '@burgee/proxy/options'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'

/** Size limits of one request, on the fast lane and through the HTTP server. */
let upstream: FakeUpstream
let proxy: TestProxy | undefined
beforeAll(async () => {
  upstream = await startUpstream({ features: [{ name: 'a', enabled: true, strategies: [] }] })
})
afterEach(async () => {
  await proxy?.close()
  proxy = undefined
})
afterAll(() => upstream.close())

type Json = Readonly<Record<string, unknown>>
const post = async (
  config: ProxyConfig,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => {
  proxy ??= await startProxy({ flagUrl: upstream.url, enableAllEndpoint: true, ...config })
  const all = { authorization: KEY, 'content-type': 'application/json', ...headers }
  const response = await fetch(`${proxy.url}${path}`, { method: 'POST', headers: all, body })
  return { status: response.status, body: (await response.text()) || '{}' }
}
/** Returns JSON of exactly this many bytes. */
const ofLength = (bytes: number) => `{"context":{"x":"${'y'.repeat(bytes - 20)}"}}`
const names = (count: number, name = 'a') => JSON.stringify({ toggles: Array(count).fill(name) })

describe.each([true, false])('with httpFastLane: %s', (httpFastLane) => {
  describe('the body of an evaluation', () => {
    test.each<[ProxyConfig, string, number, number]>([
      [{}, '/proxy', 102_400, 200],
      [{}, '/proxy', 102_401, 413],
      [{}, '/proxy/all', 102_400, 200],
      [{}, '/proxy/all', 102_401, 413],
      [{ evaluationBodyLimit: 500 }, '/proxy', 500, 200],
      [{ evaluationBodyLimit: 500 }, '/proxy', 501, 413],
      [{ evaluationBodyLimit: 2_000_000 }, '/proxy', 2_000_000, 200],
      [{ evaluationBodyLimit: 2_000_000 }, '/proxy/all', 2_000_001, 413],
    ])('%j: %s of %i bytes → %i', async (config, path, bytes, status) => {
      const text = ofLength(bytes)
      expect(Buffer.byteLength(text)).toBe(bytes)
      expect((await post({ ...config, httpFastLane }, path, text)).status).toBe(status)
      const packed = await post(config, path, new Uint8Array(gzipSync(text)), { 'content-encoding': 'gzip' })
      expect(packed.status).toBe(status)
    })

    test('has an error that names the limit', async () => {
      const { body } = await post({ httpFastLane }, '/proxy', ofLength(102_401))
      expect(JSON.parse(body)).toEqual({ error: 'The body is larger than 102400 bytes' })
    })

    test('reports may be longer', async () => {
      const toggles = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`name of a flag ${i}`, { yes: 1 }]))
      const bucket = { start: '2024-01-01T00:00:00Z', stop: '2024-01-01T00:01:00Z', toggles }
      const report = JSON.stringify({ appName: 'a', instanceId: 'i', bucket })
      expect(report.length).toBeGreaterThan(150_000)
      expect((await post({ httpFastLane }, '/proxy/client/metrics', report)).status).toBe(202)
    })
  })

  describe('names of toggles', () => {
    test.each<[ProxyConfig, string, number, number]>([
      [{}, '/proxy', 10_000, 200],
      [{}, '/proxy', 10_001, 400],
      [{}, '/proxy/all', 10_001, 400],
      [{ evaluationNameLimit: 3 }, '/proxy', 3, 200],
      [{ evaluationNameLimit: 3 }, '/proxy', 4, 400],
      [{ evaluationNameLimit: 12_000 }, '/proxy', 12_000, 200],
    ])('%j: %s with %i names → %i', async (config, path, count, status) => {
      for (const name of ['a', 'b']) {
        const reply = await post({ ...config, httpFastLane }, path, names(count, name))
        expect(reply.status).toBe(status)
        const { toggles, validation } = JSON.parse(reply.body) as { toggles?: Json[]; validation?: Json[] }
        const limit = config.evaluationNameLimit ?? 10_000
        const violation = { instancePath: '/body/toggles', keyword: 'maxItems', params: { limit } }
        if (status === 400) expect(validation).toEqual([expect.objectContaining(violation)])
        else expect([toggles?.length, toggles?.at(-1)]).toEqual([count, expect.objectContaining({ name })])
      }
    })

    test('rejects responses that are too long in total, and does not count them', async () => {
      const variants = [{ name: 'v', weight: 1, payload: { type: 'string', value: 'x'.repeat(10_000) } }]
      const large = await startUpstream({ features: [{ name: 'a', enabled: true, strategies: [], variants }] })
      const config = { flagUrl: large.url, httpFastLane, metricsInterval: 20 }
      expect((await post(config, '/proxy', names(3000))).status).toBe(200)
      const reply = await post(config, '/proxy', names(3500))
      expect([reply.status, reply.body]).toEqual([
        400,
        expect.stringMatching(/\{"error":"The answers to .*fewer names/),
      ])
      await proxy?.close()
      const counted = large.seen
        .filter(({ url }) => url.endsWith('/client/metrics'))
        .map(({ body }) => JSON.parse(body))
      expect(counted.map(({ bucket }) => bucket.toggles.a.yes)).toEqual([3000])
      await large.close()
    })

    test('too many are rejected before the key is checked, and are not counted', async () => {
      const reply = await post({ httpFastLane }, '/proxy', names(10_001), { authorization: 'wrong' })
      expect(reply.status).toBe(400)
    })
  })
})
