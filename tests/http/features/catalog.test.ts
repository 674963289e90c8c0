import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Guest, openGuest } from '../guest.ts'
import { addSession, startServer, type TestServer, TOKENS } from '../scenario.ts'
import { walksOf } from '../walks.ts'
import { featureListOf, featureView, searchFeatures } from './flag-oracle.ts'

/**
 * Admin views of flags are served from memory and must equal a fresh read from the database after any change. Uses
 * BURGEE_FUZZ_RUNS and BURGEE_FUZZ_SEED.
 */
const { runs: RUNS, seed: SEED } = walksOf('walks of administration, pages compared', { some: 2, full: 20 }, 20260101)
const TIMEOUT = RUNS * 15_000 + 120_000
/** After a step, one in this many searches is compared. */
const SHARE = 4
const HOUR_MS = 3_600_000
const P = '/api/admin/projects'
const FLAGS = ['alpha', 'beta', 'gamma']
const PLACES = ['development', 'production']

let server: TestServer
let database: Guest
let now = Date.now()
/** Id of the editor, a user who has favorite flags. */
let editor: number

beforeAll(async () => {
  server = await startServer({}, () => now)
  database = await openGuest(server.databaseOptions)
  editor = Number((await server.db.row("select id from users where username = 'editor'"))?.id)
  await server.admin(`POST ${P}`, { id: 'there', name: 'there' })
  await server.admin('POST /api/admin/tag-types', { name: 'team' })
  await server.admin('POST /api/admin/segments', { name: 'beta users', constraints: [] })
  for (const name of FLAGS) await server.admin(`POST ${P}/default/features`, { name, description: `The ${name}` })
})
afterAll(async () => {
  await database.close()
  await server.close()
})

const get = async (path: string, as: string) => {
  const reply = await server.call({ as, call: `GET ${path}` })
  return {
    status: reply.statusCode,
    body: reply.statusCode === 200 ? reply.json() : undefined,
    etag: reply.headers.etag,
  }
}

const SEARCHES: Readonly<Record<string, string | string[] | number | boolean>>[] = [
  {},
  { sortBy: 'name', sortOrder: 'desc', limit: 2, offset: 1 },
  { favoritesFirst: true, sortBy: 'type' },
  { sortBy: 'lastSeenAt', sortOrder: 'desc' },
  { sortBy: 'environment:production', sortOrder: 'desc' },
  { archived: 'IS:true', sortBy: 'archivedAt' },
  { query: 'THE al', project: 'IS_NOT:there' },
  { tag: 'INCLUDE_ANY_OF:simple:a,team:b' },
  { segment: 'EXCLUDE_ALL:beta users,renamed' },
  { state: 'IS_ANY_OF:stale,potentially-stale' },
  { status: ['development:enabled', 'production:disabled'], sortBy: 'stale' },
  { mine: 'IS:true', sortBy: 'name' },
  { mine: 'IS:false', favoritesFirst: true },
  { type: 'IS:experiment', createdAt: 'IS_ON_OR_AFTER:2020-01-01' },
]

const queryOf = (search: (typeof SEARCHES)[number]) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) for (const one of [value].flat()) query.append(name, String(one))
  return query.toString()
}

/** Compares every kind of page with the current database. */
async function expectTrue(step: string, searches = SEARCHES): Promise<void> {
  const { reader } = database
  const liked = new Set(
    (await server.db.rows('select feature_name from feature_favorites where user_id = ?', editor)).map((row) =>
      String(row.feature_name),
    ),
  )
  for (const search of searches) {
    const truth = await searchFeatures(reader, search as object, { now, userId: editor })
    expect(
      (await get(`/api/admin/search/features?${queryOf(search)}`, 'editor')).body,
      `${step}: ${queryOf(search)}`,
    ).toEqual(truth)
  }
  for (const project of ['default', 'there', 'unknown']) {
    const features = await featureListOf(reader, { project }, liked)
    expect((await get(`${P}/${project}/features`, 'editor')).body, step).toEqual({ version: 2, features })
  }
  const archived = await featureListOf(reader, { archived: true })
  expect((await get('/api/admin/archive/features', 'admin')).body, step).toEqual({ version: 2, features: archived })
  for (const name of FLAGS) {
    const row = await reader.selectFrom('features').selectAll().where('name', '=', name).executeTakeFirst()
    for (const project of ['default', 'there']) {
      const truth = row?.project === project ? await featureView(reader, row, editor) : undefined
      expect((await get(`${P}/${project}/features/${name}/overview`, 'editor')).body, `${step}: ${name}`).toEqual(truth)
    }
  }
}

interface Step {
  readonly flag: string
  readonly other: string
  readonly place: string
  readonly isOn: boolean
  readonly pick: number
}

const segmentId = async () => Number((await server.db.row('select min(id) as id from segments'))?.id)
const projectOf = async (flag: string) =>
  String((await server.db.row('select project from features where name = ?', flag))?.project ?? 'default')

/** Operations that are invalid in the current state must be rejected and change nothing. */
const KINDS: Readonly<Record<string, (step: Step, project: string) => Promise<unknown>>> = {
  turn: ({ flag, place, isOn }, project) =>
    send(`POST ${P}/${project}/features/${flag}/environments/${place}/${isOn ? 'on' : 'off'}`),
  create: ({ flag, pick }) =>
    send(`POST ${P}/default/features`, { name: flag, type: pick % 2 === 0 ? 'release' : 'experiment' }),
  describe: ({ flag, pick }, project) =>
    send(`PUT ${P}/${project}/features/${flag}`, { description: `"favorite":false, ${pick}`, stale: pick % 2 === 0 }),
  archive: ({ flag }, project) => send(`DELETE ${P}/${project}/features/${flag}`),
  revive: ({ flag }) => send(`POST /api/admin/archive/revive/${flag}`),
  delete: ({ flag }) => send(`DELETE /api/admin/archive/${flag}`),
  move: ({ flag, isOn }, project) =>
    send(`POST ${P}/${project}/features/${flag}/changeProject`, { newProjectId: isOn ? 'there' : 'default' }),
  depend: ({ flag, other, isOn }, project) =>
    isOn
      ? send(`POST ${P}/${project}/features/${flag}/dependencies`, { feature: other })
      : send(`DELETE ${P}/${project}/features/${flag}/dependencies`),
  tag: ({ flag, isOn, pick }) =>
    isOn
      ? send(`POST /api/admin/features/${flag}/tags`, {
          type: pick % 2 === 0 ? 'simple' : 'team',
          value: 'ab'.repeat(1 + (pick % 2)),
        })
      : send(`DELETE /api/admin/features/${flag}/tags/simple/ab`),
  'tag type': async ({ isOn }) =>
    isOn ? send('DELETE /api/admin/tag-types/team') : send('POST /api/admin/tag-types', { name: 'team' }),
  strategy: async ({ flag, place, pick }, project) =>
    send(`POST ${P}/${project}/features/${flag}/environments/${place}/strategies`, {
      name: 'flexibleRollout',
      disabled: pick % 3 === 0,
      segments: pick % 2 === 0 ? [await segmentId()] : [],
    }),
  'no strategy': async ({ flag, place }, project) => {
    const row = await server.db.row(
      'select id from feature_strategies where feature_name = ? and environment = ? order by id limit 1',
      flag,
      place,
    )
    return send(`DELETE ${P}/${project}/features/${flag}/environments/${place}/strategies/${row?.id ?? 'none'}`)
  },
  variants: ({ flag, place, pick }, project) =>
    send(
      `PUT ${P}/${project}/features/${flag}/environments/${place}/variants`,
      pick % 2 === 0 ? [] : [{ name: 'v', weight: 1000 }],
    ),
  segment: async ({ isOn }) =>
    send(`PUT /api/admin/segments/${await segmentId()}`, { name: isOn ? 'renamed' : 'beta users', constraints: [] }),
  environment: ({ place, pick }) => send(`PUT /api/admin/environments/update/${place}`, { sortOrder: 1 + (pick % 3) }),
  like: ({ flag, isOn }, project) =>
    send(`${isOn ? 'POST' : 'DELETE'} ${P}/${project}/features/${flag}/favorites`, {}, 'editor'),
  use: async ({ flag, place, pick }) => {
    const toggles = { [flag]: { yes: pick, no: 1 } }
    const bucket = { start: new Date(now).toISOString(), stop: new Date(now).toISOString(), toggles }
    await send('POST /api/client/metrics', { appName: 'app', bucket }, place === 'production' ? 'production' : 'client')
    await server.server.flush()
  },
  later: async ({ pick }) => {
    now += (pick % 2) * HOUR_MS + 499
    await addSession(server.db, 'editor', editor, now)
  },
  lifetime: async ({ pick }) => {
    await send('PUT /api/admin/feature-types/release/lifetime', { lifetimeDays: (pick % 2) * 40 })
    await server.server.markOverdue()
  },
}

const send = (call: string, body?: unknown, as = 'admin') =>
  server.call({ as, call, ...(body === undefined ? {} : { body }) })

const ORDER = fc.shuffledSubarray(Object.keys(KINDS), { minLength: Object.keys(KINDS).length })
const DETAILS = fc.infiniteStream(
  fc.record({
    flag: fc.constantFrom(...FLAGS),
    other: fc.constantFrom(...FLAGS),
    place: fc.constantFrom(...PLACES),
    isOn: fc.boolean(),
    pick: fc.nat(9),
  }),
)

test(
  `after any change pages from memory equal the database, in ${RUNS} walks, seed ${SEED}`,
  async () => {
    const walk = async (order: readonly string[], details: Iterator<Step>) => {
      for (const [index, kind] of order.entries()) {
        const step: Step = details.next().value
        await KINDS[kind]?.(step, await projectOf(step.flag))
        const some = SEARCHES.filter((_search, place) => place % SHARE === index % SHARE)
        await expectTrue(`step ${index}, ${kind} ${JSON.stringify(step)}`, some)
      }
      await expectTrue('at the end')
    }
    // each walk contains every kind of change once, in any order
    await fc.assert(fc.asyncProperty(ORDER, DETAILS, walk), { seed: SEED, numRuns: RUNS })
  },
  TIMEOUT,
)

describe('the tag of a page', () => {
  const SEARCH = '/api/admin/search/features?sortBy=name'
  test.each([SEARCH, `${P}/default/features`, '/api/admin/features', '/api/admin/archive/features'])(
    '%s is that of its body, and names no other body',
    async (path) => {
      const [one, other] = [await get(path, 'admin'), await get(path, 'admin')]
      expect(one.status).toBe(200)
      expect(other).toEqual(one)
      const again = await server.call({
        as: 'admin',
        call: `GET ${path}`,
        headers: { 'if-none-match': String(one.etag) },
      })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    },
  )

  test("one user's favorites do not appear in the page of another", async () => {
    const viewer = Number((await server.db.row("select id from users where username = 'viewer'"))?.id)
    await addSession(server.db, 'viewer', viewer, now)
    await addSession(server.db, 'editor', editor, now)
    await send(`POST ${P}/default/features`, { name: 'liked' })
    const path = `${P}/default/features/liked`
    const before = await get(path, 'viewer')
    await send(`POST ${path}/favorites`, {}, 'editor')
    expect((await get(path, 'editor')).body.favorite).toBe(true)
    expect(await get(path, 'viewer')).toEqual(before)
    expect((await server.call({ as: TOKENS.admin, call: `GET ${path}` })).json().favorite).toBe(false)
  })
})

test('another name of a segment stands in a search at once', async () => {
  await send(`POST ${P}/default/features`, { name: 'segmented' })
  const { id } = (await send('POST /api/admin/segments', { name: 'first name', constraints: [] })).json()
  const strategy = { name: 'flexibleRollout', segments: [id] }
  await send(`POST ${P}/default/features/segmented/environments/production/strategies`, strategy)
  const search = async () =>
    (await get('/api/admin/search/features?query=segmented', 'admin')).body.features[0].segments
  expect(await search()).toEqual(['first name'])
  await send(`PUT /api/admin/segments/${id}`, { name: 'second name', constraints: [] })
  expect(await search()).toEqual(['second name'])
})
