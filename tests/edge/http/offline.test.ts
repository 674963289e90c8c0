import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type StartedEdge, startOfflineEdge } from '@burgee/edge/edge-process'
import { STREAM_REFUSALS } from '@burgee/serving/sdk/stream-refusal'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type OpenStream, openStream } from '../../http/events/open-stream.ts'
import { AnnouncedBodies } from '../../support/announced-body.ts'
import { temporaryFolder } from '../../support/burgee.ts'
import { until } from '../../support/wait.ts'
import { ask } from './edge-scene.ts'

const folder = temporaryFolder()
const path = join(folder.path, 'flags.json')
const edges: StartedEdge[] = []
afterEach(async () => {
  for (const edge of edges.splice(0)) await edge.close()
})
afterAll(folder.remove)

async function offline(file: unknown, env: Readonly<Record<string, string>> = {}): Promise<StartedEdge> {
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file))
  const common = { PORT: '0', INTERFACE: '127.0.0.1', LOG_LEVEL: 'fatal', SHUTDOWN_DELAY: '0', BOOTSTRAP_FILE: path }
  const tokens = { CLIENT_TOKENS: 'any-text,red:production.secret', FRONTEND_TOKENS: 'web' }
  const edge = await startOfflineEdge({ env: { ...common, ...tokens, ...env } })
  edges.push(edge)
  return edge
}
const feature = (name: string, project: string) => ({ name, project, enabled: true, strategies: [{ name: 'default' }] })
const FULL = { version: 2, features: [feature('one', 'red'), feature('two', 'blue')] }
const SHORT = { one: { enabled: true, variant: 'v1' }, two: { enabled: false } }
const namesOf = async ({ url }: StartedEdge, call: string, token: string, list: string) => {
  const { json } = await ask(url, call, { token })
  return (json as Record<string, { name: string }[]>)[list]?.map(({ name }) => name)
}

describe('both forms of the file, tokens of both forms', () => {
  test.each<{ name: string; file: unknown; all: string[]; red: string[]; on: string[] }>([
    { name: 'full', file: FULL, all: ['one', 'two'], red: ['one'], on: ['one', 'two'] },
    { name: 'short', file: SHORT, all: ['one', 'two'], red: [], on: ['one'] },
  ])('both forms of the file, tokens of both forms: $name', async ({ file, all, red, on }) => {
    const edge = await offline(file)
    expect(await namesOf(edge, 'GET /api/client/features', 'any-text', 'features')).toEqual(all)
    expect(await namesOf(edge, 'GET /api/client/features', 'red:production.secret', 'features')).toEqual(red)
    expect(await namesOf(edge, 'GET /api/frontend', 'web', 'toggles')).toEqual(on)
    expect((await ask(edge.url, 'GET /internal-backstage/ready')).status).toBe(200)
    expect((await ask(edge.url, 'GET /api/frontend', { token: 'other' })).status).toBe(403)
    expect((await ask(edge.url, 'GET /api/frontend', { token: 'any-text' })).status).toBe(403)
  })
})

describe('a requested tag', () => {
  const tagged = (name: string, ...values: string[]) => ({
    ...feature(name, 'red'),
    tags: values.map((value) => ({ type: 'simple', value })),
  })
  test.each<{ name: string; file: unknown; found: string[] }>([
    { name: 'the full form has no tags', file: FULL, found: ['one', 'two'] },
    { name: 'the short form has no tags', file: SHORT, found: ['one', 'two'] },
    { name: 'the file has tags', file: { features: [tagged('a', 'x'), tagged('b', 'y'), tagged('c')] }, found: ['a'] },
    { name: 'of one flag it does not', file: { features: [tagged('a', 'y'), feature('b', 'red')] }, found: ['b'] },
  ])('leaves out only flags whose tags are known: $name', async ({ file, found }) => {
    const edge = await offline(file)
    expect(await namesOf(edge, 'GET /api/client/features?tag=simple:x', 'any-text', 'features')).toEqual(found)
  })
})

describe('a segment missing from the file matches no one', () => {
  const strategies = [{ name: 'default', segments: [404] }]
  const LACKING = { version: 2, features: [{ name: 'miss', enabled: true, strategies }] }
  const never = [{ name: 'default', constraints: [{ contextName: 'userId', operator: 'IN', values: [] }] }]
  test.each<{ name: string; headers: Record<string, string>; told: unknown }>([
    { name: 'no Unleash-Client-Spec', headers: {}, told: never },
    { name: '4.1.9', headers: { 'unleash-client-spec': '4.1.9' }, told: never },
    { name: '4.2.0', headers: { 'unleash-client-spec': '4.2.0' }, told: strategies },
  ])('a segment missing from the file matches no one: SDK with $name', async ({ headers, told }) => {
    const edge = await offline(LACKING)
    const { json } = await ask(edge.url, 'GET /api/client/features', { token: 'any-text', headers })
    expect(json).toMatchObject({ features: [{ name: 'miss', strategies: told }] })
    const one = await ask(edge.url, 'GET /api/client/features/miss', { token: 'any-text', headers })
    expect(one.json).toMatchObject({ strategies: told })
    expect(await namesOf(edge, 'GET /api/frontend?userId=7', 'web', 'toggles')).toEqual([])
  })
})

describe('a flag without strategies', () => {
  const all = [{ name: 'a', weight: 1000 }]
  /** Expected results, as given by Yggdrasil 2.0 and by the Node SDK. */
  test.each<{ name: string; flag: Record<string, unknown>; yggdrasil: string; node: string }>([
    { name: 'missing', flag: { enabled: true }, yggdrasil: 'on', node: 'off' },
    { name: 'null', flag: { enabled: true, strategies: null }, yggdrasil: 'on', node: 'off' },
    { name: 'empty', flag: { enabled: true, strategies: [] }, yggdrasil: 'on', node: 'on' },
    { name: 'missing, with a variant', flag: { enabled: true, variants: all }, yggdrasil: 'a', node: 'off' },
    { name: 'missing, off', flag: { enabled: false }, yggdrasil: 'off', node: 'off' },
    { name: 'an object', flag: { enabled: true, strategies: {} }, yggdrasil: 'off', node: 'off' },
    { name: 'a text', flag: { enabled: true, strategies: 'default' }, yggdrasil: 'off', node: 'off' },
    { name: 'a list of null', flag: { enabled: true, strategies: [null] }, yggdrasil: 'off', node: 'off' },
  ])("gets the result of the profile's engine: $name", async ({ flag, ...expected }) => {
    for (const profile of ['yggdrasil', 'node'] as const) {
      const edge = await offline({ features: [{ name: 'f', ...flag }] }, { EVALUATION_PROFILE: profile })
      const { json } = await ask(edge.url, 'GET /api/frontend', { token: 'web' })
      const [toggle] = (json as { toggles: { variant: { name: string; enabled: boolean } }[] }).toggles
      const on = toggle?.variant.enabled ? toggle.variant.name : 'on'
      expect([profile, toggle === undefined ? 'off' : on]).toEqual([profile, expected[profile]])
      const downloaded = await ask(edge.url, 'GET /api/client/features', { token: 'any-text' })
      const { features } = downloaded.json as { features: { strategies: unknown }[] }
      // a list, so that all SDKs evaluate the download in the same way
      for (const { strategies } of features) expect(Array.isArray(strategies)).toBe(true)
    }
  })
})

test('a variant in the short form applies to everyone', async () => {
  const edge = await offline(SHORT)
  const { json } = await ask(edge.url, 'GET /api/frontend', { token: 'web' })
  expect(json).toMatchObject({ toggles: [{ name: 'one', variant: { name: 'v1', enabled: true } }] })
})

test('accepts reports, and has no upstream to send them to', async () => {
  const edge = await offline(FULL)
  const body = { appName: 'a', bucket: { start: '2026-11-22T00:00:00Z', stop: '2026-11-22T00:00:00Z', toggles: {} } }
  expect((await ask(edge.url, 'POST /api/client/metrics', { token: 'any-text', body })).status).toBe(202)
  expect((await ask(edge.url, 'GET /api/client/delta', { token: 'any-text' })).status).toBe(200)
})

test('loads a valid file at the next reload and ignores a broken one', async () => {
  const edge = await offline(FULL, { RELOAD_INTERVAL: '1' })
  const all = () => namesOf(edge, 'GET /api/client/features', 'any-text', 'features')
  writeFileSync(path, JSON.stringify({ ...FULL, features: [feature('three', 'red')] }))
  await until(async () => (await all())?.join() === 'three')
  writeFileSync(path, '{"version": 2, "feat')
  edge.reloadSecrets()
  expect(await all()).toEqual(['three'])
})

test('a file that is not there ends the start', async () => {
  await expect(offline(FULL, { BOOTSTRAP_FILE: '/nothing' })).rejects.toThrow('BOOTSTRAP_FILE')
})

describe('streams of a node', () => {
  const many = Array.from({ length: 20 }, (_one, index) => `198.51.100.${index}`)
  test.each<{ what: 'token' | 'network'; kind: string; tokens: string[]; networks: string[]; next: string }>([
    { what: 'token', kind: 'SDK', tokens: ['any-text'], networks: many, next: 'other-text' },
    { what: 'network', kind: 'SDK', tokens: ['any-text', 'some-text'], networks: ['192.0.2.1'], next: 'other-text' },
    { what: 'token', kind: 'OpenFeature', tokens: ['web'], networks: many, next: 'other-web' },
    { what: 'network', kind: 'OpenFeature', tokens: ['web', 'web2'], networks: ['192.0.2.1'], next: 'other-web' },
  ])('one $what leaves $kind streams to others', async ({ what, kind, tokens, networks, next }) => {
    const edge = await offline(FULL, {
      FLAG_MAX_STREAMS: '10',
      TRUST_PROXY: 'true',
      CLIENT_TOKENS: 'any-text,some-text,other-text',
      FRONTEND_TOKENS: 'web,web2,other-web',
    })
    const addressFor = (token: string) => (kind === 'SDK' ? `${edge.url}/api/client/streaming` : webStream(edge, token))
    const addresses = new Map<string, string>()
    for (const token of [...tokens, next]) addresses.set(token, await addressFor(token))
    const request = (token = '', network = '') =>
      [addresses.get(token) ?? '', { authorization: token, 'x-forwarded-for': network }] as const
    const nth = (count: number) => request(tokens[count % tokens.length], networks[count % networks.length])
    const opened: OpenStream[] = []
    for (let count = 0; count < 9; count += 1) opened.push(await openStream(...nth(count)))
    const [address, headers] = nth(9)
    const refused = await fetch(address, { headers })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await refused.json()).toEqual({ explanation: STREAM_REFUSALS[what] })
    opened.push(await openStream(...request(next, '192.0.2.9')))
    for (const stream of opened) stream.close()
  })

  async function webStream(edge: StartedEdge, token: string): Promise<string> {
    const { json } = await ask(edge.url, 'POST /ofrep/v1/evaluate/flags', { token, body: {} })
    const { eventStreams } = json as { eventStreams: [{ endpoint: { requestUri: string } }] }
    return `${edge.url}${eventStreams[0].endpoint.requestUri}`
  }
})

test.each([
  { what: 'token', tokens: ['any-text'], networks: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] },
  { what: 'network', tokens: ['any-text', 'some-text'], networks: ['192.0.2.1'] },
])('bodies of one $what get half of the memory of a node', async ({ tokens, networks }) => {
  const env = { BODY_MEMORY_LIMIT: '1048576', TRUST_PROXY: 'true', CLIENT_TOKENS: 'any-text,some-text,other-text' }
  const edge = await offline(FULL, env)
  const bodies = new AnnouncedBodies()
  const announce = (token = '', from = '') =>
    bodies.announce(edge.port, {
      path: '/api/client/metrics/bulk',
      from,
      credentials: [`Authorization: ${token}`],
      bytes: 100_000,
    })
  const nth = (count: number) => announce(tokens[count % tokens.length], networks[count % networks.length])
  const replies = [await nth(0), await nth(1), await nth(2), await announce('other-text', '192.0.2.9')]
  expect(replies.map((reply) => reply.slice(9, 12))).toEqual(['100', '100', '503', '100'])
  expect(replies[2]).toContain('of your token or network are being read')
  bodies.close()
})
