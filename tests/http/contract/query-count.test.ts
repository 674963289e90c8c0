import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { type BurgeeServer, createServer } from '@burgee/server'
import { openDatabase } from '@burgee/server/boot/open-database'
import { FLAGS_PER_QUERY } from '@burgee/storage/chunks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { featureName, LARGE, seedInstance } from '../../../bench/seed.ts'
import { CHEAP } from '../../support/password-cost.ts'
import { type EmptyPlace, emptyPlace } from '../../support/place.ts'
import { queryCounter } from '../../support/queries.ts'
import { optionsOf, TOKENS } from '../scenario.ts'

const MOST_QUERIES = 12
const SMALL = 50
/** Time limit of the test that reads every page four times. */
const MANY_PAGES_MS = 180_000

const counter = queryCounter()
/**
 * Current time of the server. The time changes only when a test changes it, so that lookups that are otherwise repeated
 * twice a second run only once.
 */
let now = Date.now()

/** Server with an instance of a given size. The server can count the queries of a call. */
interface Counted {
  readonly server: BurgeeServer
  readonly place: EmptyPlace
  get(url: string): Promise<Awaited<ReturnType<typeof inject>>>
  /** Returns the number of queries made by one call. */
  count(url: string): Promise<number>
}

const inject = (server: BurgeeServer, url: string) =>
  server.app.inject({ url, headers: { authorization: TOKENS.admin } })

async function start(features: number): Promise<Counted> {
  const place = await emptyPlace()
  const options = optionsOf({
    ...place.options,
    port: 0,
    host: '127.0.0.1',
    defaultAdminPassword: 'a good password',
    initAdminApiTokens: [TOKENS.admin],
  })
  const db = await openDatabase(options, { clock: Date.now })
  await seedInstance(db, { ...LARGE, features })
  await db.close()
  const { onQuery } = counter
  const server = await createServer({
    options,
    clock: () => now,
    monotonic: monotonicClock(() => now),
    random: randomBytes,
    logger: SILENT,
    onQuery,
    passwordCost: CHEAP,
  })
  const get = async (url: string) => await inject(server, url)
  await get('/api/admin/projects')
  await server.flush()
  const count = (url: string) => counter.count(() => get(url))
  return { server, place, get, count }
}

let small: Counted
let large: Counted
beforeAll(async () => {
  small = await start(SMALL)
  large = await start(LARGE.features)
})
afterAll(async () => {
  for (const { server, place } of [small, large]) {
    await server.close()
    await place.remove()
  }
})

const PROJECT = '/api/admin/projects/default/features'
const FEATURE = `${PROJECT}/${featureName(7)}`

describe(`${LARGE.features} flags × ${LARGE.environments} environments × ${LARGE.strategies} strategies`, () => {
  test.each([
    ['list', PROJECT, LARGE.features],
    ['list by prefix', `${PROJECT}?namePrefix=feature-0001`, 10],
    ['a page of a search', '/api/admin/search/features?limit=50&sortBy=name', 50],
    ['a search', '/api/admin/search/features?query=feature-0001&limit=50', 10],
    ['client features', '/api/client/features', LARGE.features],
    ['client features by prefix', '/api/client/features?namePrefix=feature-0001', 10],
  ])('%s holds what it must', async (_name, url, length) => {
    const reply = await large.get(url)
    expect(reply.statusCode).toBe(200)
    expect(reply.json().features).toHaveLength(length)
  })

  test('a flag has its environments and strategies', async () => {
    const { environments } = (await large.get(FEATURE)).json()
    expect(environments).toHaveLength(LARGE.environments)
    for (const one of environments) expect(one.strategies).toHaveLength(LARGE.strategies)
  })

  test(`every page but an export takes as many queries as with ${SMALL} flags`, {
    timeout: MANY_PAGES_MS,
  }, async () => {
    const known: Record<string, string> = { projectId: 'default', featureName: featureName(7), name: featureName(7) }
    const urls = small.server.routes
      .filter(({ method, permission }) => method === 'GET' && permission !== 'public')
      // an event stream would never end
      .filter(({ replies }) => replies[200]?.contentType !== 'text/event-stream')
      // an export reads flags or events in pages of a fixed size, so that it never has all of them in memory; see the
      // next test and tests/http/events/event-export.test.ts
      .filter(({ url }) => !['/api/admin/state/export', '/api/admin/event-export'].includes(url))
      .filter(({ url }) => !url.endsWith('/config/export'))
      .map(({ url }) => url.replace(/:([A-Za-z]+)/g, (_all, name: string) => known[name] ?? 'development'))
    expect(urls).toEqual(expect.arrayContaining([PROJECT, FEATURE, '/api/client/features']))
    for (const url of urls) {
      // fills the caches
      await Promise.all([small.get(url), large.get(url)])
      expect([url, await large.count(url)]).toEqual([url, await small.count(url)])
    }
    expect(await large.count('/api/client/features')).toBe(0)
    // not even a URL that has not been requested before causes a query
    expect(await large.count('/api/client/features?namePrefix=feature-0')).toBe(0)
  })

  test.each([
    ['', 4],
    ['?tags=false', 3],
    ['?tags=false&segments=false', 2],
    ['?featureToggles=false', 0],
  ])(
    `an export%s takes as many queries as with ${SMALL} flags, and %i for each further page of flags`,
    async (query, each) => {
      const url = `/api/admin/state/export${query}`
      const pages = Math.ceil(LARGE.features / FLAGS_PER_QUERY)
      expect(pages).toBeGreaterThan(2)
      expect(await large.count(url)).toBe((await small.count(url)) + (pages - 1) * each)
    },
  )

  const PAGES = [
    ['a list', PROJECT],
    ['a search', '/api/admin/search/features?query=017&limit=50'],
    ['a narrowed list', `${PROJECT}?namePrefix=feature&tag=simple:mobile`],
    ['a flag', FEATURE],
  ] as const
  /** Changes the flag, whichever state it is in. */
  const change = async ({ server, get }: Counted) => {
    const headers = { authorization: TOKENS.admin }
    const { name } = (await get(FEATURE)).json().environments[0]
    for (const state of ['off', 'on']) {
      const url = `${FEATURE}/environments/${name}/${state}`
      expect((await server.app.inject({ method: 'POST', url, headers })).statusCode).toBe(200)
    }
  }

  test.each(PAGES)('%s asks the database nothing, and after a change for the one flag', async (_name, url) => {
    const spent: number[] = []
    for (const one of [small, large]) {
      await one.get(url)
      expect(await one.count(url)).toBe(0)
      await change(one)
      spent.push(await one.count(url))
      expect(await one.count(url)).toBe(0)
    }
    expect(spent[0]).toBe(spent[1])
    expect(spent[0]).toBeGreaterThan(0)
    expect(spent[0]).toBeLessThanOrEqual(MOST_QUERIES)
  })

  test.each(PAGES)('%s looks once in half a second whether flags were used, and then for when', async (_name, url) => {
    await large.get(url)
    now += 500
    expect(await large.count(url)).toBe(1)
    expect(await large.count(url)).toBe(0)
    const bucket = { start: now, stop: now, toggles: { [featureName(7)]: { yes: 1, no: 1 } } }
    const environment = (await large.get(FEATURE)).json().environments[0].name
    await large.server.recordMetrics({ environment, projects: ['*'] }, 'app', bucket)
    await large.server.flush()
    const count = await large.count(url)
    expect(count).toBeGreaterThan(1)
    expect(count).toBeLessThanOrEqual(MOST_QUERIES)
    expect(await large.count(url)).toBe(0)
  })

  test('a concurrent background query of the server does not disturb the count', async () => {
    const url = '/api/admin/environments'
    const before = await large.count(url)
    expect(before).toBeGreaterThan(0)
    const asking = setInterval(() => void large.get('/api/admin/projects'), 20)
    for (let time = 0; time < 10; time += 1) expect(await large.count(url)).toBe(before)
    clearInterval(asking)
  })
})

describe('with many projects, environments and context fields', () => {
  const make = async (path: string, body: object) => {
    const headers = { authorization: TOKENS.admin }
    const reply = await large.server.app.inject({ method: 'POST', url: `/api/admin/${path}`, headers, payload: body })
    expect(reply.statusCode, reply.body).toBe(201)
  }
  test('their lists take as many queries as with few', async () => {
    for (let n = 0; n < 10; n += 1) {
      await make('environments', { name: `more-${n}`, type: 'test' })
      await make('projects', { id: `more-${n}`, name: 'more' })
      await make('context', { name: `more-${n}` })
    }
    for (const list of [
      'projects',
      'projects/default/overview',
      'environments',
      'environments/project/default',
      'context',
    ]) {
      // fills the caches
      await Promise.all([small.get(`/api/admin/${list}`), large.get(`/api/admin/${list}`)])
      expect([list, await large.count(`/api/admin/${list}`)]).toEqual([list, await small.count(`/api/admin/${list}`)])
    }
  })
})
