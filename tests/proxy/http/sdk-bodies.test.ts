import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { LOOKUPS, REGISTRATIONS, REPORTS } from '../../support/sdk-bodies.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'

let upstream: FakeUpstream
let proxy: TestProxy
beforeAll(async () => {
  upstream = await startUpstream({ version: 2, features: [] })
  proxy = await startProxy({ flagUrl: upstream.url })
})
afterAll(async () => {
  await proxy.close()
  await upstream.close()
})

const post = (path: string, body: string, key: string = KEY) =>
  fetch(`${proxy.url}${path}`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body,
  })

describe('the proxy takes what SDKs post', () => {
  test.each([
    ...REGISTRATIONS.map(([name, body]) => ['/proxy/client/register', name, body, 202] as const),
    ...REPORTS.flatMap(([name, body]) =>
      ['/proxy/client/metrics', '/proxy/all/client/metrics'].map((path) => [path, name, body, 202] as const),
    ),
    ...LOOKUPS.map(([name, body]) => ['/proxy', name, body, 200] as const),
  ])('POST %s with %s', async (path, _name, body, status) => {
    const reply = await post(path, JSON.stringify(body))
    expect([reply.status, await reply.text()]).toEqual([status, expect.anything()])
  })
})

describe('OpenFeature providers get JSON errors', () => {
  test.each(['/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/a'])('POST %s with a wrong key', async (path) => {
    const reply = await post(path, '{}', 'wrong')
    expect([reply.status, reply.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8'])
    expect(await reply.json()).toEqual({ errorDetails: 'Unauthorized' })
  })

  test('POST with a body that is not JSON', async () => {
    const reply = await post('/ofrep/v1/evaluate/flags/a', '{')
    expect([reply.status, await reply.json()]).toMatchObject([400, { key: 'a', errorCode: 'PARSE_ERROR' }])
  })
})
