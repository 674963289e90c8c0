import type { ProxyConfig } from '@burgee/proxy/options'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'

/** Context of an evaluation: taken from the query or body of the request, and completed by the proxy. */
const DOCUMENT = { features: [{ name: 'spied', enabled: true, strategies: [{ name: 'Spy', parameters: {} }] }] }
type Seen = Record<string, unknown> & { readonly properties: Record<string, unknown> }

let upstream: FakeUpstream
let proxy: TestProxy
let seen: Seen | undefined
const spy = {
  name: 'Spy',
  isEnabled: (_parameters: unknown, context: Seen) => {
    seen = context
    return true
  },
}
const start = (config: ProxyConfig = {}) =>
  startProxy({ flagUrl: upstream.url, customStrategies: [spy], enableAllEndpoint: true, ...config })

beforeAll(async () => {
  upstream = await startUpstream(DOCUMENT)
  proxy = await start()
})
afterEach(() => {
  seen = undefined
})
afterAll(async () => {
  await proxy.close()
  await upstream.close()
})

const ask = (path: string, init: RequestInit = {}, url = proxy.url) =>
  fetch(`${url}${path}`, { ...init, headers: { authorization: KEY, 'content-type': 'application/json' } })
const post = (body: unknown, path = '/proxy') => ask(path, { method: 'POST', body: JSON.stringify(body) })
/** Returns the context without undefined fields, with its time as text and its properties as a plain object. */
const plain = (): Record<string, unknown> => JSON.parse(JSON.stringify(seen))

const ADDED = { appName: 'flag-proxy', environment: 'default', remoteAddress: '127.0.0.1', sessionId: 's' }
const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')

describe('query', () => {
  test.each<[query: string, properties: Record<string, unknown>, fields?: Record<string, unknown>]>([
    ['userId=7', {}, { userId: '7' }],
    ['appName=web&remoteAddress=192.0.2.1', {}, { appName: 'web', remoteAddress: '192.0.2.1' }],
    ['environment=production', {}, { environment: 'production' }],
    ['currentTime=2024-02-29T12:00:00.000Z', {}, { currentTime: '2024-02-29T12:00:00.000Z' }],
    ['currentTime=2024-02-29T12:00:00%2B02:00', {}, { currentTime: '2024-02-29T10:00:00.000Z' }],
    ['currentTime=Thu, 29 Feb 2024 12:00:00 GMT', {}, { currentTime: '2024-02-29T12:00:00.000Z' }],
    ['currentTime=yesterday', {}],
    ['userId=&appName=&environment=&remoteAddress=&currentTime=', {}],
    ['properties[region]=eu', { region: 'eu' }],
    ['properties%5Bregion%5D=eu', { region: 'eu' }],
    ['properties%5Bwe+ird%5D=a%26b', { 'we ird': 'a&b' }],
    ['properties[x][y]=1', { x: '[object Object]' }],
    ['properties[region][]=eu', { region: 'eu' }],
    ['properties[region]=eu&properties[region]=us', { region: 'eu,us' }],
    ['properties[region]=', { region: '' }],
    ['properties[userId]=9&userId=7', { userId: '9' }, { userId: '7' }],
    ['region=eu', { region: 'eu' }],
    ['region=', { region: '' }],
    ['region=eu&properties[region]=us', { region: 'us' }],
    ['properties[region]=us&region=eu', { region: 'us' }],
    ['properties.region=eu', { 'properties.region': 'eu' }],
    ['userid=7', { userid: '7' }],
    ['toggles=a', { toggles: 'a' }],
    ['x=%zz&&;=1&y', { x: '%zz', ';': '1', y: '' }],
    ['__proto__=x&properties[__proto__]=y&__proto__[userId]=7', {}],
    ['constructor=x&toString=y', { constructor: 'x', toString: 'y' }],
    ['n=ünï%E2%9C%93', { n: 'ünï✓' }],
  ])('%s', async (query, properties, fields = {}) => {
    expect((await ask(`/proxy?sessionId=s&${query}`)).status).toBe(200)
    expect(plain()).toEqual({ ...ADDED, ...fields, properties })
  })

  test('sent objects and lists under unknown names are properties too', async () => {
    await ask('/proxy?sessionId=s&context[userId]=7&list=1&list=2')
    expect(plain().userId).toBeUndefined()
    expect(Object.keys(seen?.properties ?? {})).toEqual(['context', 'list'])
  })

  test('names beyond the thousandth are dropped', async () => {
    await ask(`/proxy?${many(999)}&last=1&beyond=1&userId=7`)
    expect(Object.keys(seen?.properties ?? {})).toHaveLength(1000)
    expect(seen?.properties).toHaveProperty('last')
    expect(seen?.userId).toBeUndefined()
  })

  const TEXTS = ['appName', 'userId', 'sessionId', 'remoteAddress', 'currentTime']
  test.each([
    ...TEXTS.flatMap((name) => [`${name}=1&${name}=2`, `${name}[]=1`, `${name}[a]=1`].map((query) => [query, name])),
  ])('%s → 400 naming it', async (query, name) => {
    const response = await ask(`/proxy?${query}`)
    expect(response.status).toBe(400)
    const { validation } = (await response.json()) as { validation: { instancePath: string }[] }
    expect(validation[0]?.instancePath).toBe(`/query/${name}`)
    expect(seen).toBeUndefined()
  })

  test.each(['environment=a&environment=b', 'environment[]=a', 'environment[a]=b'])(
    '%s is let through',
    async (query) => {
      expect((await ask(`/proxy?${query}`)).status).toBe(200)
    },
  )
})

describe('body', () => {
  test.each<[context: object, properties: Record<string, unknown>, fields?: Record<string, unknown>]>([
    [{ userId: '7' }, {}, { userId: '7' }],
    [{ userId: 7 }, {}, { userId: '7' }],
    [{ userId: true }, {}, { userId: 'true' }],
    [{ userId: null, appName: '', environment: null }, {}],
    [{ appName: 'web', environment: 'production' }, {}, { appName: 'web', environment: 'production' }],
    [{ currentTime: '2024-02-29T12:00:00Z' }, {}, { currentTime: '2024-02-29T12:00:00.000Z' }],
    [{ currentTime: 1709208000000 }, {}, { currentTime: '2024-02-29T12:00:00.000Z' }],
    [{ currentTime: 'yesterday' }, {}],
    [{ properties: { region: 'eu', n: 7, yes: true, none: null } }, { region: 'eu', n: '7', yes: 'true', none: '' }],
    [{ region: 'eu' }, { region: 'eu' }],
    [{ region: 'eu', properties: { region: 'us' } }, { region: 'us' }],
    [
      { list: [1], deep: { a: { b: 1 } }, n: 7 },
      { list: [1], deep: { a: { b: 1 } }, n: 7 },
    ],
    [JSON.parse('{"constructor":"x","properties":{"toString":"y"}}'), { constructor: 'x', toString: 'y' }],
  ])('%j', async (context, properties, fields = {}) => {
    expect((await post({ context: { sessionId: 's', ...context } })).status).toBe(200)
    expect(plain()).toEqual({ ...ADDED, ...fields, properties })
  })

  test('__proto__ is a name like any other and changes nothing', async () => {
    const text = '{"context":{"__proto__":{"userId":"7"},"properties":{"__proto__":"x"}}}'
    expect((await ask('/proxy', { method: 'POST', body: text })).status).toBe(200)
    expect([seen?.userId, seen?.properties.userId, ({} as { userId?: unknown }).userId]).toEqual(
      Array(3).fill(undefined),
    )
    expect(Object.getPrototypeOf(seen)).toBe(Object.prototype)
  })

  test.each<[unknown, string]>([
    [{ context: 'x' }, '/body/context'],
    [{ context: { userId: {} } }, '/body/context/userId'],
    [{ context: { sessionId: [] } }, '/body/context/sessionId'],
    [{ context: { environment: {} } }, '/body/context/environment'],
    [{ context: { properties: 'x' } }, '/body/context/properties'],
    [{ context: { properties: { a: [] } } }, '/body/context/properties/a'],
    [{ context: { properties: { a: { b: 1 } } } }, '/body/context/properties/a'],
    [{ toggles: 'a' }, '/body/toggles'],
    [{ toggles: {} }, '/body/toggles'],
    [{ toggles: [{}] }, '/body/toggles/0'],
  ])('%j → 400 naming it', async (body, path) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    const { validation } = (await response.json()) as { validation: { instancePath: string }[] }
    expect(validation[0]?.instancePath).toBe(path)
    expect(seen).toBeUndefined()
  })

  test('fields of a context beside "context" are members that are not known, as to the established proxy', async () => {
    expect((await post({ userId: '7', properties: { region: 'eu' }, context: { sessionId: 's' } })).status).toBe(200)
    expect(plain()).toEqual({ ...ADDED, properties: {} })
    expect((await post({ userId: '7', region: 'eu' })).status).toBe(200)
    expect(plain()).toMatchObject({ properties: {} })
    expect(plain()).not.toHaveProperty('userId')
  })

  test('names of toggles become texts; unknown members are ignored', async () => {
    const response = await post({ toggles: ['spied', 1, true, null], other: [1] })
    const { toggles } = (await response.json()) as { toggles: { name: string }[] }
    expect(toggles.map(({ name }) => name)).toEqual(['spied', '1', 'true', ''])
  })
})

describe('session', () => {
  test.each<[string, boolean, () => Promise<Response>]>([
    ['GET', true, () => ask('/proxy')],
    ['GET of all', true, () => ask('/proxy/all')],
    ['POST', true, () => post({})],
    ['POST with an empty list', true, () => post({ toggles: [] })],
    ['POST of all', true, () => post({}, '/proxy/all')],
    ['POST with names', false, () => post({ toggles: ['spied'] })],
    ['POST of all with names', false, () => post({ toggles: ['spied'] }, '/proxy/all')],
  ])('%s without one: invented %s', async (_name, isInvented, request) => {
    const invented = new Set<unknown>()
    for (let time = 0; time < 3; time += 1) {
      await request()
      invented.add(seen?.sessionId)
    }
    if (isInvented) for (const one of invented) expect(one).toMatch(/^\d+$/)
    expect(isInvented ? invented.size > 1 : [...invented]).toEqual(isInvented ? true : [undefined])
  })
})

describe('configured environment and app name', () => {
  let other: TestProxy
  beforeAll(async () => {
    other = await start({ environment: 'production', flagAppName: 'mine' })
  })
  afterAll(() => other.close())

  test.each<[string, RequestInit]>([
    ['/proxy', {}],
    ['/proxy?environment=sent', {}],
    ['/proxy?environment=a&environment=b', {}],
    ['/proxy/all?environment=sent', {}],
    ['/proxy', { method: 'POST', body: '{"context":{"environment":"sent"}}' }],
    ['/proxy', { method: 'POST', body: '{"context":{"environment":"sent"},"toggles":["spied"]}' }],
    ['/proxy/all', { method: 'POST', body: '{"context":{"environment":"sent"}}' }],
  ])('%s %j: the environment wins, the app name stands in', async (path, init) => {
    expect((await ask(path, init, other.url)).status).toBe(200)
    expect(seen).toMatchObject({ environment: 'production', appName: 'mine' })
  })
})
