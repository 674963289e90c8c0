import { OfrepStreamEvent } from '@burgee/protocol/openfeature/ofrep'
import { Ajv } from 'ajv'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { until } from '../../support/wait.ts'
import { type OpenStream, openStream } from '../events/open-stream.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/**
 * Change notifications for OpenFeature providers. Source: OFREP 0.3.0, event streams, and peculiarities of the official
 * web provider.
 */
const FLAGS = '/ofrep/v1/evaluate/flags'
const P = '/api/admin/projects'

let server: TestServer
let url: string
let place: EmptyPlace
const opened: OpenStream[] = []

beforeAll(async () => {
  place = await readyPlace()
  await begin()
  await server.admin(`POST ${P}`, { id: 'another', name: 'Another' })
  await server.admin(`POST ${P}/default/features`, { name: 'mine' })
  await server.admin(`POST ${P}/another/features`, { name: 'theirs' })
})
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})
afterAll(async () => {
  await server.close()
  await place.remove()
})

async function begin(more: object = {}): Promise<void> {
  server = await startServer(more, Date.now, { place: { ...place, remove: async () => {} } })
  ;({ url } = await server.server.listen())
}

/** Restarts the server on the same database, as if it were another process. The test users are created again. */
async function restart(more: object = {}): Promise<void> {
  await server.db.rows("delete from users where username in ('editor', 'viewer')")
  await server.close()
  await begin(more)
}

interface Bulk {
  readonly eventStreams?: readonly [{ readonly endpoint: { readonly requestUri: string }; readonly type: string }]
}

const bulk = (token: string = TOKENS.frontend, headers: Record<string, string> = {}, query = '') =>
  fetch(`${url}${FLAGS}${query}`, { method: 'POST', headers: { authorization: token, ...headers } })
const streamOf = async (token?: string) => {
  const { eventStreams } = (await (await bulk(token)).json()) as Bulk
  return eventStreams?.[0].endpoint.requestUri
}
const open = async (uri: string | undefined, headers: Record<string, string> = {}) => {
  const stream = await openStream(`${url}${uri}`, headers)
  opened.push(stream)
  return stream
}
const refusal = async (uri: string) => (await fetch(`${url}${uri}`)).status
/** Toggles a flag. */
const flip = async (project = 'default', name = 'mine') => {
  const path = `${P}/${project}/features/${name}`
  const { environments } = await server.admin(`GET ${path}`)
  const { enabled } = environments.find((one: { name: string }) => one.name === 'development')
  await server.admin(`POST ${path}/environments/development/${enabled ? 'off' : 'on'}`)
}
const refetch = { type: 'refetchEvaluation', etag: expect.stringMatching(/^".+"$/), lastModified: expect.any(Number) }

describe('the event stream URL of a list', () => {
  test('does not reveal the token, and is stable', async () => {
    const first = await (await bulk()).json()
    expect(first.eventStreams).toEqual([
      {
        type: 'sse',
        endpoint: { requestUri: expect.stringMatching(/^\/ofrep\/v1\/stream\?c=[\w.%-]+$/) },
        inactivityDelaySec: 120,
      },
    ])
    const uri = await streamOf()
    expect(uri).toBe(first.eventStreams[0].endpoint.requestUri)
    expect(uri).not.toContain('secret')
    expect(await streamOf(TOKENS.client)).not.toBe(uri)
  })

  test.each(['/ofrep/v1/stream?c=none', '/ofrep/v1/stream?c=', '/ofrep/v1/stream?c=a.%C3%BC'])(
    '%s is none',
    async (uri) => {
      expect(await refusal(uri)).toBe(401)
    },
  )

  test('one without a channel is refused', async () => expect(await refusal('/ofrep/v1/stream')).toBe(400))

  test('a proof of another token is none', async () => {
    const [mine, theirs] = [await streamOf(), await streamOf(TOKENS.client)]
    const forged = `${mine?.split('.')[0]}.${theirs?.split('.')[1]}`
    expect(await refusal(forged)).toBe(401)
  })
})

describe('a stream', () => {
  test('sends each change that its token may see once, and no other change', async () => {
    const stream = await open(await streamOf(), { 'last-event-id': 'old' })
    const first = await stream.next(() => true)
    expect(first).toMatchObject({ event: 'message', data: refetch })
    await flip('another', 'theirs')
    for (let round = 0; round < 5; round++) await flip()
    const { id } = await stream.next((heard) => heard.id !== first.id, 1)
    await until(async () => (await openNow()).id === stream.heard.at(-1)?.id)
    expect(stream.heard.length).toBeLessThanOrEqual(6)
    expect(stream.heard.slice(1).map(({ data }) => data)).toEqual(stream.heard.slice(1).map(() => refetch))
    expect(id).not.toBe(first.id)
    const fits = new Ajv({ strict: false }).compile(JSON.parse(JSON.stringify(OfrepStreamEvent)))
    for (const { data } of stream.heard) expect(fits(data), JSON.stringify(data)).toBe(true)
  })

  /** Returns the first message of a stream that is opened with an outdated event id. */
  async function openNow() {
    return (await open(await streamOf(), { 'last-event-id': 'old' })).next(() => true)
  }

  test.each([
    ['the current id', (id: string) => id, 'connected'],
    ['an older id', () => 'older', 'refetchEvaluation'],
    ['none, just after a change', () => undefined, 'refetchEvaluation'],
  ])('on reconnecting sends the state if needed: %s', async (_name, idOf, type) => {
    await flip()
    const { id = '' } = await openNow()
    const sent = idOf(id)
    const again = await open(await streamOf(), sent === undefined ? {} : { 'last-event-id': sent })
    expect(await again.next(() => true)).toMatchObject({ id, data: { type } })
  })

  test('ends with its token, and its address with it', async () => {
    const token = { type: 'frontend', tokenName: 'short', environment: 'development', projects: ['default'] }
    const { secret } = await server.admin('POST /api/admin/api-tokens', token)
    const uri = (await streamOf(secret)) ?? ''
    const stream = await open(uri)
    await stream.next(() => true)
    await server.admin(`DELETE /api/admin/api-tokens/${secret}`)
    await until(() => stream.hasEnded())
    expect(await refusal(uri)).toBe(401)
  })

  test('allows pages of other origins', async () => {
    const leaving = new AbortController()
    const headers = { origin: 'https://page.example' }
    const reply = await fetch(`${url}${await streamOf()}`, { headers, signal: leaving.signal })
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
    leaving.abort()
  })
})

test("a list with the client's last tag waits only a moment for newer flags", async () => {
  const { id } = await (await open(await streamOf())).next(() => true)
  for (const tag of [`"${id}"`, id, '"never"'])
    expect((await bulk(undefined, {}, `?flagConfigEtag=${encodeURIComponent(tag ?? '')}`)).status).toBe(200)
})

test('after a restart the same URL works, and clients need not fetch again', async () => {
  const uri = await streamOf()
  const { id = '' } = await (await open(uri, { 'last-event-id': 'old' })).next(() => true)
  const tag = (await bulk()).headers.get('etag') ?? ''
  await restart()
  const again = await open(uri, { 'last-event-id': id })
  expect(await again.next(() => true)).toMatchObject({ id, data: { type: 'connected' } })
  expect((await bulk(undefined, { 'if-none-match': tag })).status).toBe(304)
})

describe('at the maximum number of streams', () => {
  beforeAll(() => restart({ maxStreams: 1 }))

  test('a list has no stream URL and another tag, so that clients with a URL notice', async () => {
    const first = await bulk()
    const tag = first.headers.get('etag') ?? ''
    const uri = ((await first.json()) as Bulk).eventStreams?.[0].endpoint.requestUri ?? ''
    const stream = await open(uri)
    await stream.next(() => true)
    expect(await refusal(uri)).toBe(429)
    const full = await bulk(undefined, { 'if-none-match': tag })
    expect([full.status, ((await full.json()) as Bulk).eventStreams]).toEqual([200, undefined])
    stream.close()
    await until(async () => (await bulk(undefined, { 'if-none-match': tag })).status === 304)
  })
})
