import type { IConfig, UnleashClient } from 'unleash-proxy-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { KEY } from '../support/proxy.ts'
import { webSdk } from '../support/sdks.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import { startWatchedProxy, type WatchedProxy } from './web-site.ts'

/** The unmodified official JavaScript SDK against an upstream whose flags change. */
const inRegion = (region: string) => ({ contextName: 'region', operator: 'IN', values: [region] })
const document = (region: string) => ({
  version: 2,
  features: [
    {
      name: 'regional',
      enabled: true,
      impressionData: true,
      strategies: [{ name: 'default', constraints: [inRegion(region)] }],
      variants: [{ name: 'blue', weight: 1000, payload: { type: 'json', value: '{"hex":"#00f"}' } }],
    },
    { name: 'we ird & ünï', enabled: true, strategies: [{ name: 'default', constraints: [inRegion('a b&c=ü')] }] },
    { name: 'quiet', enabled: true, impressionData: false, strategies: [] },
  ],
})
const BLUE = {
  name: 'blue',
  enabled: true,
  feature_enabled: true,
  payload: { type: 'json', value: '{"hex":"#00f"}' },
}
const EU = { userId: '7', properties: { region: 'eu' } }

let upstream: FakeUpstream
let proxy: WatchedProxy
let sdk: UnleashClient
beforeEach(async () => {
  // hide console errors, because the SDK prints every rejection
  vi.spyOn(console, 'error').mockImplementation(() => {})
  upstream = await startUpstream(document('eu'))
  proxy = await startWatchedProxy({ flagUrl: upstream.url, metricsInterval: 30 })
})
afterEach(async () => {
  sdk.stop()
  await proxy.close()
  await upstream.close()
})

interface Heard {
  readonly impressions: Record<string, unknown>[]
  readonly errors: unknown[]
  readonly updates: number[]
}
/** Creates a polling SDK and records its events. */
const client = (config: Partial<IConfig>): Heard => {
  const heard: Heard = { impressions: [], errors: [], updates: [] }
  sdk = webSdk({ url: proxy.url, clientKey: KEY, context: EU, ...config })
  sdk.on('impression', (event: Record<string, unknown>) => heard.impressions.push(event))
  sdk.on('error', (error: unknown) => heard.errors.push(error))
  sdk.on('update', () => heard.updates.push(heard.updates.length))
  return heard
}
const asked = () => proxy.exchanges.filter(({ path }) => /^\/proxy(\?|$)/.test(path))
const statuses = () => asked().map(({ status }) => status)
const delivered = () =>
  upstream.seen
    .filter(({ url }) => url.endsWith('/client/metrics'))
    .map(({ body }) => JSON.parse(body).bucket.toggles as Record<string, { yes: number; no: number; variants: object }>)

describe.each([false, true])('with POST: %s', (usePOSTrequests) => {
  test('reads flags, variant and payload, and sees flips', async () => {
    client({ usePOSTrequests })
    await sdk.start()
    expect(sdk.isReady()).toBe(true)
    expect(sdk.isEnabled('regional')).toBe(true)
    expect(sdk.getVariant('regional')).toEqual(expect.objectContaining(BLUE))
    expect(sdk.isEnabled('nothing')).toBe(false)
    expect(sdk.getVariant('quiet')).toMatchObject({ name: 'disabled', enabled: false, feature_enabled: true })
    upstream.serve(document('us'))
    await until(() => !sdk.isEnabled('regional'))
    expect(sdk.getVariant('regional')).toMatchObject({ name: 'disabled', enabled: false })
    upstream.serve(document('eu'))
    await until(() => sdk.isEnabled('regional'))
    expect(new Set(asked().map(({ method }) => method))).toEqual(new Set([usePOSTrequests ? 'POST' : 'GET']))
  })

  test('another context gives other flags, whatever its letters', async () => {
    client({ usePOSTrequests, disableRefresh: true })
    await sdk.start()
    await sdk.updateContext({ userId: '7', properties: { region: 'a b&c=ü' } })
    expect([sdk.isEnabled('regional'), sdk.isEnabled('we ird & ünï')]).toEqual([false, true])
    await sdk.setContextField('region', 'eu')
    await until(() => sdk.isEnabled('regional'))
    expect(sdk.isEnabled('we ird & ünï')).toBe(false)
  })

  test('impressions of flags that want them', async () => {
    const { impressions } = client({ usePOSTrequests, disableRefresh: true })
    await sdk.start()
    sdk.isEnabled('quiet')
    sdk.isEnabled('regional')
    sdk.getVariant('regional')
    const common = { featureName: 'regional', enabled: true, impressionData: true }
    expect(impressions).toEqual([
      expect.objectContaining({ ...common, eventType: 'isEnabled' }),
      expect.objectContaining({ ...common, eventType: 'getVariant', variant: 'blue' }),
    ])
  })

  test('its counts arrive upstream, each once', async () => {
    client({ usePOSTrequests, disableRefresh: true })
    await sdk.start()
    for (let time = 0; time < 3; time += 1) sdk.isEnabled('regional')
    sdk.isEnabled('nothing')
    sdk.getVariant('regional')
    await until(() => delivered().some((toggles) => toggles.regional !== undefined))
    expect(delivered()).toEqual([
      { regional: { yes: 4, no: 0, variants: { blue: 1 } }, nothing: { yes: 0, no: 1, variants: {} } },
    ])
  })

  test('a wrong key is an error event with 401, and the flags it had stay', async () => {
    const { errors } = client({ usePOSTrequests, clientKey: 'wrong', bootstrap: [toggle('given')] })
    await sdk.start()
    await until(() => errors.length > 0)
    expect(errors).toContainEqual({ type: 'HttpError', code: 401 })
    expect(sdk.isEnabled('given')).toBe(true)
  })
})

function toggle(name: string) {
  return { name, enabled: true, impressionData: false, variant: { name: 'disabled', enabled: false } }
}

test('unchanged flags are answered with 304 and cause no update; a change is 200 again', async () => {
  const { updates } = client({})
  await sdk.start()
  await until(() => statuses().filter((status) => status === 304).length > 2)
  expect(updates).toHaveLength(1)
  expect(statuses().slice(0, 2)).toEqual([200, 304])
  expect(sdk.isEnabled('regional')).toBe(true)
  upstream.serve(document('us'))
  await until(() => updates.length > 1)
  expect(statuses().filter((status) => status === 200).length).toBeGreaterThan(1)
  expect(sdk.isEnabled('regional')).toBe(false)
})

test('it recovers when the proxy becomes ready', async () => {
  await proxy.close()
  upstream.answerWith((_request, response) => void response.writeHead(500).end())
  proxy = await startWatchedProxy({ flagUrl: upstream.url }, { ready: false })
  const { errors } = client({})
  await sdk.start()
  await until(() => errors.length > 0)
  expect(errors[0]).toEqual({ type: 'HttpError', code: 503 })
  upstream.answerWith(undefined)
  await until(() => sdk.isEnabled('regional'))
})

test('below /all it gets all flags, and sends its counts there', async () => {
  await proxy.close()
  proxy = await startWatchedProxy({ flagUrl: upstream.url, metricsInterval: 30, enableAllEndpoint: true })
  client({ url: `${proxy.url}/all` })
  await sdk.start()
  expect(
    sdk
      .getAllToggles()
      .map(({ name, enabled }) => [name, enabled])
      .sort(),
  ).toEqual([
    ['quiet', true],
    ['regional', true],
    ['we ird & ünï', false],
  ])
  sdk.isEnabled('quiet')
  await until(() => delivered().some(({ quiet }) => quiet?.yes === 1))
  expect(proxy.exchanges.map(({ path }) => path)).toContain('/proxy/all/client/metrics')
})
