import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStream } from '../events/open-stream.ts'
import { type Role, type Scenario, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Callers who are not members can find no data of a private project, through any request. */
let server: TestServer
const A = '/api/admin'
const P = `${A}/projects`
/** Marker in texts that only members may read: descriptions, titles, values. */
const TOLD = 'zztold'
/** Marker in ids and names, which callers may send themselves. */
const NAME = 'zzname'
const PROJECT = `${NAME}-project`
const FLAG = `${NAME}-flag`
const ids = { segment: '', integration: '', strategy: '', request: '', viewer: 0, editor: 0 }
let personal = ''

beforeAll(async () => {
  server = await startServer({ secretKey: randomBytes(32).toString('base64') })
  const userId = async (name: string) =>
    Number((await server.db.row('select id from users where username = ?', name))?.id)
  ids.viewer = await userId('viewer')
  ids.editor = await userId('editor')
  await server.admin(`POST ${P}/default/features`, { name: 'open-flag' })
  await server.admin(`POST ${P}`, { id: PROJECT, name: TOLD, description: TOLD })
  const F = `${P}/${PROJECT}/features`
  for (const name of [FLAG, `${NAME}-gone`]) await server.admin(`POST ${F}`, { name, description: TOLD })
  await server.admin(`DELETE ${F}/${NAME}-gone`)
  const segment = { name: `${NAME}-segment`, description: TOLD, project: PROJECT, constraints: [] }
  ids.segment = String((await server.admin(`POST ${A}/segments`, segment)).id)
  await server.admin(`POST ${A}/context`, { name: 'plan' })
  const only = { contextName: 'plan', operator: 'IN', values: [TOLD] }
  const strategy = { name: 'flexibleRollout', title: TOLD, segments: [Number(ids.segment)], constraints: [only] }
  ids.strategy = (await server.admin(`POST ${F}/${FLAG}/environments/development/strategies`, strategy)).id
  await server.admin(`POST ${F}/${FLAG}/environments/development/on`)
  await server.admin(`POST ${F}/${FLAG}/link`, { url: `https://example.com/${TOLD}` })
  await server.admin(`POST ${F}/${FLAG}/comments`, { text: TOLD })
  const shared = { name: 'shared', constraints: [] }
  const everybody = await server.admin(`POST ${A}/segments`, shared)
  await server.admin(`POST ${F}/${FLAG}/environments/production/strategies`, {
    name: 'default',
    title: TOLD,
    segments: [everybody.id],
  })
  await server.admin(`POST ${P}/${PROJECT}/environments/development/default-strategy`, { name: 'default', title: TOLD })
  await propose()
  await integrate()
  await group()
  await server.admin(`PUT ${P}/${PROJECT}`, { name: TOLD, mode: 'private' })
  const token = { tokenName: `${NAME}-token`, type: 'client', environment: 'development', projects: [PROJECT] }
  const { secret } = await server.admin(`POST ${A}/api-tokens`, token)
  await server.admin(`POST ${A}/api-tokens`, { ...token, tokenName: 'shared-token', projects: ['default', PROJECT] })
  const bucket = {
    start: new Date(Date.now() - 1000).toISOString(),
    stop: new Date().toISOString(),
    toggles: { [FLAG]: { yes: 1, no: 0 } },
  }
  await server.call({
    as: secret,
    call: 'POST /api/client/register',
    body: { appName: 'app', strategies: [], started: bucket.start, interval: 1 },
  })
  await server.call({ as: secret, call: 'POST /api/client/metrics', body: { appName: 'app', bucket } })
  await server.server.flush()
  personal = (
    await server.call({
      as: 'editor',
      call: `POST ${A}/user/tokens`,
      body: { description: 'mine', expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
    })
  ).json().secret
}, 60_000)
afterAll(() => server.close())

/** Creates a change request by a user who loses access when the project becomes private. */
async function propose(): Promise<void> {
  const environment = `${P}/${PROJECT}/environments/production/change-requests`
  await server.admin(`PUT ${environment}/config`, { changeRequestsEnabled: true, requiredApprovals: 1 })
  const body = { feature: FLAG, action: 'updateEnabled', payload: { enabled: true } }
  const { id } = (await server.call({ as: 'editor', call: `POST ${environment}`, body })).json()
  ids.request = String(id)
  const request = `${P}/${PROJECT}/change-requests/${id}`
  await server.call({ as: 'editor', call: `PUT ${request}/title`, body: { title: TOLD } })
  const sent = await server.call({ as: 'editor', call: `PUT ${request}/state`, body: { state: 'In review' } })
  expect(sent.statusCode).toBe(200)
}

const WEBHOOK = {
  provider: 'webhook',
  enabled: false,
  events: ['feature-created'],
  parameters: { url: 'https://receiver.example/' },
}

/** Creates an integration for the project that has delivered events about its flag and about a new user. */
async function integrate(): Promise<void> {
  const { id } = await server.admin(`POST ${A}/addons`, { ...WEBHOOK, projects: ['default', PROJECT] })
  ids.integration = String(id)
  await server.admin(`POST ${A}/addons`, { ...WEBHOOK, projects: ['default', PROJECT] })
  await server.db.rows(
    `insert into integration_attempts (integration_id, event_id, created_at, attempt, state, error, duration_ms)
     select ${id}, id, 0, 1, 'success', '', 1 from events
     where feature_name in ('${FLAG}', 'open-flag') and type = 'feature-created' or type = 'user-created'`,
  )
}

/** Creates a group that has a role in an open project and in the private project. */
async function group(): Promise<void> {
  const { id } = await server.admin(`POST ${A}/groups`, { name: 'crew', users: [] })
  for (const project of ['default', PROJECT]) {
    await server.admin(`PUT ${P}/${project}/groups/${id}/roles`, { roles: [5] })
  }
}

/** Values of path parameters for open and private objects. Parameters that are not listed get unknown names. */
const OPEN: Readonly<Record<string, string>> = {
  projectId: 'default',
  featureName: 'open-flag',
  environment: 'development',
  name: 'development',
  segmentId: '2',
  contextField: 'plan',
  strategyName: 'flexibleRollout',
  appName: 'app',
}
const PRIVATE = (): Readonly<Record<string, string>> => ({
  ...OPEN,
  projectId: PROJECT,
  featureName: FLAG,
  segmentId: ids.segment,
  strategyId: ids.strategy,
  token: `${NAME}-token`,
  key: FLAG,
  id: ids.request,
})
const READS_BY_POST = (): readonly [string, object][] => [
  [`${A}/playground/change-request/${ids.request}`, { environments: ['production'], context: { appName: 'a' } }],
  [`${A}/events/search`, {}],
  [`${A}/playground`, { environment: 'development', context: { appName: 'a', plan: 'x' } }],
  [`${A}/playground/advanced`, { environments: ['development'], projects: '*', context: { appName: 'a' } }],
  [`${A}/playground/advanced`, { environments: ['development'], projects: [PROJECT], context: { appName: 'a' } }],
  [`${A}/features-batch/export`, { environment: 'development', features: [FLAG, 'open-flag'] }],
  [`${A}/features-batch/export`, { environment: 'development', project: PROJECT }],
]
const QUERIES = [
  `${P}/roles/5/access`,
  `${P}?archived=true`,
  `${A}/search/features?query=${NAME}`,
  `${A}/search/features?project=IS:${PROJECT}`,
  `${A}/search/features?archived=IS:true`,
  `${A}/search/events?query=${NAME}`,
  `${A}/search/events?project=IS:${PROJECT}`,
  `${A}/search/events?feature=IS:${FLAG}`,
  `${A}/events?project=${PROJECT}`,
  `${A}/user/roles?projectId=${PROJECT}`,
  `/api/client/features?project=${PROJECT}`,
]

interface Asked {
  readonly call: string
  readonly body?: object
}

/** Returns all requests that only read, for open and for private objects. */
function questions(): Asked[] {
  const routes = server.server.routes.filter(
    ({ method, permission, replies, url }) =>
      method === 'GET' && permission !== 'public' && replies[200]?.contentType !== 'text/event-stream' && url !== '/*',
  )
  const filled = (url: string, known: Readonly<Record<string, string>>) =>
    url.replace(/:([A-Za-z]+)/g, (_all, name: string) => known[name] ?? 'nothing')
  const gets = routes.flatMap(({ url }) => [filled(url, OPEN), filled(url, PRIVATE())])
  return [
    ...[...new Set([...gets, ...QUERIES])].map((url) => ({ call: `GET ${url}` })),
    ...READS_BY_POST().map(([url, body]) => ({ call: `POST ${url}`, body })),
  ]
}

/** Returns the calls whose replies reveal the private project. Ignores names that the caller sent. */
async function told(as: string): Promise<string[]> {
  const found: string[] = []
  for (const { call, body } of questions()) {
    const reply = await server.call({ as, call, ...(body === undefined ? {} : { body }) })
    const isNamed = call.includes(NAME) || JSON.stringify(body ?? {}).includes(NAME)
    if (reply.body.includes(TOLD) || (!isNamed && reply.body.includes(NAME))) found.push(call)
  }
  return found
}

describe('the content of a private project', () => {
  test('reaches admins by every read, which shows that these reads would find it', async () => {
    const calls = await told('admin')
    for (const url of [
      P,
      `${P}/${PROJECT}`,
      `${P}/${PROJECT}/overview`,
      `${P}/${PROJECT}/features/${FLAG}/comments`,
      `${A}/features`,
      `${A}/archive/features`,
      `${A}/search/features`,
      `${A}/search/events`,
      `${A}/events/${FLAG}`,
      `${A}/segments`,
      `${A}/segments/${ids.segment}`,
      `${A}/segments/strategies/${ids.strategy}`,
      `${A}/context/plan/strategies`,
      `${A}/strategies/flexibleRollout/strategies`,
      `${A}/metrics/applications`,
      `${A}/search/change-requests`,
      `${A}/metrics/applications/app`,
      `${A}/metrics/applications/app/overview`,
      `${A}/api-tokens`,
      `${A}/addons`,
      `${A}/addons/${ids.integration}`,
      `${A}/addons/${ids.integration}/events`,
      `${A}/user-admin/access`,
      `${P}/default/access`,
      `${P}/roles/5/access`,
      '/openfeature/v0/manifest',
    ]) {
      expect(calls).toContain(`GET ${url}`)
    }
    expect(calls.filter((call) => call.startsWith('POST')).length).toBeGreaterThanOrEqual(5)
  }, 60_000)

  test('reaches no one else: viewers, editors, and their personal tokens', async () => {
    expect(await told('viewer')).toEqual([])
    expect(await told('editor')).toEqual([])
    expect(await told(personal)).toEqual([])
  }, 60_000)

  const segment = (method: string) => `${method} ${A}/segments/1`
  const put = { as: 'editor', call: segment('PUT'), body: { name: 'x', constraints: [] } } as const
  const data = {
    features: [{ name: FLAG }],
    featureStrategies: [],
    featureEnvironments: [],
    tagTypes: [],
    featureTags: [],
  }
  const validate = {
    as: 'editor',
    call: `POST ${A}/features-batch/validate`,
    body: { project: 'default', environment: 'development', data },
  } as const
  const taken = { errors: [{ affectedItems: [FLAG] }] }
  const nothing = { status: 404, text: 'There is no project' } as const
  scenarios(() => server, [
    { name: 'a viewer finds nothing', as: 'viewer', call: `GET ${P}/${PROJECT}`, ...nothing },
    {
      name: 'a viewer does not find its flag',
      as: 'viewer',
      call: `GET ${P}/${PROJECT}/features/${FLAG}`,
      status: 404,
      text: 'There is no flag',
    },
    { name: 'nor likes it', as: 'viewer', call: `POST ${P}/${PROJECT}/favorites`, body: {}, ...nothing },
    { name: 'nor its flag by name', as: 'viewer', call: `GET ${A}/features/${FLAG}/tags`, status: 404 },
    {
      name: 'a viewer reads no usage of its flag',
      as: 'viewer',
      call: `GET ${A}/client-metrics/features/${FLAG}`,
      status: 200,
      has: { featureName: FLAG, lastHourUsage: [], seenApplications: [] },
    },
    {
      name: 'a viewer reads no history of its flag',
      as: 'viewer',
      call: `GET ${A}/events/${FLAG}`,
      status: 200,
      has: { toggleName: FLAG, events: [], totalEvents: 0 },
    },
    { name: 'an editor changes no segment of it', ...put, status: 404, text: 'There is no segment' },
    { name: 'nor with a condition', ...put, headers: { 'if-match': '"x"' }, status: 404 },
    { name: 'nor removes it', as: 'editor', call: segment('DELETE'), status: 404, events: [] },
    { name: 'and hears of a name that is taken, not where', ...validate, status: 200, has: taken },
    { name: 'an editor changes nothing', as: 'editor', call: `PUT ${P}/${PROJECT}`, body: { name: 'x' }, status: 403 },
    {
      name: 'and moves nothing there',
      as: 'editor',
      call: `POST ${P}/default/features/open-flag/changeProject`,
      body: { newProjectId: PROJECT },
      status: 403,
    },
    { name: 'an admin token sees it', as: 'admin', call: `GET ${P}/${PROJECT}`, status: 200, has: { name: TOLD } },
  ] satisfies Scenario[])
})

test('authors who appear in no other events are not listed to non-members', async () => {
  const { secret } = await server.admin(`POST ${A}/api-tokens`, { tokenName: `${NAME}-author`, type: 'admin' })
  await server.call({ as: secret, call: `POST ${P}/${PROJECT}/features`, body: { name: `${NAME}-authored` } })
  const namesFor = async (as: Role) =>
    (await server.call({ as, call: `GET ${A}/event-creators` })).json().map(({ name }: { name: string }) => name)
  expect(await namesFor('admin')).toContain(`${NAME}-author`)
  expect(await namesFor('viewer')).toContain('admin')
  expect(await namesFor('viewer')).not.toContain(`${NAME}-author`)
})

test('authors of events for administrators only are not listed to others', async () => {
  const { secret } = await server.admin(`POST ${A}/api-tokens`, { tokenName: 'makes-tokens', type: 'admin' })
  const token = { tokenName: 'made', type: 'client', environment: 'development', projects: ['default'] }
  await server.call({ as: secret, call: `POST ${A}/api-tokens`, body: token })
  const namesFor = async (as: Role) =>
    (await server.call({ as, call: `GET ${A}/event-creators` })).json().map(({ name }: { name: string }) => name)
  expect(await namesFor('admin')).toContain('makes-tokens')
  expect(await namesFor('viewer')).not.toContain('makes-tokens')
})

describe('an integration that includes a private project', () => {
  const one = () => `${A}/addons/${ids.integration}`
  const stored = () => server.db.row('select only_projects, enabled from integrations where id = ?', ids.integration)

  test('shows others how many projects they cannot see', async () => {
    const reply = await server.call({ as: 'editor', call: `GET ${one()}` })
    expect(reply.json()).toMatchObject({ projects: ['default'], hiddenProjects: 1 })
    const { addons } = (await server.call({ as: 'viewer', call: `GET ${A}/addons` })).json()
    const told = (addons as { projects: string[]; hiddenProjects?: number }[]).map(
      ({ hiddenProjects }) => hiddenProjects,
    )
    expect(told).toEqual(addons.map(() => 1))
    const whole = await server.admin(`GET ${one()}`)
    expect([whole.projects, 'hiddenProjects' in whole]).toEqual([['default', PROJECT], false])
  })

  test.each([
    ['saved as they see it', 'PUT', ''],
    ['removed', 'DELETE', ''],
    ['tested', 'POST', '/test'],
  ])('cannot be %s by them', async (_what, method, path) => {
    const before = await stored()
    const { enabled, ...seen } = (await server.call({ as: 'editor', call: `GET ${one()}` })).json()
    const body = method === 'PUT' ? { ...seen, enabled: !enabled } : {}
    const reply = await server.call({ as: 'editor', call: `${method} ${one()}${path}`, body })
    expect([reply.statusCode, reply.body.includes('a private project')]).toEqual([403, true])
    expect(await stored()).toEqual(before)
  })
})

describe('a refusal does not reveal', () => {
  test.each([
    ['what of it uses a segment', `DELETE ${A}/segments/2`, undefined, 409],
    [
      'whose flags a segment is used by',
      `PUT ${A}/segments/2`,
      { name: 'shared', constraints: [], project: 'default' },
      400,
    ],
    ['what of it reads a context field', `DELETE ${A}/context/plan`, undefined, 409],
    ['where its flag is', `DELETE /openfeature/v0/manifest/flags/${FLAG}`, undefined, 404],
  ])('%s', async (_what, call, body, status) => {
    const last = await server.lastEventId()
    const reply = await server.call({ as: 'editor', call, ...(body === undefined ? {} : { body }) })
    expect([reply.statusCode, reply.body.includes(`${NAME}-segment`), reply.body.includes(PROJECT)]).toEqual([
      ...[status, false, false],
    ])
    expect([reply.body.includes(FLAG) && !call.includes(FLAG), await server.eventsAfter(last)]).toEqual([false, []])
  })

  test('a token of the project to actors who may remove tokens', async () => {
    const role = await server.db.row(
      "insert into roles (name, description, type) values ('Tokens', '', 'root-custom') returning id",
    )
    for (const verb of ['UPDATE', 'DELETE']) {
      await server.db.rows(
        'insert into role_permissions (role_id, permission, environment) values (?, ?, null)',
        ...[Number(role?.id), `${verb}_CLIENT_API_TOKEN`],
      )
    }
    const set = (id: number) => server.db.rows("update users set root_role = ? where username = 'viewer'", id)
    await set(Number(role?.id))
    await server.admin(`PUT ${P}/${PROJECT}`, { name: TOLD, description: `${TOLD} for roles` })
    const row = await server.db.row('select id from api_tokens where name like ?', `${NAME}%`)
    const of = async (method: string, body?: object) =>
      (
        await server.call({
          as: 'viewer',
          call: `${method} ${A}/api-tokens/${row?.id}`,
          ...(body === undefined ? {} : { body }),
        })
      ).statusCode
    expect([await of('PUT', { expiresAt: '2020-01-01T00:00:00Z' }), await of('DELETE')]).toEqual([404, 200])
    expect(await server.db.row('select id from api_tokens where id = ?', String(row?.id))).toBeDefined()
    await set(3)
    await server.admin(`PUT ${P}/${PROJECT}`, { name: TOLD, description: TOLD })
  })
})

describe('an integration', () => {
  const addons = `${A}/addons`
  const named = { ...WEBHOOK, projects: [PROJECT] }

  test.each([
    ['viewer', ['open-flag']],
    ['admin', [null, 'open-flag', FLAG]],
  ])('shows a %s what of its log they may see', async (as, flags) => {
    const reply = await server.call({ as, call: `GET ${addons}/${ids.integration}/events` })
    const { integrationEvents } = reply.json() as { integrationEvents: { event: { featureName: string } | null }[] }
    const seen = integrationEvents.flatMap(({ event }) => (event === null ? [] : [event.featureName ?? null]))
    expect([...new Set(seen)].sort()).toEqual([...flags].sort())
  })

  test('cannot name projects hidden from its creator, or be changed, removed or tested by an actor who does not see all of them', async () => {
    const one = `${addons}/${ids.integration}`
    const of = async (call: string, body?: object) => {
      const reply = await server.call({ as: 'editor', call, ...(body === undefined ? {} : { body }) })
      return [reply.statusCode, reply.json().details?.[0]?.path]
    }
    const last = await server.lastEventId()
    expect(await of(`POST ${addons}`, named)).toEqual([400, 'body/projects'])
    const open = await server.admin(`POST ${addons}`, { ...WEBHOOK, projects: ['default'] })
    expect(await of(`PUT ${addons}/${open.id}`, named)).toEqual([400, 'body/projects'])
    for (const [call, body] of [[`PUT ${one}`, WEBHOOK], [`DELETE ${one}`], [`POST ${one}/test`, {}]] as const) {
      expect([call, await of(call, body)]).toEqual([call, [403, undefined]])
    }
    expect(await of(`PUT ${addons}/${open.id}`, { ...WEBHOOK, description: 'mine' })).toEqual([200, undefined])
    expect(await server.eventsAfter(last)).toEqual(['addon-config-created', 'addon-config-updated'])
  })
})

describe('membership', () => {
  const sees = async (as: string) => (await server.call({ as, call: `GET ${P}/${PROJECT}/overview` })).statusCode
  const roles = (method: string, body?: object) =>
    server.call({ as: 'admin', call: `${method} ${P}/${PROJECT}/users/${ids.viewer}/roles`, ...(body ? { body } : {}) })

  test('opens the project at once for a user, and its end closes it at once', async () => {
    expect(await sees('viewer')).toBe(404)
    await roles('PUT', { roles: [5] })
    expect(await sees('viewer')).toBe(200)
    expect((await told('viewer')).length).toBeGreaterThan(10)
    await roles('DELETE')
    expect(await sees('viewer')).toBe(404)
    expect(await told('viewer')).toEqual([])
  }, 60_000)

  test('opens the project through a group as well', async () => {
    const group = await server.db.row(
      "insert into groups (name, mappings_sso, created_by, created_at) values ('team', '[]', 'admin', 0) returning id",
    )
    const id = Number(group?.id)
    await server.db.rows(
      'insert into project_groups (project, group_id, role_id, created_at) values (?, ?, 5, 0)',
      PROJECT,
      id,
    )
    await server.db.rows(
      "insert into group_members (group_id, user_id, joined_at, created_by) values (?, ?, 0, 'admin')",
      id,
      ids.editor,
    )
    // the test has written directly to the tables, and any change to a project makes the server reload them
    await server.admin(`PUT ${P}/${PROJECT}`, { name: TOLD, description: `${TOLD} again` })
    expect(await sees('editor')).toBe(200)
    await server.db.rows('delete from group_members where group_id = ?', id)
    await server.admin(`PUT ${P}/${PROJECT}`, { name: TOLD, description: TOLD })
    expect(await sees('editor')).toBe(404)
  })

  test('stays out of the list of tokens shared with another project', async () => {
    const call = `GET ${P}/default/api-tokens`
    const shared = (tokens: { tokenName: string }[]) => tokens.find(({ tokenName }) => tokenName === 'shared-token')
    const seen = (await server.call({ as: 'editor', call })).json()
    expect(shared(seen.tokens)).toMatchObject({ project: 'default', projects: ['default'] })
    expect(shared((await server.admin(call)).tokens)).toMatchObject({
      project: `default,${PROJECT}`,
      projects: ['default', PROJECT],
    })
  })

  test.each([
    ['shared with another project', 'shared-token', 400],
    ['of the private project alone', `${NAME}-token`, 200],
  ])('keeps a token %s that a caller removes who is no member', async (_which, name, status) => {
    const row = await server.db.row('select id from api_tokens where name = ?', name)
    const last = await server.lastEventId()
    const reply = await server.call({ as: 'editor', call: `DELETE ${P}/default/api-tokens/${row?.id}` })
    expect([reply.statusCode, reply.body.includes(NAME)]).toEqual([status, false])
    expect(await server.db.row('select id from api_tokens where name = ?', name)).toEqual(row)
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test('does not follow from being an editor of the default project', async () => {
    await server.admin(`PUT ${P}/default`, { name: 'Default', mode: 'private' })
    expect((await server.call({ as: 'editor', call: `GET ${P}/default/overview` })).statusCode).toBe(404)
    const made = await server.call({ as: 'editor', call: `POST ${P}/default/features`, body: { name: 'no' } })
    expect(made.statusCode).toBe(404)
    await server.admin(`PUT ${P}/default`, { name: 'Default', mode: 'open' })
    expect((await server.call({ as: 'editor', call: `GET ${P}/default/overview` })).statusCode).toBe(200)
  })

  test('includes the creator of a private project', async () => {
    await server.call({ as: 'editor', call: `POST ${P}`, body: { id: 'own', name: 'Own', mode: 'private' } })
    expect((await server.call({ as: 'editor', call: `GET ${P}/own` })).statusCode).toBe(200)
    expect((await server.call({ as: 'viewer', call: `GET ${P}/own` })).statusCode).toBe(404)
  })
})

describe('SDKs and what follows', () => {
  test('tokens of the project, and of all projects, get its flags as before', async () => {
    const names = async (as: string) =>
      (await server.call({ as, call: 'GET /api/client/features' }))
        .json()
        .features.map((one: { name: string }) => one.name)
    expect(await names(TOKENS.admin)).toContain(FLAG)
    expect(await names(TOKENS.client)).toEqual(['open-flag'])
    expect(await names(personal)).toEqual(['open-flag'])
  })

  test('event streams of others omit it from the moment it becomes private', async () => {
    const { url } = await server.server.listen()
    const stream = await openStream(`${url}${A}/event-stream`, { cookie: 'burgee-session=viewer-session' })
    await stream.next(({ event }) => event === 'connected')
    const tells = (name: string) => () => JSON.stringify(stream.heard).includes(`"${name}"`)
    await server.admin(`POST ${P}`, { id: 'turning', name: 'Turning' })
    await server.admin(`POST ${P}/turning/features`, { name: 'seen' })
    await stream.next(tells('seen'))
    await server.admin(`PUT ${P}/turning`, { name: 'Turning', mode: 'private' })
    for (const project of ['turning', PROJECT]) {
      await server.admin(`POST ${P}/${project}/features`, { name: `${NAME}-in-${project}` })
    }
    await server.admin(`POST ${P}/default/features`, { name: 'heard' })
    await stream.next(tells('heard'))
    expect(JSON.stringify(stream.heard)).not.toContain(NAME)
    stream.close()
  })
})

describe('a removed private project', () => {
  const gone = `${NAME}-removed`
  const make = (as: string, body: object) => server.call({ as, call: `POST ${P}`, body })

  test('leaves its history hidden, and its id cannot be reused to read it', async () => {
    await server.admin(`POST ${P}`, { id: gone, name: gone, mode: 'private' })
    await server.admin(`POST ${P}/${gone}/features`, { name: `${gone}-flag`, description: TOLD })
    await server.admin(`DELETE ${P}/${gone}/features/${gone}-flag`)
    await server.admin(`POST ${P}/${gone}/delete`, { features: [`${gone}-flag`] })
    await server.admin(`DELETE ${P}/${gone}`)
    for (const path of [`events?project=${gone}`, `events/${gone}-flag`, `search/events?project=IS:${gone}`]) {
      const asked = async (as: string) =>
        (await server.call({ as, call: `GET ${A}/${path}` })).body.includes('project-deleted') ||
        (await server.call({ as, call: `GET ${A}/${path}` })).body.includes(TOLD)
      expect([path, await asked('admin'), await asked('viewer')]).toEqual([path, true, false])
    }
    expect((await make('editor', { id: gone, name: 'mine' })).statusCode).toBe(409)
    expect((await make('editor', { name: gone })).json().id).toBe(`${gone}-2`)
    const all = { tokenName: 'all', type: 'client', environment: 'development', projects: ['*'] }
    expect((await make('admin', { id: gone, name: 'again', mode: 'private' })).statusCode).toBe(201)
    expect((await server.call({ as: 'admin', call: `POST ${A}/api-tokens`, body: all })).statusCode).toBe(201)
  })
})
