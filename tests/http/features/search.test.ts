import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const P = '/api/admin/projects/default/features'

const admin = (call: string, body?: unknown) => server.admin(call, body)

let now = Date.parse('2026-03-01T12:00:00Z')
beforeAll(async () => {
  server = await startServer({}, () => now)
  const flags = [
    {
      name: 'alpha',
      type: 'release',
      description: 'The first one',
      tags: [
        { type: 'simple', value: 'red' },
        { type: 'simple', value: 'blue' },
      ],
    },
    { name: 'beta', type: 'experiment', tags: [{ type: 'simple', value: 'red' }] },
    { name: 'gamma', type: 'release' },
    { name: 'delta', type: 'kill-switch' },
    { name: 'gone' },
  ]
  for (const flag of flags) {
    await admin(`POST ${P}`, flag)
    now += 86_400_000
  }
  await admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
  await admin('POST /api/admin/projects/other/features', { name: 'theirs' })
  await admin('POST /api/admin/segments', { name: 'staff', constraints: [] })
  await admin(`POST ${P}/gamma/environments/development/strategies`, { name: 'default', segments: [1] })
  await admin(`POST ${P}/gamma/environments/production/on`)
  await admin(`PUT ${P}/beta`, { stale: true })
  await admin(`DELETE ${P}/gone`)
  const cookieAgain = async (name: string) => {
    const user = await server.db.row('select id from users where username = ?', name)
    await addSession(server.db, name, Number(user?.id), now)
  }
  for (const name of ['viewer', 'editor']) await cookieAgain(name)
})
afterAll(() => server.close())

const S = 'GET /api/admin/search/features'
/** Scenario of a search, and the names of the flags that it finds, in order. */
const finds = (query: string, ...names: string[]): Scenario => ({
  name: query === '' ? 'everything' : query,
  as: 'viewer',
  call: `${S}?${query}`,
  status: 200,
  has: { features: names.map((name) => ({ name })), total: names.length },
})
const bad = (query: string, text: string): Scenario => ({ name: query, as, call: `${S}?${query}`, status: 400, text })

describe('search for flags', () => {
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: S, status: 401 },
      { name: 'a client token', as: 'client', call: S, status: 403 },
      finds('', 'alpha', 'beta', 'gamma', 'delta', 'theirs'),
      finds('sortBy=name', 'alpha', 'beta', 'delta', 'gamma', 'theirs'),
      finds('sortBy=name&sortOrder=desc', 'theirs', 'gamma', 'delta', 'beta', 'alpha'),
      finds('sortBy=type', 'beta', 'delta', 'alpha', 'gamma', 'theirs'),
      finds('sortBy=environment:production&sortOrder=desc', 'gamma', 'alpha', 'beta', 'delta', 'theirs'),
      finds('query=ET', 'beta'),
      finds('query=first', 'alpha'),
      finds('query=simple:red', 'alpha', 'beta'),
      finds('query=%25'),
      finds('query=_'),
      finds('query=one%20first', 'alpha'),
      finds('query=first%20the', 'alpha'),
      finds('query=FIRST%20ALPH', 'alpha'),
      finds('query=red%20BETA', 'beta'),
      finds('query=simple:red%20%20%20first', 'alpha'),
      finds('query=%20beta%20%09red%20', 'beta'),
      finds('query=first%20beta'),
      finds('query=first%20nope'),
      finds('query=%25%20_'),
      finds('query=%20%20', 'alpha', 'beta', 'gamma', 'delta', 'theirs'),
      finds('project=IS:other', 'theirs'),
      finds('project=IS_NOT:other', 'alpha', 'beta', 'gamma', 'delta'),
      finds('project=IS_ANY_OF:other,nope', 'theirs'),
      finds('project=IS:__proto__'),
      finds('type=IS_ANY_OF:experiment,kill-switch', 'beta', 'delta'),
      finds('type=IS_NONE_OF:experiment,kill-switch', 'alpha', 'gamma', 'theirs'),
      finds('state=IS:stale', 'beta'),
      finds('tag=INCLUDE:simple:red', 'alpha', 'beta'),
      finds('tag=INCLUDE_ALL_OF:simple:red,simple:blue', 'alpha'),
      finds('tag=DO_NOT_INCLUDE:simple:red', 'gamma', 'delta', 'theirs'),
      finds('tag=EXCLUDE_ALL:simple:red,simple:blue', 'beta', 'gamma', 'delta', 'theirs'),
      finds('segment=INCLUDE:staff', 'gamma'),
      finds('status=production:enabled', 'gamma'),
      finds(
        'status[]=production:enabled&status[]=development:disabled&project=IS:default',
        'alpha',
        'beta',
        'gamma',
        'delta',
      ),
      finds('createdAt=IS_BEFORE:2026-03-02', 'alpha'),
      finds('createdAt=IS_ON_OR_AFTER:2026-03-04', 'delta', 'theirs'),
      finds('createdAt=IS:2026-03-02', 'beta'),
      finds('archived=IS:true', 'gone'),
      finds('archived=IS:false&query=gone'),
      bad('archived=IS:perhaps', 'archived'),
      finds('mine=IS:true'),
      finds('mine=IS:false&limit=50', 'alpha', 'beta', 'gamma', 'delta', 'theirs'),
      bad('mine=true', 'mine'),
      bad('mine=IS:perhaps', 'mine'),
      {
        ...finds('limit=2&offset=1&sortBy=name', 'beta', 'delta'),
        has: { features: [{ name: 'beta' }, { name: 'delta' }], total: 5 },
      },
      { ...finds('offset=99'), has: { features: [], total: 5 } },
      bad('project=default', 'project'),
      bad('project=LIKE:x', 'project'),
      bad('tag=INCLUDE:', 'tag'),
      bad('createdAt=IS_BEFORE:soon', 'createdAt'),
      bad('createdAt=AROUND:2026-01-01', 'createdAt'),
      bad('status=production', 'status'),
      bad('sortBy=constructor', 'sort'),
      bad('sortOrder=up', 'sortOrder'),
      bad('limit=0', 'limit'),
      bad('limit=1001', 'limit'),
      bad('offset=-1', 'offset'),
    ],
  )
})

describe('favourites', () => {
  const F = `${P}/delta/favorites`
  const X = '/api/admin/projects/default/favorites'
  scenarios(() => server, [
    { name: 'anonymous', call: `POST ${F}`, status: 401 },
    { name: 'a token likes nothing', as, call: `POST ${F}`, status: 403, has: { name: 'InvalidOperationError' } },
    { name: 'an unknown flag', as: 'viewer', call: `POST ${P}/nope/favorites`, status: 404 },
    {
      name: 'a flag elsewhere',
      as: 'viewer',
      call: 'POST /api/admin/projects/other/features/delta/favorites',
      status: 404,
    },
    { name: 'a flag', as: 'viewer', call: `POST ${F}`, status: 200, empty: true, events: ['feature-favorited'] },
    { name: 'again', as: 'viewer', call: `POST ${F}`, status: 200 },
    { name: 'is seen by me', as: 'viewer', call: `GET ${P}/delta`, status: 200, has: { favorite: true } },
    {
      name: 'in the list',
      as: 'viewer',
      call: `GET ${P}?namePrefix=delta`,
      status: 200,
      has: { features: [{ favorite: true }] },
    },
    { name: 'invisible to others', as: 'editor', call: `GET ${P}/delta`, status: 200, has: { favorite: false } },
    {
      name: 'comes first',
      as: 'viewer',
      call: `${S}?favoritesFirst=true&limit=2`,
      status: 200,
      has: {
        features: [
          { name: 'delta', favorite: true },
          { name: 'alpha', favorite: false },
        ],
      },
    },
    { name: 'not any more', as: 'viewer', call: `DELETE ${F}`, status: 200, events: ['feature-unfavorited'] },
    { name: 'not again', as: 'viewer', call: `DELETE ${F}`, status: 200 },
    { name: 'an unknown project', as: 'viewer', call: 'POST /api/admin/projects/nope/favorites', status: 404 },
    { name: 'a project', as: 'viewer', call: `POST ${X}`, status: 200, events: ['project-favorited'] },
    { name: 'a project again', as: 'viewer', call: `POST ${X}`, status: 200 },
    { name: 'a project no more', as: 'viewer', call: `DELETE ${X}`, status: 200, events: ['project-unfavorited'] },
  ] satisfies Scenario[])
})

describe('search for events', () => {
  const E = 'GET /api/admin/search/events'
  const types = (query: string, ...expected: string[]): Scenario => ({
    name: query,
    as,
    call: `${E}?${query}`,
    status: 200,
    has: { events: expected.map((type) => ({ type })), total: expected.length },
  })
  scenarios(() => server, [
    { name: 'anonymous', call: E, status: 401 },
    types('type=IS:feature-archived', 'feature-archived'),
    types('feature=IS:beta', 'feature-stale-on', 'feature-tagged', 'feature-created'),
    types('feature=IS:beta&type=IS_NOT:feature-tagged', 'feature-stale-on', 'feature-created'),
    types('project=IS:other', 'feature-created', 'project-created'),
    types('environment=IS:production&feature=IS:gamma', 'feature-environment-enabled', 'feature-strategy-add'),
    types('createdBy=IS:viewer&type=IS:feature-favorited', 'feature-favorited'),
    types('query=ARCHIV', 'feature-archived'),
    types('query=%25'),
    types('to=2026-03-01&type=IS:feature-created', 'feature-created'),
    types('from=2026-03-05&type=IS:feature-created&project=IS:default', 'feature-created'),
    {
      name: 'a page',
      as,
      call: `${E}?type=IS:feature-created&limit=1&offset=1`,
      status: 200,
      has: { events: [{ featureName: 'gone' }], total: 6 },
    },
    { name: 'an id that is none', as, call: `${E}?afterId=x`, status: 400, text: 'afterId' },
    { name: 'an id below 0', as, call: `${E}?beforeId=-1`, status: 400, text: 'beforeId' },
    { name: 'a condition that is none', as, call: `${E}?type=feature-created`, status: 400, text: 'type' },
    { name: 'no date', as, call: `${E}?from=yesterday`, status: 400, text: 'from' },
    { name: 'a limit of 0', as, call: `${E}?limit=0`, status: 400 },
    {
      name: 'the newest of a project',
      as: 'viewer',
      call: 'GET /api/admin/events?project=other',
      status: 200,
      has: { version: 1, events: [{ type: 'feature-created' }, { type: 'project-created' }], totalEvents: 2 },
    },
    { name: 'the newest, anonymous', call: 'GET /api/admin/events', status: 401 },
    {
      name: 'the older form',
      as,
      call: 'POST /api/admin/events/search',
      body: { feature: 'beta', limit: 1 },
      status: 200,
      has: { version: 1, events: [{ type: 'feature-stale-on' }], totalEvents: 3 },
    },
    {
      name: 'the older form by text',
      as,
      call: 'POST /api/admin/events/search',
      body: { query: 'archiv' },
      status: 200,
      has: { events: [{ type: 'feature-archived' }] },
    },
    {
      name: 'the older form of nothing',
      as,
      call: 'POST /api/admin/events/search',
      body: { type: 'nope' },
      status: 200,
      has: { events: [], totalEvents: 0 },
    },
    {
      name: 'the older form with a bad limit',
      as,
      call: 'POST /api/admin/events/search',
      body: { limit: -1 },
      status: 400,
    },
  ] satisfies Scenario[])

  test('returns events after or before an event', async () => {
    const ids = async (query: string): Promise<number[]> => {
      const { events, total } = await admin(`${E}?feature=IS:beta${query}`)
      expect(total).toBe(events.length)
      return events.map(({ id }: { id: number }) => id)
    }
    const [newest = 0, middle = 0, oldest = 0, ...more] = await ids('')
    expect(more).toEqual([])
    expect(await ids(`&afterId=${newest}`)).toEqual([])
    expect(await ids(`&afterId=${oldest}`)).toEqual([newest, middle])
    expect(await ids(`&beforeId=${newest}`)).toEqual([middle, oldest])
    expect(await ids(`&afterId=${oldest}&beforeId=${newest}`)).toEqual([middle])
    expect(await ids('&afterId=0')).toEqual([newest, middle, oldest])
  })

  test('events about people and credentials are for admins', async () => {
    const seen = async (who: string) => {
      const { events } = (await server.call({ as: who, call: 'GET /api/admin/events' })).json() as {
        events: { type: string }[]
      }
      return new Set(events.map((event) => event.type))
    }
    expect(await seen('admin')).toContain('api-token-created')
    expect(await seen('admin')).toContain('user-created')
    const viewer = await seen('viewer')
    expect(viewer).toContain('feature-created')
    expect([...viewer].filter((type) => /^(user|api-token|pat|setting)-/.test(type))).toEqual([])
  })
})

describe('environments in lists', () => {
  const rollout = (share: string) => ({ name: 'flexibleRollout', parameters: { rollout: share, groupId: 'far' } })
  test.each([
    { strategies: [], enabledStrategyCount: 0, rollout: null },
    { strategies: [rollout('25'), rollout('50')], enabledStrategyCount: 2, rollout: 50 },
    { strategies: [rollout('25'), { ...rollout('90'), disabled: true }], enabledStrategyCount: 1, rollout: 25 },
    { strategies: [rollout('25'), { name: 'default' }], enabledStrategyCount: 2, rollout: 100 },
    {
      strategies: [{ name: 'gradualRolloutUserId', parameters: { percentage: '5' } }],
      enabledStrategyCount: 1,
      rollout: 5,
    },
    { strategies: [{ name: 'userWithId', parameters: { userIds: 'a' } }], enabledStrategyCount: 1, rollout: null },
    { strategies: [rollout('0')], enabledStrategyCount: 1, rollout: 0 },
  ])('$rollout % by $enabledStrategyCount strategies', async ({ strategies, ...reach }) => {
    await admin(`POST ${P}`, { name: 'far' })
    for (const one of strategies) await admin(`POST ${P}/far/environments/production/strategies`, one)
    const body = await server.admin(`${S}?query=far`)
    await admin(`DELETE ${P}/far`)
    await admin('DELETE /api/admin/archive/far')
    expect(body.features[0].environments.find(({ name }: { name: string }) => name === 'production')).toMatchObject(
      reach,
    )
  })
})

describe('my flags', () => {
  const names = async (query: string, who: string): Promise<string[]> => {
    const { features } = (await server.call({ as: who, call: `${S}?sortBy=name&${query}` })).json() as {
      features: { name: string }[]
    }
    return features.map(({ name }) => name)
  }
  const tags = async (who: string) => {
    const reply = await server.call({ as: who, call: `${S}?mine=IS:true` })
    return reply.headers.etag
  }

  test('include flags that the user created or likes, from one shared cache', async () => {
    const all = ['alpha', 'beta', 'delta', 'gamma', 'theirs']
    await server.call({ as: 'editor', call: `POST ${P}`, body: { name: 'mine' } })
    await server.call({ as: 'editor', call: `POST ${P}/beta/favorites` })
    await server.call({ as: 'viewer', call: `POST ${P}/alpha/favorites` })
    for (const _again of ['', 'out of what is kept']) {
      expect(await names('mine=IS:true', 'editor')).toEqual(['beta', 'mine'])
      expect(await names('mine=IS:true', 'viewer')).toEqual(['alpha'])
      expect(await names('mine=IS:true', 'admin')).toEqual([])
      expect(await names('mine=IS:false', 'admin')).toEqual([...all, 'mine'].sort())
      expect(await names('mine=IS:false&query=a', 'viewer')).toEqual(['beta', 'delta', 'gamma'])
    }
    expect(await tags('editor')).not.toBe(await tags('viewer'))
    expect(await names('mine=IS:true&type=IS:experiment', 'editor')).toEqual(['beta'])
    expect(await names('mine=IS:true&limit=1&offset=1', 'editor')).toEqual(['mine'])
    // flags that a user created count as theirs even if they are not favorites
    await server.call({ as: 'editor', call: `DELETE ${P}/beta/favorites` })
    expect(await names('mine=IS:true', 'editor')).toEqual(['mine'])
    await server.call({ as: 'viewer', call: `DELETE ${P}/alpha/favorites` })
    expect(await names('mine=IS:true', 'viewer')).toEqual([])
    await admin(`DELETE ${P}/mine`)
    expect(await names('mine=IS:true&archived=IS:true', 'editor')).toEqual(['mine'])
    await admin('DELETE /api/admin/archive/mine')
  })
})

test('a search finds what events hold, and nothing that the caller may not read', async () => {
  const A = '/api/admin'
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['needle-in-segment'] }]
  await server.admin(`POST ${A}/segments`, { name: 'held', constraints })
  await server.admin(`POST ${A}/context`, { name: 'held', legalValues: [{ value: 'needle-in-field' }] })
  await server.admin(`POST ${A}/user-admin`, {
    email: 'needle@example.org',
    rootRole: 3,
    password: 'a good passphrase',
  })
  await server.admin(`POST ${A}/projects`, { id: 'unseen', name: 'unseen', mode: 'private' })
  await server.admin(`POST ${A}/projects/unseen/features`, { name: 'unseen', description: 'needle-in-private' })
  const found = async (caller: string, query: string) => {
    const reply = await server.call({ as: caller, call: `GET ${A}/search/events?limit=1000&query=${query}` })
    return reply.json().events.map(({ type }: { type: string }) => type)
  }
  expect(await found('admin', 'NEEDLE-in-segment')).toEqual(['segment-created'])
  expect(await found('admin', 'needle-in-field')).toEqual(['context-field-created'])
  expect(await found('admin', 'needle%40example')).toEqual(['user-created'])
  expect(await found('admin', 'needle-in-private')).toEqual(['feature-created'])
  expect(await found('admin', 'a%20good%20passphrase')).toEqual([])
  expect(await found('viewer', 'needle-in-segment')).toEqual(['segment-created'])
  expect(await found('viewer', 'needle-in-private')).toEqual([])
  expect(await found('viewer', 'needle%40example')).toEqual([])
})
