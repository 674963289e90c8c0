import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'client'
const F = 'GET /api/client/features'
const P = '/api/admin/projects/default/features'
const NEW = { 'unleash-client-spec': '5.1.0' }

const admin = (call: string, body?: unknown) => server.admin(call, body)

beforeAll(async () => {
  server = await startServer()
  // removes the warnings about the tokens of the tests, which are too short
  server.logged.length = 0
  await server.db.rows(
    "insert into projects (id, name, mode, default_stickiness, created_at) values ('other', 'Other', 'open', 'default', 0)",
  )
  await server.db.rows("insert into project_environments values ('other', 'development')")
  for (const name of ['on', 'off', 'all-disabled', 'gone', 'Tagged']) await admin(`POST ${P}`, { name })
  await admin('POST /api/admin/projects/other/features', { name: 'theirs' })
  await admin('POST /api/admin/segments', {
    name: 'staff',
    constraints: [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@x.org'] }],
  })
  await admin('POST /api/admin/segments', { name: 'unused', constraints: [] })
  const E = (name: string) => `${P}/${name}/environments/development`
  await admin(`POST ${E('on')}/strategies`, {
    name: 'default',
    segments: [1],
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
  })
  await admin(`POST ${E('on')}/strategies`, { name: 'flexibleRollout', disabled: true })
  await admin(`PUT ${E('on')}/variants`, [
    { name: 'z', weight: 1 },
    { name: 'a', weight: 1 },
  ])
  await admin(`POST ${E('on')}/on`)
  await admin(`POST ${E('all-disabled')}/on`)
  const [only] = await admin(`GET ${E('all-disabled')}/strategies`)
  await admin(`PATCH ${E('all-disabled')}/strategies/${only.id}`, [{ op: 'replace', path: '/disabled', value: true }])
  await admin('POST /api/admin/features/Tagged/tags', { type: 'simple', value: 'team' })
  await admin(`DELETE ${P}/gone`)
  await admin(`POST ${P}/on/environments/production/on`)
})
afterAll(() => server.close())

const names = (features: { name: string }[]) => features.map((feature) => feature.name)

describe('download', () => {
  scenarios(() => server, [
    {
      name: 'anonymous',
      call: F,
      status: 401,
      has: {
        message:
          'This endpoint requires an API token. Please add an authorization header to your request with a valid token',
      },
    },
    { name: 'a wrong token', as: 'default:development.wrong', call: F, status: 401 },
    {
      name: 'a frontend token',
      as: 'frontend',
      call: F,
      status: 403,
      has: { message: 'invalid token: expected a different token type for this endpoint' },
    },
    {
      name: 'a header that is no version',
      as,
      call: F,
      headers: { 'unleash-client-spec': 'abc' },
      status: 200,
      has: { query: { inlineSegmentConstraints: true } },
    },
    { name: 'a bad tag', as, call: `${F}?tag=simple`, status: 400, text: 'tag' },
    { name: 'one flag', as, call: `${F}/on`, headers: NEW, status: 200, has: { name: 'on', enabled: true } },
    { name: 'an unknown flag', as, call: `${F}/nope`, status: 404 },
    { name: 'a flag of a project that the token is not for', as, call: `${F}/theirs`, status: 404 },
    { name: 'an archived flag', as, call: `${F}/gone`, status: 404 },
    { name: 'a flag whose name every object has', as, call: `${F}/__proto__`, status: 404 },
    {
      name: 'one tag of several',
      as,
      call: `${F}?tag=simple:none&tag=simple:team`,
      status: 200,
      has: {
        features: [{ name: 'Tagged' }],
        query: {
          tag: [
            ['simple', 'none'],
            ['simple', 'team'],
          ],
        },
      },
    },
    {
      name: 'a tag in the other notation',
      as,
      call: `${F}?tag[]=simple:team`,
      status: 200,
      has: { features: [{ name: 'Tagged' }] },
    },
    { name: 'a prefix in another case', as, call: `${F}?namePrefix=tag`, status: 200, has: { features: [] } },
    { name: 'a prefix that is a pattern', as, call: `${F}?namePrefix=%25`, status: 200, has: { features: [] } },
    {
      name: 'a prefix',
      as,
      call: `${F}?namePrefix=of`,
      status: 200,
      has: { features: [{ name: 'off' }], query: { namePrefix: 'of' } },
    },
    {
      name: 'another project than the token is for',
      as,
      call: `${F}?project=other`,
      status: 200,
      has: { features: [], query: { project: [] } },
    },
  ] satisfies Scenario[])

  test('inlines constraints of segments without the header', async () => {
    const document = (await server.call({ as, call: F })).json()
    expect(document).toMatchObject({
      version: 2,
      query: { project: ['default'], environment: 'development', inlineSegmentConstraints: true },
    })
    expect(document).not.toHaveProperty('segments')
    const on = document.features.find((feature: { name: string }) => feature.name === 'on')
    expect(on.strategies).toHaveLength(1)
    expect(on.strategies[0]).not.toHaveProperty('segments')
    expect(on.strategies[0].constraints.map((one: { contextName: string }) => one.contextName)).toEqual([
      'userId',
      'email',
    ])
    expect((await server.call({ as, call: F, headers: { 'unleash-client-spec': '4.1.9' } })).json()).toEqual(document)
  })

  test('lists segments by id with the header', async () => {
    const document = (await server.call({ as, call: F, headers: { 'unleash-client-spec': '4.2.0' } })).json()
    expect(document.segments).toEqual([
      { id: 1, name: 'staff', constraints: [expect.objectContaining({ contextName: 'email' })] },
    ])
    expect(names(document.features)).toEqual(['Tagged', 'all-disabled', 'off', 'on'])
    const on = document.features.find((feature: { name: string }) => feature.name === 'on')
    expect(Object.keys(on).sort()).toEqual([
      'description',
      'enabled',
      'impressionData',
      'name',
      'project',
      'stale',
      'strategies',
      'type',
      'variants',
    ])
    expect(on.strategies).toEqual([
      { name: 'default', parameters: {}, constraints: [expect.anything()], variants: [], segments: [1] },
    ])
    expect(names(on.variants)).toEqual(['a', 'z'])
    const { meta } = document
    const { epoch } = (await server.db.row('select epoch from database_epoch')) ?? {}
    expect(epoch).toMatch(/^[0-9a-f]{16}$/)
    expect(meta.etag.startsWith(`"${meta.queryHash}:${meta.revisionId}:${epoch}.`)).toBe(true)
    expect(meta.queryHash).toMatch(/^[0-9a-f]{8}$/)
  })

  test('a flag whose strategies are all disabled is off', async () => {
    expect((await server.call({ as, call: `${F}/all-disabled` })).json()).toMatchObject({
      enabled: false,
      strategies: [],
    })
  })

  test('a token for all projects sees all, narrowed by project=', async () => {
    const token = { type: 'client', tokenName: 'all', environment: 'development' }
    const { secret } = await admin('POST /api/admin/api-tokens', token)
    const all = (await server.call({ as: secret, call: F })).json()
    expect(names(all.features)).toContain('theirs')
    expect(all.query).not.toHaveProperty('project')
    const other = (await server.call({ as: secret, call: `${F}?project=other` })).json()
    expect(names(other.features)).toEqual(['theirs'])
  })

  describe('project= narrows the scope of a token and never widens it', () => {
    test.each<[string, string, string[] | undefined]>([
      ['all', '', undefined],
      ['all', '?project=other', ['other']],
      ['all', '?project=other&project=other', ['other']],
      ['all', '?project=other&project=nobody', ['nobody', 'other']],
      ['all', '?project=*', undefined],
      ['all', '?project=', undefined],
      ['several', '', ['default', 'other']],
      ['several', '?project=other', ['other']],
      ['several', '?project=default&project=other', ['default', 'other']],
      ['several', '?project[]=other&project[]=third', ['other']],
      ['several', '?project=third', []],
      ['several', '?project=*', ['default', 'other']],
      ['one', '?project=default', ['default']],
      ['one', '?project=other', []],
      ['one', '?project=*', ['default']],
    ])('a token for %s, %s: %j', async (which, query, projects) => {
      const of: Record<string, string[]> = { all: ['*'], several: ['other', 'default'], one: ['default'] }
      const token = { type: 'client', tokenName: `${which}${query}`, environment: 'development', projects: of[which] }
      const { secret } = await admin('POST /api/admin/api-tokens', token)
      const { features, ...document } = (await server.call({ as: secret, call: `${F}${query}`, headers: NEW })).json()
      expect(document.query.project).toEqual(projects)
      const seen = new Set(features.map((feature: { project: string }) => feature.project))
      expect([...seen].sort()).toEqual((projects ?? ['default', 'other']).filter((one) => one !== 'nobody'))
      const one = await server.call({ as: secret, call: `${F}/theirs${query}` })
      expect(one.statusCode).toBe(seen.has('other') ? 200 : 404)
    })
  })

  test('a token of which the project is gone sees nothing', async () => {
    const token = { type: 'client', tokenName: 'o', environment: 'development', projects: ['other'] }
    const { secret } = await admin('POST /api/admin/api-tokens', token)
    await server.db.rows("delete from api_token_projects where project = 'other'")
    expect((await server.call({ as: secret, call: F })).json().features).toEqual([])
  })

  test('the environment of the token decides', async () => {
    const document = (await server.call({ as: 'production', call: `${F}?environment=development` })).json()
    expect(document.features.filter((feature: { enabled: boolean }) => feature.enabled)).toMatchObject([{ name: 'on' }])
  })
})

describe('revisions', () => {
  const etagOf = async (who: string, headers: Record<string, string> = {}) =>
    String((await server.call({ as: who, call: F, headers })).headers.etag)

  test('If-None-Match is answered by 304 without the database', async () => {
    const etag = await etagOf(as)
    expect(etag).toMatch(/^"[0-9a-f]{8}:\d+:[0-9a-f]{16}\.[0-9a-f]{16}"$/)
    await server.db.rows('alter table features rename to features_away')
    const reply = await server.call({ as, call: F, headers: { 'if-none-match': etag } })
    await server.db.rows('alter table features_away rename to features')
    expect(reply.statusCode).toBe(304)
    expect(reply.body).toBe('')
    expect((await server.call({ as, call: F, headers: { 'if-none-match': '"00000000:1"' } })).statusCode).toBe(200)
  })

  test('a change in one environment moves only that one', async () => {
    const [development, production] = [await etagOf('client'), await etagOf('production')]
    await admin(`POST ${P}/off/environments/production/on`)
    expect(await etagOf('client')).toBe(development)
    const moved = await etagOf('production')
    expect(moved).not.toBe(production)
    expect(moved.split(':')[1]).toBe(`${await server.lastEventId()}`)
    await admin('POST /api/admin/api-tokens', { type: 'client', tokenName: 'x', environment: 'development' })
    expect(await etagOf('production')).toBe(moved)
  })

  test('a change is seen by the next download', async () => {
    const isOn = async () => (await server.call({ as, call: `${F}/off` })).json().enabled
    expect(await isOn()).toBe(false)
    await admin(`POST ${P}/off/environments/development/on`)
    expect(await isOn()).toBe(true)
    await admin(`POST ${P}/off/environments/development/off`)
    expect(await isOn()).toBe(false)
  })

  test('consumers in the process are notified after the commit, and read the new state', async () => {
    const scope = { environment: 'development', projects: ['*'] }
    const before = await server.server.features(scope)
    const told: Promise<number>[] = []
    const end = server.server.onChange(() => void told.push(server.lastEventId()))
    server.server.onChange(() => {
      throw new Error('a listener that fails')
    })
    await admin(`POST ${P}/off/environments/development/on`)
    const last = await told[0]
    await admin('POST /api/admin/api-tokens', { type: 'client', tokenName: 'y', environment: 'development' })
    expect(told).toHaveLength(1)
    const after = await server.server.features(scope)
    expect(after.revision).toEqual({ epoch: before.revision.epoch, id: last })
    expect(last).toBeGreaterThan(before.revision.id)
    expect(after.document.features.find((feature) => feature.name === 'off')?.enabled).toBe(true)
    expect(server.logged.some((line) => line.includes('a listener that fails'))).toBe(true)
    end()
    await admin(`POST ${P}/off/environments/development/off`)
    expect(told).toHaveLength(1)
  })
})

describe('reports', () => {
  const M = 'POST /api/client/metrics'
  const R = 'POST /api/client/register'
  const B = 'POST /api/client/metrics/bulk'
  const time = new Date().toISOString()
  const bucket = (toggles: unknown) => ({ appName: 'app', bucket: { start: time, stop: time, toggles } })
  const hello = {
    appName: 'app',
    instanceId: 'i',
    interval: 1000,
    started: time,
    strategies: ['default'],
    sdkVersion: 'x:1',
  }
  const raw = (toggles: string) => JSON.stringify(bucket('@')).replace('"@"', toggles)
  const counts = (name: string) =>
    server.db.row('select sum(yes) as yes, sum(no) as no from client_metrics where feature_name = ?', name)

  scenarios(() => server, [
    { name: 'anonymous', call: M, body: bucket({}), status: 401 },
    { name: 'a frontend token', as: 'frontend', call: M, body: bucket({}), status: 403 },
    { name: 'no body', as, call: M, status: 415, has: { name: 'ContentTypeerror' } },
    { name: 'broken JSON', as, call: M, raw: '{', status: 400 },
    { name: 'no application', as, call: M, body: { bucket: {} }, status: 400, text: 'appName' },
    { name: 'a negative count', as, call: M, body: bucket({ on: { yes: -1, no: 0 } }), status: 400, text: 'yes' },
    {
      name: 'counts',
      as,
      call: M,
      body: bucket({ on: { yes: 2, no: 1, variants: { a: 2 } } }),
      status: 202,
      empty: true,
    },
    {
      name: 'more counts',
      as,
      call: M,
      body: bucket({ on: { yes: 3, no: 0, variants: { a: 1, b: 2 } } }),
      status: 202,
    },
    { name: 'an unknown flag', as, call: M, body: bucket({ nope: { yes: 1, no: 0 } }), status: 202 },
    {
      name: 'names that every object has',
      as,
      call: M,
      raw: raw('{"__proto__":{"yes":4,"no":0,"variants":{"__proto__":4}},"constructor":{"yes":5,"no":0}}'),
      status: 202,
    },
    { name: 'huge counts', as, call: M, raw: raw('{"huge":{"yes":9007199254740991,"no":1e308}}'), status: 202 },
    { name: 'huge counts again', as, call: M, raw: raw('{"huge":{"yes":9007199254740991,"no":1e308}}'), status: 202 },
    {
      name: 'names with line breaks around rubbish',
      as,
      call: M,
      raw: raw('{"a\\nb":null,"c\\nd":{"yes":"x","no":{},"variants":{"e\\nf":[]}}}'),
      status: 400,
    },
    {
      name: 'a name that every object has, around rubbish',
      as,
      call: M,
      raw: raw('{"__proto__":{"yes":"x"}}'),
      status: 400,
    },
    { name: 'a name that every object has, around null', as, call: M, raw: raw('{"__proto__":null}'), status: 202 },
    { name: 'an endless name', as, call: M, body: bucket({ ['n'.repeat(200_000)]: { yes: 1, no: 0 } }), status: 202 },
    {
      name: 'in bulk',
      as,
      call: B,
      body: {
        applications: [{ appName: 'far', instanceId: 'j' }],
        metrics: [{ appName: 'far', featureName: 'on', yes: 10, no: 0, variants: { a: 1 } }],
      },
      status: 202,
      empty: true,
    },
    { name: 'in bulk without metrics', as, call: B, body: { applications: [] }, status: 400, text: 'metrics' },
    { name: 'register', as, call: R, body: hello, status: 202, empty: true },
    {
      name: 'register with a number as time',
      as,
      call: R,
      body: { ...hello, started: 1234, instanceId: 'k' },
      status: 202,
    },
    { name: 'register without application', as, call: R, body: {}, status: 400, text: 'appName' },
  ] satisfies Scenario[])

  beforeAll(async () => {
    for (const name of ['__proto__', 'constructor', 'huge']) await admin(`POST ${P}`, { name })
  })

  test('create rows by hour, flag, application and variant', async () => {
    await server.server.flush()
    expect(server.logged.filter((line) => line.startsWith('warn'))).toEqual([])
    expect(await counts('on')).toEqual(expect.objectContaining({ yes: 15, no: 1 }))
    expect(await counts('__proto__')).toEqual(expect.objectContaining({ yes: 4 }))
    expect(await counts('constructor')).toEqual(expect.objectContaining({ yes: 5 }))
    expect(await counts('huge')).toEqual(
      expect.objectContaining({ yes: Number.MAX_SAFE_INTEGER, no: Number.MAX_SAFE_INTEGER }),
    )
    const variants = await server.db.rows(
      "select variant, sum(count) as count from client_metrics_variants where feature_name = 'on' group by variant",
    )
    expect(variants).toEqual([
      { variant: 'a', count: 4 },
      { variant: 'b', count: 2 },
    ])
    const rows = await server.db.rows("select distinct hour, environment from client_metrics where feature_name = 'on'")
    const hour = Math.floor(Date.parse(time) / 3_600_000) * 3_600_000
    expect(rows).toContainEqual({ hour, environment: 'development' })
    const instances = await server.db.rows('select app_name, instance_id from client_instances order by 2')
    expect(instances).toEqual([
      { app_name: 'app', instance_id: 'i' },
      { app_name: 'far', instance_id: 'j' },
      { app_name: 'app', instance_id: 'k' },
    ])
    const seen = await server.db.row("select last_seen_at from features where name = 'on'")
    expect(Number(seen?.last_seen_at)).toBeGreaterThan(0)
  })

  test('add to existing rows', async () => {
    await server.server.recordMetrics({ environment: 'development', projects: ['*'] }, 'app', {
      start: time,
      stop: time,
      toggles: { on: { yes: 5, no: 0 }, huge: { yes: 1, no: 1 } },
    })
    await server.server.flush()
    expect(await counts('on')).toEqual(expect.objectContaining({ yes: 20 }))
    expect(await counts('huge')).toEqual(expect.objectContaining({ yes: Number.MAX_SAFE_INTEGER }))
  })

  test('survive a database that is away for a moment', async () => {
    await server.db.rows('alter table client_metrics rename to away')
    await server.server.recordMetrics({ environment: 'development', projects: ['*'] }, 'app', {
      start: time,
      stop: time,
      toggles: { on: { yes: 1, no: 0 } },
    })
    await server.server.flush()
    expect(server.logged.some((line) => line.startsWith('warn'))).toBe(true)
    await server.db.rows('alter table away rename to client_metrics')
    await server.server.flush()
    expect(await counts('on')).toEqual(expect.objectContaining({ yes: 21 }))
  })
})
