import type { Logger } from '@burgee/kit/log/logger'
import { afterEach, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { startUpstream } from '../../support/upstream.ts'

/** No caller can fill the log, whatever and however often it sends. */
const lines: string[] = []
const say = (message: string) => void lines.push(message)
const logger: Logger = { debug: say, info: say, warn: say, error: say, fatal: say }
let proxy: TestProxy | undefined
afterEach(async () => {
  await proxy?.close()
  lines.length = 0
})

const TIMES = 50

test('refused requests leave no line, at any level', async () => {
  const upstream = await startUpstream()
  proxy = await startProxy({ flagUrl: upstream.url, logger, trustProxy: true })
  const { url } = proxy
  const before = [...lines]
  const headers = { authorization: KEY, 'content-type': 'application/json' }
  const post = (body: string, more: object = {}) =>
    fetch(`${url}/proxy`, { method: 'POST', body, headers: { ...headers, ...more } })
  const statuses = new Set<number>()
  for (let time = 0; time < TIMES; time += 1) {
    const replies = await Promise.all([
      post('{bad'),
      post('{"toggles":[{}]}'),
      post('x', { 'content-type': 'text/plain' }),
      post('no gzip', { 'content-encoding': 'gzip' }),
      post(`{"context":{"x":"${'y'.repeat(1_000_001)}"}}`),
      fetch(`${url}/%zz`),
      fetch(`${url}/proxy`, { headers: { authorization: `wrong-${time}` } }),
      fetch(`${url}/proxy/all`, { headers }),
      fetch(`${url}/proxy?currentTime=never`, { headers: { ...headers, 'x-forwarded-for': 'nonsense' } }),
    ])
    for (const reply of replies) statuses.add(reply.status)
  }
  expect(statuses).toEqual(new Set([400, 415, 413, 404, 401, 501, 200]))
  expect(lines).toEqual(before)
  await upstream.close()
})

test.each<[string, (context: { userId?: string }) => object]>([
  [
    'an enricher that throws',
    ({ userId }) => {
      throw new Error(`no ${userId}`)
    },
  ],
  [
    'an enricher whose answer cannot be read',
    () => ({
      get userId(): string {
        throw new Error('broken')
      },
    }),
  ],
])('%s: each request fails, and the log has one line', async (_name, enricher) => {
  const feature = { name: 'a', enabled: true, strategies: [{ name: 'userWithId', parameters: { userIds: 'a' } }] }
  const upstream = await startUpstream({ features: [feature] })
  proxy = await startProxy({ flagUrl: upstream.url, logger, expCustomEnrichers: [enricher] })
  const before = lines.length
  for (let time = 0; time < TIMES; time += 1) {
    const reply = await fetch(`${proxy.url}/proxy?userId=${time}`, { headers: { authorization: KEY } })
    expect(reply.status).toBe(500)
  }
  expect(lines.slice(before)).toHaveLength(1)
  await upstream.close()
})
