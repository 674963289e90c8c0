import type { ProxyConfig } from '@burgee/proxy/options'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'

/** Replies that may be cached for two seconds name in Vary everything that they depend on, including the key. */
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

const TOKENS = { expServerSideSdkConfig: { tokens: 'server' } }
const ONE_ORIGIN = { cors: { origin: 'https://a.example' } }
const OWN_HEADER = { clientKeysHeaderName: 'X-Flag-Key' }

test.each<[ProxyConfig, string, string]>([
  [{}, 'GET /proxy', 'authorization, Accept-Encoding'],
  [{}, 'HEAD /proxy', 'authorization, Accept-Encoding'],
  [{}, 'POST /proxy', 'authorization, Accept-Encoding'],
  [{}, 'POST /proxy {"toggles":["a"]}', 'authorization, Accept-Encoding'],
  [{ enableAllEndpoint: true }, 'GET /proxy/all', 'authorization, Accept-Encoding'],
  [{}, 'GET /proxy/all', 'authorization, Accept-Encoding'],
  [TOKENS, 'GET /proxy/client/features', 'authorization, unleash-client-spec, Accept-Encoding'],
  [ONE_ORIGIN, 'GET /proxy', 'Origin, authorization, Accept-Encoding'],
  [OWN_HEADER, 'GET /proxy', 'X-Flag-Key, Accept-Encoding'],
  [{ ...OWN_HEADER, ...ONE_ORIGIN }, 'POST /proxy', 'Origin, X-Flag-Key, Accept-Encoding'],
  [{ clientKeysHeaderName: 'Origin', ...ONE_ORIGIN }, 'GET /proxy', 'Origin, Accept-Encoding'],
  [{}, 'GET /proxy/health', 'Accept-Encoding'],
])('%j: %s: Vary: %s', async (config, call, expected) => {
  const [method = '', path = '', body] = call.split(' ')
  const key = path.endsWith('features') ? 'server' : KEY
  for (const httpFastLane of [true, false]) {
    proxy = await startProxy({ flagUrl: upstream.url, ...config, httpFastLane })
    const headers: Record<string, string> = { [config.clientKeysHeaderName ?? 'authorization']: key }
    if (method === 'POST') headers['content-type'] = 'application/json'
    const reply = await fetch(`${proxy.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    expect(reply.headers.get('vary')).toBe(expected)
    const etag = reply.headers.get('etag') ?? ''
    if (method !== 'POST' && reply.status === 200) {
      const again = await fetch(`${proxy.url}${path}`, { method, headers: { ...headers, 'if-none-match': etag } })
      expect([again.status, again.headers.get('vary')]).toEqual([304, expected])
    }
    await proxy.close()
  }
})
