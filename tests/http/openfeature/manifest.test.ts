import { splitList } from '@burgee/kit/split-list'
import type { Manifest, ManifestFlag } from '@burgee/protocol/openfeature/manifest'
import { type OpenAPIClient, OpenAPIClientAxios } from 'openapi-client-axios'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

/** OpenFeature's manifest API. Source: Manifest Management API v0; behavior of the OpenFeature CLI. */
const M = '/openfeature/v0/manifest'
const P = '/api/admin/projects/default/features'
const CAPABILITIES = 'x-manifest-capabilities'

let server: TestServer
let url: string
/** Personal tokens of a viewer, and of a user who is a member of only one other project. */
const people: Record<string, string> = {}
/** Generated from the server's own OpenAPI document. */
let client: OpenAPIClient

beforeAll(async () => {
  server = await startServer()
  ;({ url } = await server.server.listen())
  const { admin } = server
  await admin('POST /api/admin/projects', { id: 'another', name: 'Another' })
  for (const [name, rootRole] of [
    ['reader', 3],
    ['member', 3],
    ['writer', 2],
  ] as const) {
    const user = await admin('POST /api/admin/user-admin', {
      username: name,
      rootRole,
      password: 'a very good password',
    })
    if (name === 'member') await admin(`POST /api/admin/projects/another/users/${user.id}/roles/4`)
    const login = await server.call({
      call: 'POST /auth/simple/login',
      body: { username: name, password: 'a very good password' },
    })
    const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? ''
    const token = await server.call({
      call: 'POST /api/admin/user/tokens',
      headers: { cookie, origin: 'http://localhost:80' },
      body: { description: 'cli', expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
    })
    people[name] = token.json().secret
  }
  const document = (await server.call({ call: 'GET /docs/openapi.json' })).json()
  const api = new OpenAPIClientAxios({
    definition: document,
    axiosConfigDefaults: {
      baseURL: url,
      headers: { authorization: `Bearer ${TOKENS.admin}` },
      validateStatus: () => true,
    },
  })
  client = await api.init()
})
afterAll(() => server.close())

const read = async (as = 'admin'): Promise<readonly ManifestFlag[]> =>
  ((await server.call({ as, call: `GET ${M}` })).json() as Manifest).flags
const flagOf = async (key: string) => (await read()).find((flag) => flag.key === key)
const E = (name: string, environment = 'development') => `${P}/${name}/environments/${environment}`
const variant = (name: string, type: string, value: string) => ({ name, weight: 1000, payload: { type, value } })
const rollout = (variants: object[]) => ({
  name: 'flexibleRollout',
  variants,
  parameters: { rollout: '100', stickiness: 'userId', groupId: 'g' },
})

/** Properties of all possible replies. */
interface Answer {
  readonly updatedAt: string
  readonly archivedAt: string
  readonly message: string
  readonly error: { readonly status: number; readonly message: string }
}

describe('a client generated from the OpenAPI document', () => {
  type Ask = (...args: unknown[]) => Promise<{ readonly status: number; readonly data: unknown }>
  const call = async (operation: string, params?: unknown, body?: unknown) => {
    const ask = (client as unknown as Record<string, Ask>)[operation]
    if (ask === undefined) throw new Error(`The document has no operation ${operation}`)
    const { status, data } = await ask(params, body)
    return { status, data: data as Answer }
  }
  const create = (body: object) => call('postOpenfeatureV0ManifestFlags', null, body)
  const change = (key: string, body: object) => call('putOpenfeatureV0ManifestFlagsByKey', { key }, body)
  const archive = (key: string) => call('deleteOpenfeatureV0ManifestFlagsByKey', { key })

  test('reads, creates, updates and archives', async () => {
    const flag = { key: 'client-made', type: 'string', defaultValue: 'x', description: 'From a client' }
    const made = await create(flag)
    expect(made).toMatchObject({ status: 201, data: { flag: { ...flag, name: 'client-made' } } })
    expect(new Date(made.data.updatedAt).toISOString()).toBe(made.data.updatedAt)
    expect(await call('getOpenfeatureV0Manifest')).toMatchObject({
      status: 200,
      data: { flags: expect.arrayContaining([{ ...flag, name: 'client-made' }]) },
    })
    expect(await change('client-made', { ...flag, defaultValue: 'y' })).toMatchObject({
      status: 200,
      data: { flag: { defaultValue: 'y', description: 'From a client' } },
    })
    const { status, data } = await archive('client-made')
    expect([status, data.message]).toEqual([200, expect.stringContaining('client-made')])
    expect(Date.parse(data.archivedAt)).toBeGreaterThan(0)
    expect(await flagOf('client-made')).toBeUndefined()
  })

  test('gets 409 for an archived key: POST, PUT and DELETE', async () => {
    const flag = { key: 'client-made', type: 'string', defaultValue: 'x' }
    for (const { status, data } of [await create(flag), await change(flag.key, flag), await archive(flag.key)]) {
      expect([status, data.error.status, data.error.message]).toEqual([409, 409, expect.stringMatching(/archived/)])
    }
  })
})

const BOOLEAN = { key: 'b', type: 'boolean', defaultValue: true }

describe('add, change and archive', () => {
  const post = `POST ${M}/flags`
  const error = (status: number, field?: string) => ({
    error: { status, message: expect.any(String), ...(field === undefined ? {} : { details: [{ field }] }) },
  })
  const as = 'admin'
  scenarios(
    () => server,
    [
      {
        name: 'a flag',
        as,
        call: post,
        body: BOOLEAN,
        status: 201,
        has: { flag: BOOLEAN },
        events: ['feature-created'],
      },
      { name: 'the same again', as, call: post, body: BOOLEAN, status: 409, has: error(409, 'key'), events: [] },
      {
        name: 'no key',
        as,
        call: post,
        body: { ...BOOLEAN, key: '' },
        status: 400,
        has: error(400, 'key'),
        events: [],
      },
      {
        name: 'a key that no URL can hold',
        as,
        call: post,
        body: { ...BOOLEAN, key: 'a b' },
        status: 400,
        has: error(400, 'key'),
      },
      {
        name: 'a long key',
        as,
        call: post,
        body: { ...BOOLEAN, key: 'k'.repeat(101) },
        status: 400,
        has: error(400, 'key'),
      },
      { name: 'no type', as, call: post, body: { key: 'c', defaultValue: 1 }, status: 400, has: error(400, 'type') },
      {
        name: 'an unknown type',
        as,
        call: post,
        body: { ...BOOLEAN, type: 'date' },
        status: 400,
        has: error(400, 'type'),
      },
      {
        name: 'no default',
        as,
        call: post,
        body: { key: 'c', type: 'boolean' },
        status: 400,
        has: error(400, 'defaultValue'),
      },
      ...(
        [
          ['boolean', 'true'],
          ['string', 1],
          ['integer', 1.5],
          ['integer', '1'],
          ['float', 'x'],
          ['object', []],
          ['object', null],
          ['string', null],
        ] as const
      ).map(([type, defaultValue]) => ({
        name: `the default ${JSON.stringify(defaultValue)} of type ${type}`,
        as,
        call: post,
        body: { key: 'c', type, defaultValue },
        status: 400,
        has: error(400, 'defaultValue'),
        events: [],
      })),
      {
        name: 'an unknown field',
        as,
        call: post,
        body: { ...BOOLEAN, owner: 'me' },
        status: 400,
        has: error(400, 'owner'),
      },
      { name: 'no JSON', as, call: post, raw: '{', status: 400, has: error(400) },
      {
        name: 'another media type',
        as,
        call: post,
        raw: 'x',
        headers: { 'content-type': 'text/plain' },
        status: 415,
        has: error(415),
      },
      {
        name: 'description and default change',
        as,
        call: `PUT ${M}/flags/b`,
        body: { ...BOOLEAN, defaultValue: false, description: 'What it is' },
        status: 200,
        has: { flag: { key: 'b', name: 'b', type: 'boolean', defaultValue: false, description: 'What it is' } },
        events: ['feature-metadata-updated'],
      },
      {
        name: 'what is left out stays',
        as,
        call: `PUT ${M}/flags/b`,
        body: { key: 'b', type: 'boolean' },
        status: 200,
        has: { flag: { defaultValue: false, description: 'What it is' } },
        events: [],
      },
      {
        name: 'another key than the path',
        as,
        call: `PUT ${M}/flags/b`,
        body: { ...BOOLEAN, key: 'c' },
        status: 400,
        has: error(400, 'key'),
      },
      {
        name: 'another type',
        as,
        call: `PUT ${M}/flags/b`,
        body: { key: 'b', type: 'string' },
        status: 409,
        has: error(409, 'type'),
        events: [],
      },
      {
        name: 'no such flag',
        as,
        call: `PUT ${M}/flags/none`,
        body: { ...BOOLEAN, key: 'none' },
        status: 404,
        has: error(404),
      },
      { name: 'archive none', as, call: `DELETE ${M}/flags/none`, status: 404, has: error(404), events: [] },
      { name: 'archive', as, call: `DELETE ${M}/flags/b`, status: 200, events: ['feature-archived'] },
      { name: 'archive again', as, call: `DELETE ${M}/flags/b`, status: 409, has: error(409, 'key'), events: [] },
      { name: 'anonymous', call: `GET ${M}`, status: 401, has: error(401) },
      { name: 'another path', as, call: `GET ${M}/other`, status: 404, has: error(404) },
    ],
  )

  test('refuses to archive a parent, or a flag that is on in a protected environment', async () => {
    const { admin, db } = server
    for (const key of ['parent', 'child', 'guarded']) await admin(`POST ${M}/flags`, { ...BOOLEAN, key })
    await admin(`POST ${P}/child/dependencies`, { feature: 'parent' })
    await admin(`POST ${E('guarded', 'production')}/on`)
    await db.rows("update environments set protected = 1 where name = 'production'")
    for (const key of ['parent', 'guarded']) {
      const reply = await server.call({ as, call: `DELETE ${M}/flags/${key}` })
      expect([reply.statusCode, reply.json()]).toEqual([409, error(409)])
    }
    await db.rows("update environments set protected = 0 where name = 'production'")
    expect((await server.call({ as, call: `DELETE ${M}/flags/guarded` })).statusCode).toBe(200)
  })

  test('a flag that was added is off everywhere', async () => {
    await server.admin(`POST ${M}/flags`, { ...BOOLEAN, key: 'fresh' })
    const { type, environments } = await server.admin(`GET ${P}/fresh`)
    expect([type, environments.map(({ enabled }: { enabled: boolean }) => enabled)]).toEqual([
      'release',
      [false, false],
    ])
  })
})

describe('a round trip', () => {
  const DECLARED = [
    { key: 'ratio', type: 'float', defaultValue: 0.15, description: 'trailing \nblank \n' },
    {
      key: 'shape',
      type: 'object',
      defaultValue: { z: { b: [1, { c: null }], a: 'é' }, a: 1e-7, __proto__x: '\u0000' },
    },
    { key: 'count', type: 'integer', defaultValue: 7, description: '' },
    { key: 'text', type: 'string', defaultValue: ' x \n' },
    { key: 'yes', type: 'boolean', defaultValue: true },
  ]

  /**
   * Pushes flags like the CLI: sends flags that differ in type, default or description, and leaves all others
   * unchanged.
   */
  async function push(flags: readonly (object & { key: string })[]): Promise<string[]> {
    const known = new Map((await read()).map((flag) => [flag.key, flag]))
    const seen = ({ type, defaultValue, description = '' }: Partial<ManifestFlag>) =>
      JSON.stringify([type, defaultValue, description])
    const calls: string[] = []
    for (const flag of flags) {
      const there = known.get(flag.key)
      if (there !== undefined && seen(there) === seen(flag)) continue
      const call = there === undefined ? `POST ${M}/flags` : `PUT ${M}/flags/${flag.key}`
      await server.admin(call, flag)
      calls.push(call)
    }
    return calls
  }

  test('reads what was written, to the letter, and a second push writes nothing', async () => {
    expect(await push(DECLARED)).toHaveLength(DECLARED.length)
    for (const flag of DECLARED) expect(await flagOf(flag.key)).toEqual({ name: flag.key, ...flag })
    expect(await push(DECLARED)).toEqual([])
    expect(await push(await read())).toEqual([])
    const changed = DECLARED.map((flag) =>
      flag.key === 'ratio' ? { ...flag, defaultValue: 0.2, description: 'other ' } : flag,
    )
    expect(await push(changed)).toEqual([`PUT ${M}/flags/ratio`])
    expect(await push(changed)).toEqual([])
  })

  test('every flag has a default, so that the CLI asks for none', async () => {
    for (const { defaultValue } of await read()) expect(defaultValue ?? null).not.toBeNull()
  })
})

describe('the type of a flag', () => {
  test.each<[string, object[], object[], string, unknown]>([
    ['none', [], [], 'boolean', false],
    ['texts', [variant('a', 'string', 'x')], [], 'string', ''],
    ['csv', [variant('a', 'csv', 'x')], [], 'string', ''],
    ['whole', [variant('a', 'number', '1')], [variant('a', 'number', '2')], 'integer', 0],
    ['fractions', [variant('a', 'number', '1')], [variant('a', 'number', '2.5')], 'float', 0],
    ['json', [variant('a', 'json', '{}')], [], 'object', {}],
    ['disagree', [variant('a', 'json', '{}')], [variant('a', 'string', '')], 'boolean', false],
    ['bare', [{ name: 'a', weight: 1000 }], [], 'boolean', false],
  ])('follows from its variants: %s', async (name, here, there, type, defaultValue) => {
    const key = `typed-${name}`
    await server.admin(`POST ${P}`, { name: key })
    if (here.length > 0) await server.admin(`POST ${E(key)}/strategies`, rollout(here))
    if (there.length > 0) await server.admin(`POST ${E(key, 'production')}/strategies`, rollout(there))
    expect(await flagOf(key)).toEqual({ key, name: key, type, defaultValue })
  })

  test('a flag that was declared has no value until its variants have one, and never one of another type', async () => {
    const { admin } = server
    await admin(`POST ${M}/flags`, { key: 'declared', type: 'string', defaultValue: 'x' })
    await admin(`POST ${E('declared')}/on`)
    const body = { context: { targetingKey: '7' } }
    const evaluated = async () =>
      (await server.call({ as: 'client', call: 'POST /ofrep/v1/evaluate/flags/declared', body })).json()
    expect(await evaluated()).not.toHaveProperty('value')
    expect(await server.admin('GET /api/client/features')).toMatchObject({
      features: expect.arrayContaining([expect.objectContaining({ name: 'declared', valueType: 'string' })]),
    })
    await admin(`POST ${E('declared')}/strategies`, rollout([variant('a', 'string', 'Hello')]))
    await admin(`DELETE ${E('declared')}/strategies/${(await admin(`GET ${E('declared')}`)).strategies[0].id}`)
    expect(await evaluated()).toMatchObject({ value: 'Hello', variant: 'a' })
  })

  test('a copy is declared as its original is', async () => {
    await server.admin(`POST ${M}/flags`, { key: 'original', type: 'float', defaultValue: 0.5 })
    await server.admin(`POST ${P}/original/clone`, { name: 'copy' })
    expect(await flagOf('copy')).toMatchObject({ type: 'float', defaultValue: 0.5 })
  })

  test('agree with what OFREP answers', async () => {
    const types = new Map((await read()).map(({ key, type }) => [key, type]))
    const { flags } = (await server.call({ as: 'client', call: 'POST /ofrep/v1/evaluate/flags', body: {} })).json()
    expect(flags.length).toBeGreaterThan(10)
    for (const { key, value } of flags) {
      if (value === undefined || key === 'typed-disagree') continue
      const type = types.get(key) ?? ''
      expect([key, typeof value]).toEqual([key, type === 'integer' || type === 'float' ? 'number' : type])
    }
  })
})

describe('permissions for the manifest', () => {
  const METHODS = {
    GET: { call: `GET ${M}` },
    POST: { call: `POST ${M}/flags`, body: { key: 'matrix-new', type: 'boolean', defaultValue: false } },
    PUT: { call: `PUT ${M}/flags/matrix`, body: { key: 'matrix', type: 'boolean', description: 'x' } },
    DELETE: { call: `DELETE ${M}/flags/matrix` },
  }
  const all = { GET: 200, POST: 201, PUT: 200, DELETE: 200 }
  const readOnly = { GET: 200, POST: 403, PUT: 403, DELETE: 403 }
  const nothing = { GET: 401, POST: 401, PUT: 401, DELETE: 401 }
  const forbidden = { GET: 403, POST: 403, PUT: 403, DELETE: 403 }

  test.each<[string, () => string | undefined, Record<string, number>, string | undefined]>([
    ['anonymous', () => undefined, nothing, undefined],
    ['a wrong token', () => '*:*.wrong', nothing, undefined],
    ['a frontend token', () => 'frontend', forbidden, undefined],
    ['a token of servers', () => 'client', readOnly, 'read'],
    ['a viewer', () => people.reader, readOnly, 'read'],
    ['a member of another project', () => people.member, readOnly, 'read'],
    ['an editor', () => people.writer, all, 'read,write,delete'],
    ['an admin token', () => 'admin', all, 'read,write,delete'],
  ])('%s', async (_who, token, expected, capabilities) => {
    for (const key of ['matrix', 'matrix-new']) {
      await server.call({ as: 'admin', call: `DELETE ${P}/${key}` })
      await server.call({ as: 'admin', call: `DELETE /api/admin/archive/${key}` })
    }
    await server.admin(`POST ${P}`, { name: 'matrix' })
    const as = token()
    for (const [method, call] of Object.entries(METHODS)) {
      const reply = await server.call({ ...call, ...(as === undefined ? {} : { as }) })
      expect([method, reply.statusCode]).toEqual([method, expected[method]])
      const told = reply.statusCode < 300 ? capabilities : undefined
      expect([method, reply.headers[CAPABILITIES]]).toEqual([method, told])
    }
  })

  test('a token of servers sees its own projects', async () => {
    await server.admin('POST /api/admin/projects/another/features', { name: 'theirs' })
    expect((await read('client')).map(({ key }) => key)).not.toContain('theirs')
    expect((await read('production')).map(({ key }) => key)).toContain('theirs')
  })

  test('a member of another project changes what is there', async () => {
    const body = { key: 'theirs', type: 'boolean', description: 'ours' }
    const reply = await server.call({ as: people.member ?? '', call: `PUT ${M}/flags/theirs`, body })
    expect(reply.statusCode).toBe(200)
  })
})

test.each([`${M}${M}`, `${M}/`, `//openfeature//v0/manifest`, M])('the manifest is at %s', async (path) => {
  const headers = { authorization: TOKENS.admin }
  const reply = await server.server.app.inject({ url: path, headers })
  expect(reply.statusCode).toBe(200)
  expect(reply.json().flags).toEqual(await read())
  const none = await server.server.app.inject({ method: 'DELETE', url: `${path}/flags/none`, headers })
  expect([none.statusCode, none.json().error.status]).toEqual([404, 404])
})

test('below a base path', async () => {
  const other = await startServer({ baseUriPath: '/base' })
  try {
    const reply = await other.call({ as: 'admin', call: `GET /base${M}` })
    expect([reply.statusCode, reply.headers[CAPABILITIES]]).toEqual([200, 'read,write,delete'])
    expect((await other.call({ call: `GET /base${M}` })).json().error.status).toBe(401)
  } finally {
    await other.close()
  }
})

test('5,000 flags come in one answer, by as many statements as one', async () => {
  const statements: string[] = []
  const many = await startServer({}, Date.now, { onQuery: (sql) => void statements.push(sql) })
  try {
    const rows = Array.from({ length: 5000 }, (_, index) => `('flag-${index}', 'default', 'release', 0, 0, 1)`)
    for (const part of splitList(rows, 500)) {
      const values = part.join(', ')
      await many.db.rows(
        `insert into features (name, project, type, stale, impression_data, created_at) values ${values}`,
      )
    }
    statements.length = 0
    const reply = await many.call({ as: 'admin', call: `GET ${M}` })
    expect(reply.json().flags).toHaveLength(5000)
    expect(reply.body.length).toBeLessThan(1_000_000)
    expect(statements.filter((sql) => /^select/i.test(sql)).length).toBeLessThan(12)
  } finally {
    await many.close()
  }
})
