import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const A = '/api/admin'
const F = `${A}/projects/default/features`
const ON = `${F}/flag/environments/development`

beforeAll(async () => {
  server = await startServer({ createUserRateLimitPerMinute: 1000 })
  await server.call({ as, call: `POST ${F}`, body: { name: 'flag' } })
})
afterAll(() => server.close())

/** Common properties of all errors. */
const body = (name: string, message: string) => ({
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  name,
  message: expect.stringContaining(message),
})

describe('errors', () => {
  const LOGIN = '/auth/simple/login'
  scenarios(() => server, [
    {
      name: 'no credentials',
      call: `GET ${A}/user`,
      status: 401,
      has: { ...body('AuthenticationRequired', LOGIN), path: LOGIN, type: 'password' },
    },
    { name: 'wrong ones', as: 'x', call: `GET ${A}/user`, status: 401, has: body('AuthenticationRequired', LOGIN) },
    {
      name: 'a right in an environment',
      as: 'viewer',
      call: `POST ${ON}/on`,
      status: 403,
      has: {
        ...body('NoAccessError', '"UPDATE_FEATURE_ENVIRONMENT" in the environment "development"'),
        permissions: ['UPDATE_FEATURE_ENVIRONMENT'],
      },
    },
    {
      name: 'a right in a project',
      as: 'viewer',
      call: `POST ${F}`,
      body: { name: 'x' },
      status: 403,
      has: { ...body('NoAccessError', '"CREATE_FEATURE"'), permissions: ['CREATE_FEATURE'] },
    },
    { name: 'an invalid path', as, call: `GET ${A}/nope`, status: 404, has: body('NotFoundError', `${A}/nope`) },
    { name: 'a flag that is none', as, call: `GET ${F}/nope`, status: 404, has: body('NotFoundError', '"nope"') },
    { name: 'no body', as, call: `POST ${F}`, status: 415, has: body('ContentTypeerror', 'application/json') },
    { name: 'no name', as, call: `POST ${F}`, body: {}, status: 400, has: body('ValidationError', '`name`') },
  ] satisfies Scenario[])
})

describe('a name in a path answers alike, short or 1,001 characters long', () => {
  const LONG = 'n'.repeat(1001)
  test.each([
    `GET ${F}/NAME`,
    `GET ${A}/projects/NAME/overview`,
    `GET ${A}/segments/NAME`,
    `GET ${A}/tags/NAME`,
    `DELETE ${A}/context/NAME`,
    'GET /api/frontend/features/NAME',
    'GET /api/client/features/NAME',
  ])('%s', async (call) => {
    for (const as of ['admin', undefined]) {
      const [short, long] = await Promise.all(
        ['nope', LONG].map(async (name) => {
          const who = as === undefined ? {} : { as }
          const reply = await server.call({ ...who, call: call.replace('NAME', name) })
          const { id: _id, ...said } = reply.json()
          return [reply.statusCode, JSON.stringify(said).replaceAll(name, 'NAME')]
        }),
      )
      expect(long).toEqual(short)
    }
  })
})

describe('below a base path', () => {
  test('a 401 names the login there', async () => {
    const moved = await startServer({ baseUriPath: '/flags' })
    try {
      for (const call of [`GET /flags${A}/user`, `OPTIONS /flags${A}/user`]) {
        const reply = await moved.call({ call })
        expect([call, reply.statusCode]).toEqual([call, 401])
        expect(reply.json()).toMatchObject({
          path: '/flags/auth/simple/login',
          message: expect.stringContaining('/flags/auth/simple/login'),
        })
      }
    } finally {
      await moved.close()
    }
  })
})

describe('several at once', () => {
  const PLACES: readonly (readonly [what: string, call: string, body: object])[] = [
    ['a flag', `POST ${F}`, { name: 'once' }],
    ['a project', `POST ${A}/projects`, { id: 'once', name: 'Once' }],
    ['an environment', `POST ${A}/environments`, { name: 'once', type: 'test' }],
    ['a context field', `POST ${A}/context`, { name: 'once' }],
    ['a segment', `POST ${A}/segments`, { name: 'once', constraints: [] }],
    ['a type of tag', `POST ${A}/tag-types`, { name: 'once' }],
    ['a tag', `POST ${A}/tags`, { type: 'simple', value: 'once' }],
    ['a type of strategy', `POST ${A}/strategies`, { name: 'once', parameters: [] }],
    ['a user', `POST ${A}/user-admin`, { username: 'once', rootRole: 3 }],
    ['an e-mail address', `POST ${A}/user-admin`, { email: 'Once@example.com', rootRole: 3 }],
  ]
  test.each(PLACES)('twelve concurrent requests for %s create one', async (_what, call, made) => {
    const last = await server.lastEventId()
    const replies = await Promise.all(Array.from({ length: 12 }, () => server.call({ as, call, body: made })))
    const statuses = replies.map((reply) => reply.statusCode).sort()
    expect(statuses).toEqual([201, ...Array(11).fill(409)])
    expect((await server.eventsAfter(last)).filter((type) => type.endsWith('-created'))).toHaveLength(1)
  })

  test('archived, revived and switched: each is done or refused, and the history ends as the flag is', async () => {
    const calls = [`DELETE ${F}/flag`, `POST ${ON}/on`, `POST ${A}/archive/revive/flag`, `POST ${ON}/off`]
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) => server.call({ as, call: calls[at % calls.length] ?? '' })),
    )
    expect(
      [...new Set(replies.map((reply) => reply.statusCode))].filter((code) => ![200, 202, 404].includes(code)),
    ).toEqual([])
    const flag = (await server.call({ as, call: `GET ${F}/flag` })).json()
    const { events } = (await server.call({ as, call: `GET ${A}/events/flag` })).json()
    const types: string[] = events.map((event: { type: string }) => event.type)
    const last = (...of: readonly string[]) => types.find((type) => of.includes(type))
    expect(flag.archived).toBe(last('feature-archived', 'feature-revived') === 'feature-archived')
    const isOn = flag.environments.find((one: { name: string }) => one.name === 'development').enabled
    expect(isOn).toBe(
      last('feature-environment-enabled', 'feature-environment-disabled') === 'feature-environment-enabled',
    )
  })

  test('a user removed while logged in: session and tokens end with it', async () => {
    const person = { username: 'leaving', password: 'a password nobody guesses', rootRole: 1 }
    const { id } = (await server.call({ as, call: `POST ${A}/user-admin`, body: person })).json()
    const { username, password } = person
    const login = await server.call({ call: 'POST /auth/simple/login', body: { username, password } })
    const headers = { cookie: String(login.headers['set-cookie']).split(';', 1)[0] ?? '' }
    const token = { description: 'mine', expiresAt: new Date(Date.now() + 86_400_000).toISOString() }
    const { secret } = (await server.call({ call: `POST ${A}/user/tokens`, body: token, headers })).json()
    const create = (name: string) => ({ call: `POST ${F}`, body: { name } })
    expect((await server.call({ ...create('by-session'), headers })).statusCode).toBe(201)
    expect((await server.call({ ...create('by-token'), as: secret })).statusCode).toBe(201)
    await server.call({ as, call: `DELETE ${A}/user-admin/${id}` })
    const last = await server.lastEventId()
    expect((await server.call({ ...create('late'), headers })).statusCode).toBe(401)
    expect((await server.call({ ...create('late'), as: secret })).statusCode).toBe(401)
    expect(await server.eventsAfter(last)).toEqual([])
  })
})
