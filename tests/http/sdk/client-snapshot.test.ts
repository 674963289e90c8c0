import { createGzip, gunzipSync } from 'node:zlib'
import { SILENT } from '@burgee/kit/log/logger'
import { openDatabase } from '@burgee/server/boot/open-database'
import { createDocuments } from '@burgee/server/delivery/documents/documents'
import { createBroadcast } from '@burgee/server/delivery/events/broadcast'
import { createDownloads } from '@burgee/serving/sdk/downloads'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { seedInstance } from '../../../bench/seed.ts'
import { emptyPlace } from '../../support/place.ts'
import { queryCounter } from '../../support/queries.ts'
import { optionsOf, startServer, type TestServer } from '../scenario.ts'

/** SDK downloads are built once per change and scope. Counts operations instead of measuring time. */
const engine = Object.getPrototypeOf((createGzip() as unknown as { _handle: object })._handle)
const compressors = [vi.spyOn(engine, 'write'), vi.spyOn(engine, 'writeSync')]
const compressed = () => compressors.reduce((sum, { mock }) => sum + mock.calls.length, 0)

const CALLERS = 60
const F = '/api/client/features'
const P = '/api/admin/projects/default/features'
const counter = queryCounter()
let server: TestServer
/** Client tokens: one for each project, one for both, and one for all projects. */
const tokens: Record<'default' | 'other' | 'both' | 'all', string> = { default: '', other: '', both: '', all: '' }

const admin = (call: string, body?: unknown) => server.admin(call, body)
const tokenFor = async (projects: string[]): Promise<{ secret: string; id: string }> => {
  const body = { tokenName: 't', type: 'client', environment: 'development', projects }
  return admin('POST /api/admin/api-tokens', body)
}

beforeAll(async () => {
  server = await startServer({}, Date.now, { onQuery: counter.onQuery })
  await admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
  for (let index = 0; index < 20; index += 1) {
    await admin(`POST ${P}`, { name: `mine-${index}` })
    await admin('POST /api/admin/projects/other/features', { name: `theirs-${index}` })
  }
  tokens.default = (await tokenFor(['default'])).secret
  tokens.other = (await tokenFor(['other'])).secret
  tokens.both = (await tokenFor(['other', 'default'])).secret
  tokens.all = (await tokenFor(['*'])).secret
})
afterAll(async () => {
  for (const compressor of compressors) compressor.mockRestore()
  await server.close()
})

const download = (token: string, headers: Record<string, string> = {}, query = '') =>
  server.server.app.inject({ url: `${F}${query}`, headers: { authorization: token, ...headers } })
const many = <T>(work: (index: number) => PromiseLike<T>) =>
  Promise.all(Array.from({ length: CALLERS }, (_, n) => work(n)))

/** Counts the documents built, serialized and compressed during an operation. */
async function work(done: () => Promise<unknown>) {
  const stringify = vi.spyOn(JSON, 'stringify')
  const [made, gzips] = [await snapshots(), compressed()]
  stringify.mockClear()
  const queries = await counter.count(done)
  const documents = stringify.mock.calls.filter(
    ([value]) => typeof value === 'object' && value !== null && 'features' in value,
  )
  stringify.mockRestore()
  return {
    queries,
    documents: documents.length,
    made: (await snapshots()) - made,
    gzips: compressed() - gzips,
  }
}
async function snapshots(): Promise<number> {
  const { body } = await server.server.app.inject({ url: '/internal-backstage/prometheus' })
  return Number(/^burgee_client_snapshots_total (\d+)$/m.exec(body)?.[1])
}
const NOTHING = { queries: 0, documents: 0, made: 0, gzips: 0 }

describe('a cached download', () => {
  test('costs no query, no text and no compression, also for other tokens of the same scope', async () => {
    const { secret } = await tokenFor(['default'])
    const gzip = { 'accept-encoding': 'gzip' }
    for (const token of [tokens.default, secret]) await download(token, gzip)
    const replies: Awaited<ReturnType<typeof download>>[] = []
    const spent = await work(async () => {
      for (let time = 0; time < 3; time += 1) {
        for (const token of [tokens.default, secret]) replies.push(await download(token, gzip))
      }
    })
    expect(spent).toEqual(NOTHING)
    for (const { rawPayload } of replies) {
      expect(JSON.parse(gunzipSync(rawPayload).toString()).features).toHaveLength(20)
    }
  })

  test('answers 304 without a query', async () => {
    const { etag } = (await download(tokens.default)).headers
    const spent = await work(() =>
      many(async () => {
        const reply = await download(tokens.default, { 'if-none-match': String(etag) })
        expect([reply.statusCode, reply.body]).toEqual([304, ''])
      }),
    )
    expect(spent).toEqual(NOTHING)
  })

  test('answers 401 to an unknown token without a query after the first', async () => {
    await download('*:development.unknown')
    const spent = await work(async () => {
      expect((await download('*:development.unknown')).statusCode).toBe(401)
      expect((await download('')).statusCode).toBe(401)
    })
    expect(spent).toEqual(NOTHING)
  })

  test('costs front ends no query either', async () => {
    const evaluate = () => server.call({ as: 'frontend', call: 'GET /api/frontend/all?userId=7' })
    await evaluate()
    const spent = await work(async () => {
      expect((await evaluate()).json().toggles).toHaveLength(20)
    })
    expect(spent).toEqual({ ...NOTHING, documents: 0 })
  })
})

describe('after a change', () => {
  test(`${CALLERS} callers at once have it put together, written and compressed once`, async () => {
    await download(tokens.default)
    const one = await work(async () => {
      await admin(`POST ${P}/mine-0/environments/development/on`)
      await download(tokens.default, { 'accept-encoding': 'gzip' })
    })
    const replies: Awaited<ReturnType<typeof download>>[] = []
    const all = await work(async () => {
      await admin(`POST ${P}/mine-0/environments/development/off`)
      replies.push(...(await many(() => download(tokens.default, { 'accept-encoding': 'gzip' }))))
    })
    expect(replies).toHaveLength(CALLERS)
    for (const reply of replies) {
      const [first] = JSON.parse(gunzipSync(reply.rawPayload).toString()).features
      expect(first).toMatchObject({ name: 'mine-0', enabled: false })
    }
    // serializes only the flag that changed, never the whole document; compresses only the flag's group and the end of
    // the document, which contains the revision
    expect(one).toMatchObject({ made: 1, documents: 0, gzips: 2 })
    expect(all).toMatchObject({ made: 1, documents: 0, gzips: 2 })
    // unlike enabling, disabling creates no strategy
    expect(all.queries).toBeLessThanOrEqual(one.queries)
  })

  test('an unaffected environment is not rebuilt', async () => {
    await download(tokens.default)
    await admin(`POST ${P}/mine-1/environments/production/on`)
    expect(await work(async () => await download(tokens.default))).toMatchObject({ made: 0, documents: 0 })
  })

  test('many callers share one query for their token', async () => {
    const ask = async (callers: (index: number) => PromiseLike<unknown>) => {
      const { id } = await tokenFor(['default'])
      await admin(`DELETE /api/admin/api-tokens/${id}`)
      return (await work(() => many(callers))).queries
    }
    const one = await ask((index) => (index === 0 ? download(tokens.default) : Promise.resolve()))
    expect(await ask(() => download(tokens.default))).toBe(one)
    expect(one).toBeGreaterThan(0)
  })
})

describe('downloads of different tokens', () => {
  test('match the token of each caller during concurrent requests and changes', async () => {
    const of = { default: 'mine', other: 'theirs' }
    const kinds = ['default', 'other', 'both', 'all'] as const
    const sizes = { default: 20, other: 20, both: 40, all: 40 }
    for (let round = 0; round < 4; round += 1) {
      const changed = admin(`POST ${P}/mine-2/environments/development/${round % 2 === 0 ? 'on' : 'off'}`)
      await many(async (index) => {
        const kind = kinds[index % kinds.length] ?? 'all'
        const { features, query } = (await download(tokens[kind])).json()
        expect(features).toHaveLength(sizes[kind])
        if (kind === 'all') return expect(query.project).toBeUndefined()
        expect(query.project).toEqual(kind === 'both' ? ['default', 'other'] : [kind])
        if (kind === 'both') return
        for (const { name, project } of features) expect([project, name.split('-')[0]]).toEqual([kind, of[kind]])
      })
      await changed
    }
  })

  test('the tag of one is none of another, and a narrowed download is not the whole', async () => {
    const tags = new Set<string>()
    const narrowed = [
      '',
      '?namePrefix=mine-1',
      '?namePrefix=mine-2',
      '?tag=simple:none',
      '?project=default',
      '?project=other',
    ]
    for (const query of narrowed) tags.add(String((await download(tokens.all, {}, query)).headers.etag))
    for (const token of [tokens.other, tokens.both]) tags.add(String((await download(token)).headers.etag))
    tags.add(String((await download(tokens.all, { 'unleash-client-spec': '5.0.0' })).headers.etag))
    // a token of one project shares its download with a token of all projects that is narrowed to this project
    expect(tags.size).toBe(narrowed.length + 2)
    for (const etag of tags) {
      const isOwn = etag === (await download(tokens.both)).headers.etag
      const reply = await download(tokens.both, { 'if-none-match': etag })
      expect(reply.statusCode).toBe(isOwn ? 304 : 200)
    }
  })

  test('a removed token gets nothing from then on, not even a 304', async () => {
    const { secret, id } = await tokenFor(['default'])
    const { etag } = (await download(secret)).headers
    expect((await download(secret, { 'if-none-match': String(etag) })).statusCode).toBe(304)
    await admin(`DELETE /api/admin/api-tokens/${id}`)
    expect((await download(secret, { 'if-none-match': String(etag) })).statusCode).toBe(401)
    expect((await download(tokens.default, { 'if-none-match': String(etag) })).statusCode).toBe(304)
  })
})

test('the cache is bounded in bytes, whatever callers request', async () => {
  const place = await emptyPlace()
  const db = await openDatabase(optionsOf(place.options), { clock: Date.now })
  try {
    await seedInstance(db, { features: 50, environments: 2, strategies: 1, seed: 1 })
    const whole = { environment: 'development', projects: ['*'] }
    const documents = createDocuments({ db, clock: Date.now, logger: SILENT, broadcast: createBroadcast(SILENT) })
    const { length } = (await createDownloads(documents).get(whole, false)).content
    const most = { entries: 100, bytes: length * 3 }
    const downloads = createDownloads(documents, { cacheLimits: most })
    for (let index = 0; index < 30; index += 1) {
      const scope = { ...whole, namePrefix: 'feature-'.slice(0, index % 8), projects: ['default', `p${index}`] }
      const { content } = await downloads.get(scope, false)
      content.bytes()
      expect(downloads.getCacheStats().bytes).toBeLessThanOrEqual(most.bytes)
    }
    expect(downloads.getCacheStats()).toMatchObject({ made: 30 })
    expect(downloads.getCacheStats().bytes).toBeGreaterThan(length)
  } finally {
    await db.close()
    await place.remove()
  }
})
