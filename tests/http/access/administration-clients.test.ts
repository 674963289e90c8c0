import { compareSemver } from '@burgee/engine/rules/semver'
import { parseSemver } from '@burgee/protocol/semver'
import { VERSION } from '@burgee/server/core/version'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Requests of clients of the Unleash admin API: its UI, its Go client and older modules. */
let server: TestServer
const as = 'admin'
const T = '/api/admin/api-tokens'
const U = '/api/admin/user-admin'
const now = Date.now()

beforeAll(async () => {
  server = await startServer()
  await server.admin('POST /api/admin/projects/default/features', { name: 'f' })
})
afterAll(() => server.close())

describe('the name of a token in the old property', () => {
  const body = { type: 'client', environment: 'development' }
  const call = `POST ${T}`
  const events = ['api-token-created']
  scenarios(() => server, [
    {
      name: 'as username',
      as,
      call,
      body: { ...body, username: 'old' },
      status: 201,
      has: { tokenName: 'old', username: 'old' },
      events,
    },
    {
      name: 'as tokenName',
      as,
      call,
      body: { ...body, tokenName: 'new' },
      status: 201,
      has: { tokenName: 'new', username: 'new' },
      events,
    },
    {
      name: 'both, the same',
      as,
      call,
      body: { ...body, tokenName: 'a', username: 'a' },
      status: 201,
      has: { tokenName: 'a' },
      events,
    },
    {
      name: 'both, not the same',
      as,
      call,
      body: { ...body, tokenName: 'a', username: 'b' },
      status: 400,
      text: 'username',
    },
    { name: 'neither', as, call, body, status: 400, text: '`tokenName`' },
    { name: 'an empty one', as, call, body: { ...body, username: '' }, status: 400, text: 'username' },
    {
      name: 'of an admin token',
      as,
      call,
      body: { type: 'admin', username: 'root' },
      status: 201,
      has: { tokenName: 'root' },
      events,
    },
    {
      name: 'of a token of a project',
      as,
      call: 'POST /api/admin/projects/default/api-tokens',
      body: { ...body, username: 'own' },
      status: 201,
      has: { tokenName: 'own', username: 'own', projects: ['default'] },
      events,
    },
    {
      name: 'in the list',
      as,
      call: `GET ${T}/old`,
      status: 200,
      has: { tokens: [{ tokenName: 'old', username: 'old' }] },
    },
  ] satisfies Scenario[])
})

describe('a token identified as lists show it', () => {
  const make = async (extra: object = {}) => {
    const body = { tokenName: 'listed', type: 'client', environment: 'development', ...extra }
    const { id, secret } = await server.admin(`POST ${T}`, body)
    const { tokens } = await server.admin(`GET ${T}/listed`)
    const shown = tokens.find((token: { id: string }) => token.id === id).secret as string
    return { id, secret: secret as string, shown }
  }
  const works = async (secret: string) =>
    (await server.call({ as: secret, call: 'GET /api/client/features' })).statusCode
  const FORMS = [
    ['its id', (token: Awaited<ReturnType<typeof make>>) => token.id],
    ['its secret', (token: Awaited<ReturnType<typeof make>>) => token.secret],
    ['its secret, percent-encoded', (token: Awaited<ReturnType<typeof make>>) => encodeURIComponent(token.secret)],
    ['what lists show', (token: Awaited<ReturnType<typeof make>>) => encodeURIComponent(token.shown)],
  ] as const
  const PLACES = [
    ['all', T, {}],
    ['a project', '/api/admin/projects/default/api-tokens', { projects: ['default'] }],
  ] as const

  test.each(PLACES.flatMap(([of, url, extra]) => FORMS.map(([by, form]) => [of, by, url, extra, form] as const)))(
    'can be deleted: %s by %s',
    async (_of, _by, url, extra, form) => {
      const token = await make(extra)
      expect(await works(token.secret)).toBe(200)
      const last = await server.lastEventId()
      const reply = await server.call({ as, call: `DELETE ${url}/${form(token)}` })
      expect([reply.statusCode, reply.body]).toEqual([200, ''])
      expect(await server.eventsAfter(last)).toEqual(['api-token-deleted'])
      expect(await works(token.secret)).toBe(401)
    },
  )

  test('can be changed that way too', async () => {
    const { shown } = await make()
    const last = await server.lastEventId()
    const body = { expiresAt: new Date(now + 60_000).toISOString() }
    expect((await server.call({ as, call: `PUT ${T}/${encodeURIComponent(shown)}`, body })).statusCode).toBe(200)
    expect(await server.eventsAfter(last)).toEqual(['api-token-updated'])
  })

  test('changes nothing if several tokens have the same masked secret', async () => {
    const other = await startServer({ initClientApiTokens: ['*:development.short-one', '*:development.short-two'] })
    const { tokens } = await other.admin(`GET ${T}`)
    const shown = '*:development.…'
    expect(tokens.filter((token: { secret: string }) => token.secret === shown)).toHaveLength(2)
    const last = await other.lastEventId()
    for (const call of [`DELETE ${T}/${encodeURIComponent(shown)}`, `PUT ${T}/${encodeURIComponent(shown)}`]) {
      const body = call.startsWith('PUT') ? { expiresAt: null } : undefined
      const reply = await other.call({ as, call, ...(body === undefined ? {} : { body }) })
      expect(reply.statusCode).toBe(409)
      expect(reply.json()).toMatchObject({ name: 'ConflictError', message: expect.stringContaining('"id"') })
    }
    expect(await other.eventsAfter(last)).toEqual([])
    expect((await other.admin(`GET ${T}`)).tokens).toHaveLength(tokens.length)
    await other.close()
  })

  scenarios(() => server, [
    { name: 'that is none', as, call: `DELETE ${T}/${encodeURIComponent('*:development.abcd…')}`, status: 200 },
    {
      name: 'by an editor',
      as: 'editor',
      call: `DELETE ${T}/${encodeURIComponent('default:development.…')}`,
      status: 403,
    },
    {
      name: 'of another kind of place',
      as,
      call: `DELETE /api/admin/projects/default/api-tokens/${encodeURIComponent('*:production.…')}`,
      status: 400,
      text: 'default',
    },
  ] satisfies Scenario[])
})

describe('users, with what forms send along', () => {
  const events = ['user-created']
  const make = (rootRole: unknown, username: string, id: number): Scenario => ({
    name: `a root role of ${JSON.stringify(rootRole)}`,
    as,
    call: `POST ${U}`,
    body: { username, rootRole, sendEmail: false },
    status: 201,
    has: { username, rootRole: id },
    events,
  })
  scenarios(
    () => server,
    [
      make(3, 'by-id', 3),
      make('3', 'by-text', 3),
      make('Editor', 'by-name', 2),
      {
        name: 'no such role',
        as,
        call: `POST ${U}`,
        body: { username: 'x', rootRole: 'viewer' },
        status: 400,
        text: 'rootRole',
      },
      {
        name: 'a role of projects',
        as,
        call: `POST ${U}`,
        body: { username: 'x', rootRole: 4 },
        status: 400,
        text: 'rootRole',
      },
    ],
  )

  test('updates accept the id, the e-mail option, and roles by name or id', async () => {
    const { id } = await server.admin(`POST ${U}`, { username: 'changed', rootRole: 'Viewer' })
    const last = await server.lastEventId()
    const put = (body: object) => server.admin(`PUT ${U}/${id}`, body)
    expect(await put({ id, name: 'N', email: 'n@example.com', rootRole: 'Editor', sendEmail: true })).toMatchObject({
      id,
      name: 'N',
      email: 'n@example.com',
      rootRole: 2,
    })
    expect(await put({ id, name: 'N', rootRole: '3', username: 'other' })).toMatchObject({
      username: 'changed',
      rootRole: 3,
    })
    expect(await server.eventsAfter(last)).toEqual(['user-updated', 'user-updated'])
  })

  const password = 'a rather good phrase'
  const both = { password, confirmPassword: password, oldPassword: 'x' }
  scenarios(() => server, [
    { name: 'a password to check', as, call: `POST ${U}/validate-password`, body: both, status: 200, empty: true },
    {
      name: 'something else to check',
      as,
      call: `POST ${U}/validate-password`,
      body: { ...both, foo: 1 },
      status: 400,
      text: 'foo',
    },
    { name: 'a password by a link to check', call: 'POST /auth/reset/validate-password', body: both, status: 200 },
    {
      name: 'a password to set',
      as,
      call: `POST ${U}/2/change-password`,
      body: { password, confirmPassword: password },
      status: 200,
      events: ['user-updated'],
    },
    {
      name: 'a password to set that is not repeated alike',
      as,
      call: `POST ${U}/2/change-password`,
      body: { password, confirmPassword: 'another good phrase' },
      status: 400,
      text: 'confirmPassword',
    },
    {
      name: 'found users',
      as,
      call: `GET ${U}/search?q=by-id`,
      status: 200,
      has: [{ username: 'by-id', isAPI: false, accountType: 'User', seenAt: null, scimId: null }],
    },
  ] satisfies Scenario[])
})

describe('times of reports in milliseconds', () => {
  const toggles = { f: { yes: 2, no: 1 } }
  const report = (start: unknown, stop: unknown) => ({
    appName: 'ms',
    instanceId: 'i',
    bucket: { start, stop, toggles },
  })
  const ISO = new Date(now).toISOString()
  const DOORS = [
    ['client', 'POST /api/client/metrics', 202],
    ['frontend', 'POST /api/frontend/client/metrics', 200],
    ['frontend', 'POST /api/proxy/client/metrics', 200],
  ] as const
  scenarios(
    () => server,
    DOORS.flatMap(([who, call, status]): Scenario[] => [
      { name: `${call}: numbers`, as: who, call, body: report(now - 1000, now), status },
      { name: `${call}: text`, as: who, call, body: report(ISO, ISO), status },
      { name: `${call}: one of each`, as: who, call, body: report(now - 1000, ISO), status },
      { name: `${call}: a number of the past`, as: who, call, body: report(1, 1), status },
      { name: `${call}: a number before 1970`, as: who, call, body: report(-1, now), status: 400, text: 'start' },
      { name: `${call}: no time that there is`, as: who, call, body: report(now, 1e300), status: 400, text: 'stop' },
      { name: `${call}: a fraction`, as: who, call, body: report(now, 1.5), status: 400, text: 'stop' },
      { name: `${call}: a day`, as: who, call, body: report('2024-01-01', ISO), status: 400, text: 'start' },
      { name: `${call}: nothing`, as: who, call, body: report(null, ISO), status: 400, text: 'start' },
      { name: `${call}: a list`, as: who, call, body: report([now], now), status: 400, text: 'start' },
    ]),
  )
  scenarios(
    () => server,
    [now, ISO].map(
      (timestamp): Scenario => ({
        name: `bulk: ${typeof timestamp}`,
        as: 'client',
        call: 'POST /api/client/metrics/bulk',
        body: { applications: [], metrics: [{ appName: 'ms', featureName: 'f', timestamp, yes: 2, no: 1 }] },
        status: 202,
      }),
    ),
  )
  test('all that was taken is counted in its hour', async () => {
    await expect
      .poll(
        async () => {
          const { data } = await server.admin('GET /api/admin/client-metrics/features/f/raw')
          const own = data.filter((row: { appName: string }) => row.appName === 'ms')
          return own.reduce((sum: number, row: { yes: number }) => sum + row.yes, 0)
        },
        { timeout: 10_000 },
      )
      .toBe(28)
  })
})

describe('the description of the server', () => {
  const config = () => server.admin('GET /api/admin/ui-config')
  const order = (a: string, b: string) => {
    const [one, other] = [parseSemver(a), parseSemver(b)]
    return one && other ? Math.sign(compareSemver(one, other)) : Number.NaN
  }

  test('reports a version equal to 5.12.8 with the Burgee version as suffix', async () => {
    const { version, versionInfo } = await config()
    expect(version).toBe(`5.12.8+burgee.${VERSION}`)
    expect(versionInfo.current.oss).toBe(version)
    expect(await server.admin('GET /api/admin/instance-admin/statistics')).toMatchObject({
      version: VERSION,
      versionOSS: version,
    })
    expect([order(version, '5.6.0'), order(version, '5.12.8'), order(version, '5.13.0')]).toEqual([1, 0, -1])
  })

  /** Feature switches of the Unleash UI, each with the route that it makes the UI call. */
  const SWITCHES: readonly (readonly [flag: string, route: string])[] = [
    ['embedProxy', 'GET /api/frontend'],
    ['embedProxyFrontend', 'POST /api/admin/ui-config/cors'],
    ['showInactiveUsers', 'GET /api/admin/user-admin/inactive'],
    ['outdatedSdksBanner', 'GET /api/admin/metrics/sdks/outdated'],
    ['featuresExportImport', 'POST /api/admin/features-batch/export'],
    ['userAccessUIEnabled', 'GET /api/admin/user-admin/:userId/permissions'],
    ['featureLifecycle', 'GET /api/admin/projects/:projectId/features/:featureName/lifecycle'],
  ]
  test.each(SWITCHES)('%s is on exactly where %s is served', async (flag, call) => {
    const { flags } = await config()
    const isServed = server.server.routes.some(({ method, url }) => `${method} ${url}` === call)
    expect(flags[flag] === true).toBe(isServed)
  })
  test('signals is off, because the endpoints here have another form', async () => {
    expect((await config()).flags.signals).not.toBe(true)
  })

  test('hides the notifications page exactly while the server has no notifications', async () => {
    const isServed = server.server.routes.some(({ url }) => url.startsWith('/api/admin/notifications'))
    expect((await config()).flags.disableNotifications === true).toBe(!isServed)
  })

  test('no other switch is on', async () => {
    const known = [...SWITCHES.map(([flag]) => flag), 'disableNotifications']
    expect(Object.keys((await config()).flags).filter((flag) => !known.includes(flag))).toEqual([])
  })
})

test('a secret that was made stands in one reply and in no other', async () => {
  const { tokens } = await server.admin(`GET ${T}`)
  expect(JSON.stringify(tokens)).not.toContain(TOKENS.client)
})
