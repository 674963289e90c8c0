import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SILENT } from '@burgee/kit/log/logger'
import { start as startLibrary } from '@burgee/proxy'
import { STREAM_REFUSALS } from '@burgee/serving/sdk/stream-refusal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenStream, openStream } from '../../http/events/open-stream.ts'
import { temporaryFolder } from '../../support/burgee.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

/** Change notifications for OpenFeature providers of a proxy. */
const documentOf = (enabled: boolean) => ({
  version: 2,
  features: [
    { name: 'flag', enabled, strategies: [] },
    { name: 'theirs', project: 'another', enabled: true, strategies: [] },
  ],
})

let upstream: FakeUpstream
let proxy: TestProxy
const opened: OpenStream[] = []
const start = async (more: object = {}) => {
  proxy = await startProxy({ flagUrl: upstream.url, refreshInterval: 20, projectName: 'default', ...more })
}
beforeEach(async () => {
  upstream = await startUpstream(documentOf(false))
})
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close()
  await proxy.close()
  await upstream.close()
})

const bulk = (headers: Record<string, string> = {}) =>
  fetch(`${proxy.url}/ofrep/v1/evaluate/flags`, { method: 'POST', headers: { authorization: KEY, ...headers } })
const uriOf = async (key: string = KEY) => {
  const { eventStreams } = (await (await bulk({ authorization: key })).json()) as {
    eventStreams?: [{ endpoint: { requestUri: string } }]
  }
  return eventStreams?.[0].endpoint.requestUri
}
const open = async (uri: string | undefined, headers: Record<string, string> = {}) => {
  const stream = await openStream(`${proxy.url}${uri}`, headers)
  opened.push(stream)
  return stream
}

test('a change of the upstream reaches stream clients after the flags are in use', async () => {
  await start()
  const stream = await open(await uriOf(), { 'last-event-id': 'old' })
  const { id } = await stream.next(() => true)
  upstream.serve(documentOf(true))
  const told = await stream.next((heard) => heard.id !== id)
  expect(told.data).toMatchObject({ type: 'refetchEvaluation', etag: `"${told.id}"` })
  expect(((await (await bulk()).json()) as { flags: object[] }).flags).toMatchObject([{ key: 'flag', value: true }])
})

test('the same flags in another document are no change, and a start makes no other address or id', async () => {
  await start()
  const uri = await uriOf()
  const { id = '' } = await (await open(uri, { 'last-event-id': 'old' })).next(() => true)
  await proxy.close()
  upstream.serve({ ...documentOf(false), other: true })
  await start()
  expect(await uriOf()).toBe(uri)
  expect(await (await open(uri, { 'last-event-id': id })).next(() => true)).toMatchObject({
    data: { type: 'connected' },
  })
})

test('a stream URL works below the base path, and only while a base path is set', async () => {
  await start({ proxyBasePath: '/base' })
  const reply = await fetch(`${proxy.url}/base/ofrep/v1/evaluate/flags`, {
    method: 'POST',
    headers: { authorization: KEY },
  })
  const { eventStreams } = (await reply.json()) as { eventStreams: [{ endpoint: { requestUri: string } }] }
  const uri = eventStreams[0].endpoint.requestUri
  expect(uri).toMatch(/^\/base\/ofrep\/v1\/stream\?c=[\w-]+\.[\w-]+$/)
  await (await open(uri)).next(() => true)
  expect((await fetch(`${proxy.url}/base/ofrep/v1/stream?c=other`)).status).toBe(401)
})

test('limits streams to FLAG_MAX_STREAMS; lists beyond the limit contain no URL', async () => {
  await start({ maxStreams: 1 })
  const tag = (await bulk()).headers.get('etag') ?? ''
  const uri = await uriOf()
  const stream = await open(uri)
  await stream.next(() => true)
  const refused = await fetch(`${proxy.url}${uri}`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect([await uriOf(), (await bulk({ 'if-none-match': tag })).status]).toEqual([undefined, 200])
  stream.close()
  await until(async () => (await uriOf()) === uri)
})

test.each([
  { what: 'token', keys: [KEY], networks: Array.from({ length: 20 }, (_one, index) => `198.51.100.${index}`) },
  { what: 'network', keys: [KEY, 'other-key'], networks: ['192.0.2.1'] },
])('one $what leaves streams to others', async ({ what, keys, networks }) => {
  await start({ maxStreams: 10, trustProxy: true, clientKeys: [KEY, 'other-key', 'third-key'] })
  const uris = await Promise.all(keys.map((key) => uriOf(key)))
  const nth = (count: number) => ({
    uri: uris[count % uris.length],
    headers: { 'x-forwarded-for': networks[count % networks.length] ?? '' },
  })
  for (let count = 0; count < 9; count += 1) await open(nth(count).uri, nth(count).headers)
  const refused = await fetch(`${proxy.url}${nth(9).uri}`, { headers: nth(9).headers })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(await refused.json()).toEqual({ error: STREAM_REFUSALS[what as 'token' | 'network'] })
  const next = await open(await uriOf('third-key'), { 'x-forwarded-for': '192.0.2.9' })
  await next.next(() => true)
})

test('streams of a key end when it is taken away, those of the others go on', async () => {
  const folder = temporaryFolder()
  const file = join(folder.path, 'keys')
  writeFileSync(file, `${KEY},other-key`)
  const config = { flagUrl: upstream.url, flagApiToken: 'upstream-token', host: '127.0.0.1', port: 0, logger: SILENT }
  const env = { FLAG_PROXY_CLIENT_KEYS_FILE: file }
  const started = await startLibrary({ ...config, refreshInterval: 20, backup: false, streaming: 'off' }, { env })
  proxy = { ...started, url: `http://127.0.0.1:${started.port}` }
  await until(() => started.isReady())
  const gone = await open(await uriOf())
  const others = await bulk({ authorization: 'other-key' })
  const { eventStreams } = (await others.json()) as { eventStreams: [{ endpoint: { requestUri: string } }] }
  const staying = await open(eventStreams[0].endpoint.requestUri)
  writeFileSync(file, 'other-key')
  proxy.reloadSecrets()
  await until(() => gone.hasEnded())
  upstream.serve(documentOf(true))
  await staying.next(({ data }) => (data as { type: string }).type === 'refetchEvaluation')
  expect(staying.hasEnded()).toBe(false)
  folder.remove()
})
