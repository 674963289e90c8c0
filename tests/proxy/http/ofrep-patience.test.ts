import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature as WebOpenFeature, type Provider as WebProvider } from '@openfeature/web-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { endServerClients, serverClient } from '../../support/openfeature.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

/** Both official providers, when they are rate limited and when no flags are available yet. */
const DOCUMENT = { version: 2, features: [{ name: 'flag', enabled: true, strategies: [] }] }

let upstream: FakeUpstream
let proxy: TestProxy
/** Server in front of the proxy that can answer with Retry-After instead of the proxy. */
let front: Server
let url: string
let wait: string | undefined
let asked: number

beforeAll(async () => {
  upstream = await startUpstream(DOCUMENT)
  proxy = await startProxy({ flagUrl: upstream.url })
  front = createServer(async (request, response) => {
    asked += 1
    if (wait !== undefined) return void response.writeHead(429, { 'retry-after': wait }).end()
    const reply = await fetch(`${proxy.url}${request.url}`, {
      method: 'POST',
      headers: { authorization: KEY, 'content-type': 'application/json' },
      body: '{}',
    })
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text())
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
})
beforeEach(() => {
  wait = undefined
  asked = 0
})
afterEach(() => WebOpenFeature.clearProviders())
afterAll(async () => {
  await endServerClients()
  front.closeAllConnections()
  front.close()
  await proxy.close()
  await upstream.close()
})

const FORMS = [
  ['seconds', () => '60'],
  ['a date', () => new Date(Date.now() + 60_000).toUTCString()],
] as const

test.each(FORMS)('the server provider asks no more for %s', async (_form, waitOf) => {
  const client = await serverClient(url, { authorization: KEY })
  wait = waitOf()
  for (let round = 0; round < 3; round++) expect(await client.getBooleanValue('flag', false)).toBe(false)
  expect(asked).toBe(1)
})

test.each(FORMS)('the web provider polls no more for %s', async (_form, waitOf) => {
  const provider = new OFREPWebProvider({ baseUrl: url, changeDetection: 'polling', pollInterval: 20 })
  await WebOpenFeature.setProviderAndWait(provider as WebProvider)
  expect(WebOpenFeature.getClient().getBooleanValue('flag', false)).toBe(true)
  wait = waitOf()
  const before = asked
  await until(() => asked > before)
  const told = asked
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(asked).toBeLessThanOrEqual(told + 1)
})

const withKey: typeof fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization: KEY } })

test('a provider that came too early is right when the flags are there', async () => {
  const late = await startUpstream(DOCUMENT)
  late.answerWith((_request, response) => void response.writeHead(500).end())
  const waiting = await startProxy({ flagUrl: late.url, refreshInterval: 20 }, { ready: false })
  try {
    const client = await serverClient(waiting.url, { authorization: KEY })
    expect(await client.getBooleanDetails('flag', false)).toMatchObject({ value: false, errorCode: 'GENERAL' })
    const provider = new OFREPWebProvider({
      baseUrl: waiting.url,
      fetchImplementation: withKey,
      changeDetection: 'none',
    })
    await expect(WebOpenFeature.setProviderAndWait(provider as WebProvider)).rejects.toThrow()
    late.answerWith(undefined)
    await until(() => client.getBooleanValue('flag', false))
    // the web provider requests the flags again when the page sets the user
    await WebOpenFeature.setContext({ targetingKey: 'somebody' })
    await until(() => WebOpenFeature.getClient().getBooleanValue('flag', false))
  } finally {
    await waiting.close()
    await late.close()
  }
})
