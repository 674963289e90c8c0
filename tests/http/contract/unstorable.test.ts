import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Strings and numbers that one of the databases cannot store have the same effect on both databases. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const FEATURES = '/api/admin/projects/default/features'
const as = 'admin'
const NUL = 'a\0b'

describe('a NUL character', () => {
  scenarios(() => server, [
    { name: 'none', as, call: `POST ${FEATURES}`, body: { name: 'plain' }, status: 201, events: ['feature-created'] },
    {
      name: 'in a description',
      as,
      call: `POST ${FEATURES}`,
      body: { name: 'nul', description: NUL },
      status: 400,
      has: { name: 'ValidationError' },
      text: 'cannot be stored',
    },
    { name: 'in a name', as, call: `POST ${FEATURES}`, body: { name: NUL }, status: 400 },
    {
      name: 'in a tag',
      as,
      call: 'POST /api/admin/features/plain/tags',
      body: { type: 'simple', value: NUL },
      status: 400,
    },
    {
      name: 'in the name of a token',
      as,
      call: 'POST /api/admin/api-tokens',
      body: { type: 'client', tokenName: NUL, environment: 'development' },
      status: 400,
    },
    { name: 'in a path', as, call: `GET ${FEATURES}/%00`, status: 400 },
    { name: 'in a query', as: 'client', call: 'GET /api/client/features?namePrefix=%00', status: 400 },
    { name: 'in a token', as: 'x:y.%00', call: 'GET /api/client/features', status: 401 },
    { name: 'nothing was made', as, call: `GET ${FEATURES}/nul`, status: 404 },
    {
      name: 'within JSON is stored',
      as,
      call: `POST ${FEATURES}/plain/environments/development/strategies`,
      body: { name: 'userWithId', parameters: { userIds: NUL } },
      status: 200,
      has: { parameters: { userIds: NUL } },
      events: ['feature-strategy-add'],
    },
  ] satisfies Scenario[])
})

describe('half of a surrogate pair', () => {
  const HALF = 'a\ud83d'
  const refused = (name: string, call: string, body: unknown): Scenario => ({
    name,
    as,
    call,
    body,
    status: 400,
    has: { name: 'ValidationError' },
  })
  scenarios(() => server, [
    refused('in a description', `POST ${FEATURES}`, { name: 'half', description: HALF }),
    refused('in a changed description', `PUT ${FEATURES}/plain`, { description: HALF }),
    refused('in a tag', 'POST /api/admin/features/plain/tags', { type: 'simple', value: HALF }),
    refused('in the name of a segment', 'POST /api/admin/segments', { name: HALF, constraints: [] }),
    refused('in the name of a token', 'POST /api/admin/api-tokens', {
      type: 'client',
      tokenName: HALF,
      environment: 'development',
    }),
    refused('in a legal value of a context field', 'POST /api/admin/context', {
      name: 'half',
      legalValues: [{ value: HALF }],
    }),
    refused('in a parameter of a strategy type', 'POST /api/admin/strategies', {
      name: 'half',
      parameters: [{ name: HALF, type: 'string', description: '', required: false }],
    }),
    refused('in a name of a group mapping', 'POST /api/admin/groups', { name: 'half', mappingsSSO: [HALF], users: [] }),
    refused('in a link template of a project', 'PUT /api/admin/projects/default/settings', {
      defaultStickiness: 'default',
      linkTemplates: [{ title: HALF, urlTemplate: 'https://example.com/{{feature}}' }],
    }),
    { name: 'nothing was made', as, call: `GET ${FEATURES}/half`, status: 404 },
    {
      name: 'a whole one is stored',
      as,
      call: `PUT ${FEATURES}/plain`,
      body: { description: 'a😀' },
      status: 200,
      has: { description: 'a😀' },
      events: ['feature-metadata-updated'],
    },
    {
      ...refused('in a parameter', `POST ${FEATURES}/plain/environments/development/strategies`, {
        name: 'userWithId',
        parameters: { userIds: HALF },
      }),
    },
    refused('in a value of a constraint', `POST ${FEATURES}/plain/environments/development/strategies`, {
      name: 'default',
      constraints: [{ contextName: 'userId', operator: 'IN', values: [HALF] }],
    }),
    refused('in a value of a segment', 'POST /api/admin/segments', {
      name: 'halves',
      constraints: [{ contextName: 'userId', operator: 'IN', values: [HALF] }],
    }),
    refused('in the name of a variant', `PUT ${FEATURES}/plain/environments/development/variants`, [
      { name: HALF, weight: 1 },
    ]),
    refused('in the payload of a variant', `PUT ${FEATURES}/plain/environments/development/variants`, [
      { name: 'a', weight: 1, payload: { type: 'string', value: HALF } },
    ]),
  ] satisfies Scenario[])
})

describe('names reported by SDKs', () => {
  const now = new Date().toISOString()
  const metrics = (appName: string, toggles: object) => ({ appName, bucket: { start: now, stop: now, toggles } })
  const long = Array.from({ length: 2000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
  ).join('')
  const report = (body: object) => server.call({ as: 'client', call: 'POST /api/client/metrics', body })

  test('do not prevent others from being stored if they cannot be stored', async () => {
    const fine = { yes: 1, no: 0, variants: { v: 1 } }
    const variants = { [NUL]: 1, [long]: 1, kept: 1 }
    const limit = '漢'.repeat(166)
    for (const name of ['\ufffd', limit]) {
      await server.db.rows(
        "insert into features (name, project, type, stale, impression_data, created_at) values (?, 'default', 'release', 0, 0, 0)",
        name,
      )
    }
    const replies = [
      await report(metrics(NUL, { lost: fine })),
      await report(metrics(long, { lost: fine })),
      await report(
        metrics('app', {
          [NUL]: fine,
          [long]: fine,
          '\ud800': fine,
          '\ufffd': { ...fine, yes: 4 },
          plain: { yes: 2, no: 1, variants },
          '漢 of no flag': fine,
        }),
      ),
      await report(metrics(limit, { [limit]: { yes: 3, no: 0, variants: { [limit]: 3 } } })),
      await server.call({
        as: 'client',
        call: 'POST /api/client/register',
        body: { appName: NUL, instanceId: long, interval: 1, started: now, strategies: [] },
      }),
    ]
    expect(replies.map((reply) => reply.statusCode)).toEqual([202, 202, 202, 202, 202])
    await server.server.flush()
    expect(server.logged.filter((line) => /^(warn|error)/.test(line) && !line.includes('INIT_'))).toEqual([])
    const rows = await server.db.rows('select app_name, feature_name, yes from client_metrics order by yes')
    expect(rows).toEqual([
      { app_name: 'app', feature_name: 'plain', yes: 2 },
      { app_name: limit, feature_name: limit, yes: 3 },
      { app_name: 'app', feature_name: '\ufffd', yes: 4 },
    ])
    const counted = await server.db.rows(
      "select variant from client_metrics_variants where variant <> 'v' order by variant",
    )
    expect(counted).toEqual([{ variant: 'kept' }, { variant: limit }])
    expect(await server.db.rows('select name from unknown_flags')).toEqual([{ name: '漢 of no flag' }])
    expect(await server.db.rows('select app_name from client_instances')).toEqual([])
  })
})
