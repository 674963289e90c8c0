import { createLogger, type LogLevel } from '@burgee/kit/log/logger'
import { describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Log lines as operators see them, written by the real logger. */
const as = 'admin'
const PASSWORD = 'a password nobody guesses'
const LOGIN = 'POST /auth/simple/login'
const admin = { username: 'admin', password: 'a good password' }

interface Line extends Record<string, unknown> {
  readonly message: string
}

interface Log {
  /** Returns the entries of the security log since the last call, without time and level. */
  readonly entries: () => Line[]
  readonly text: () => string
  readonly clock: { now: number }
}

/** Runs `work` with a server that has a separate log, in JSON unless `json` is false. */
async function withLog(given: object, work: (server: TestServer, log: Log) => Promise<void>, json = true) {
  let lines: string[] = []
  const all: string[] = []
  const clock = { now: 1_800_000_000_000 }
  const write = (line: string) => {
    lines.push(line)
    all.push(line)
  }
  const { logLevel = 'warn' } = given as { logLevel?: LogLevel }
  const options = { json, secrets: () => [], write, clock: () => clock.now }
  const server = await startServer({ simpleLoginLimitPerMinute: 1000, ...given }, () => clock.now, {
    logger: createLogger({ ...options, level: logLevel }),
    securityLogger: createLogger({ ...options, level: 'info' }),
  })
  const entries = () => {
    const taken = lines.map((line) => JSON.parse(line)).filter((line) => line.category === 'security')
    lines = []
    return taken.map(({ time: _time, args: _args, level: _level, ...entry }) => entry)
  }
  try {
    await work(server, { entries, text: () => all.join(''), clock })
  } finally {
    await server.close()
  }
}

const from = { actor: 'admin', actorId: -42, address: '127.0.0.1' }
const nobody = { actor: null, actorId: null, address: '127.0.0.1' }
const entry = (event: string, more: object) => ({ message: `security ${event}`, category: 'security', event, ...more })
const login = { method: 'POST', route: '/auth/simple/login' }
const refused = (status: number, reason: string, more: object) =>
  entry('refused', { result: 'refused', status, reason, ...more })

test('reads of the admin UI before login are no refusals; whatever shows credentials, or is no such read, is one', () =>
  withLog({}, async (server, log) => {
    const me = 'GET /api/admin/user'
    const browser = { 'sec-fetch-site': 'same-origin' }
    const statuses = []
    for (const headers of [
      browser,
      {},
      { 'sec-fetch-site': 'cross-site' },
      { ...browser, authorization: 'user:invented' },
      { ...browser, cookie: 'burgee-session=invented' },
    ]) {
      statuses.push((await server.call({ call: me, headers })).statusCode)
    }
    statuses.push((await server.call({ call: 'POST /api/admin/projects', headers: browser, body: {} })).statusCode)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401])
    expect(log.entries().map(({ event, route }) => `${event} ${route}`)).toEqual([
      ...Array.from({ length: 4 }, () => 'refused /api/admin/user'),
      'refused /api/admin/projects',
    ])
  }))

test('reads of the admin UI over plain HTTP before login, which name the page alone, are no refusals', () =>
  withLog({}, async (server, log) => {
    for (const referer of ['http://localhost/', 'http://evil.example/']) {
      const reply = await server.call({ call: 'GET /api/admin/user', headers: { referer } })
      expect(reply.statusCode).toBe(401)
    }
    expect(log.entries()).toHaveLength(1)
  }))

test('reads of the admin UI before the first password is changed are no refusals; changes, and reads of others, are', () =>
  withLog({}, async (server, log) => {
    await server.db.rows("update users set must_change_password = 1 where username = 'editor'")
    const browser = { 'sec-fetch-site': 'same-origin' }
    const calls: readonly [call: string, headers: Readonly<Record<string, string>>, told: boolean][] = [
      ['GET /api/admin/search/features', browser, false],
      ['GET /api/admin/environments', browser, false],
      ['GET /api/admin/environments', {}, true],
      ['GET /api/admin/environments', { 'sec-fetch-site': 'cross-site' }, true],
      ['POST /api/admin/projects/default/features/f/environments/development/on', browser, true],
    ]
    for (const [call, headers, told] of calls) {
      const reply = await server.call({ as: 'editor', call, headers })
      expect([call, reply.statusCode, reply.json().passwordChangeRequired]).toEqual([call, 403, true])
      expect([call, log.entries().length]).toEqual([call, told ? 1 : 0])
    }
  }))

test('disabling and enabling change requests is logged with the approvals before and after', () =>
  withLog({}, async (server, log) => {
    const config = '/api/admin/projects/default/environments/production/change-requests/config'
    const put = (changeRequestsEnabled: boolean) =>
      server.admin(`PUT ${config}`, { changeRequestsEnabled, requiredApprovals: 2 })
    await put(true)
    log.entries()
    await put(false)
    await put(true)
    const place = { project: 'default', environment: 'production', result: 'success' }
    expect(log.entries()).toMatchObject([
      { event: 'change-requests-changed', ...from, ...place, approvals: 'off', approvalsBefore: '2' },
      { event: 'change-requests-changed', ...from, ...place, approvals: '2', approvalsBefore: 'off' },
    ])
  }))

describe('logins', () => {
  test('log the actor, the address and the result', () =>
    withLog({}, async (server, log) => {
      await server.call({ call: LOGIN, body: admin })
      const person = { actor: 'admin', actorId: 1, address: '127.0.0.1' }
      expect(log.entries()).toEqual([entry('login', { result: 'success', status: 200, ...person, ...login })])
      await server.call({ call: LOGIN, body: { ...admin, password: 'wrong' } })
      const failed = { result: 'refused', status: 401, reason: 'PasswordMismatch' }
      expect(log.entries()).toEqual([entry('login-failed', { ...failed, ...person, ...login })])
      await server.call({ call: LOGIN, body: { username: 'my password by mistake', password: 'x' } })
      expect(log.entries()).toEqual([entry('login-failed', { ...failed, ...nobody, ...login })])
    }))

  test('beyond the limit of an account are logged with the trusted address', () =>
    withLog({ simpleLoginLimitPerMinute: 1, trustProxy: true }, async (server, log) => {
      const headers = { 'x-forwarded-for': '192.0.2.7' }
      await server.call({ call: LOGIN, body: admin, headers })
      await server.call({ call: LOGIN, body: admin, headers })
      expect(log.entries().at(-1)).toEqual(
        entry('login-failed', {
          result: 'refused',
          status: 429,
          reason: 'RateLimitError',
          ...login,
          actor: null,
          actorId: null,
          address: '192.0.2.7',
        }),
      )
    }))
})

describe('attempts to get around a control', () => {
  test('over a rate limit are logged, before and after the login', () =>
    withLog({ simpleLoginLimitPerMinute: 2 }, async (server, log) => {
      const wrong = { oldPassword: 'wrong', password: PASSWORD }
      const change = { as: 'viewer', call: 'POST /api/admin/user/change-password', body: wrong }
      for (let count = 0; count < 2; count += 1) await server.call(change)
      log.entries()
      expect((await server.call(change)).statusCode).toBe(429)
      const viewer = { actor: 'viewer', actorId: expect.any(Number), address: '127.0.0.1' }
      const limited = { result: 'refused', status: 429, reason: 'RateLimitError' }
      const route = '/api/admin/user/change-password'
      expect(log.entries()).toEqual([entry('limited', { ...limited, ...viewer, method: 'POST', route })])
      // the limit of an address is ten times the limit of an account
      for (let count = 0; count < 20; count += 1) {
        await server.call({ call: LOGIN, body: { username: `name ${count}`, password: 'x' } })
      }
      log.entries()
      expect((await server.call({ call: LOGIN, body: admin })).statusCode).toBe(429)
      expect(log.entries()).toEqual([entry('limited', { ...limited, ...nobody, ...login })])
    }))

  test.each<[string, object, number, string]>([
    ['of a body', { body: { name: [] } }, 400, 'ValidationError'],
    ['that is not JSON', { raw: '{"secret-of-mine' }, 400, 'syntax'],
    ['of another type', { raw: 'a', headers: { 'content-type': 'text/html' } }, 415, 'media-type'],
    ['that is too large', { body: { name: 'a'.repeat(200_000) } }, 413, 'too-large'],
    ['that a change rejects', { body: { name: 'not a good name' } }, 400, 'ValidationError'],
  ])('by input %s are logged without the input', (_name, sent, status, reason) =>
    withLog({}, async (server, log) => {
      const reply = await server.call({ as, call: 'POST /api/admin/projects/default/features', ...sent })
      expect(reply.statusCode).toBe(status)
      const route = '/api/admin/projects/:projectId/features'
      const from = { actor: 'admin', actorId: -42, address: '127.0.0.1', token: expect.any(String) }
      const rejected = { result: 'refused', status, reason, method: 'POST', route, ...from }
      expect(log.entries()).toEqual([entry('rejected', rejected)])
      expect(log.text()).not.toMatch(/secret-of-mine|not a good name|aaaa/)
    }),
  )
})

describe('refusals', () => {
  const A = '/api/admin'
  const viewer = { actor: 'viewer', actorId: 3, address: '127.0.0.1' }
  const sdk = { actor: 'admin', actorId: null, address: '127.0.0.1', token: expect.any(String) }
  test.each([
    [
      'of nobody',
      { call: `GET ${A}/projects?token=geheim` },
      'GET',
      '/api/admin/projects',
      401,
      'AuthenticationRequired',
      nobody,
    ],
    [
      'of an unknown token',
      { as: '*:*.geheim', call: `GET ${A}/projects` },
      'GET',
      '/api/admin/projects',
      401,
      'AuthenticationRequired',
      nobody,
    ],
    [
      'of a person without the right',
      { as: 'viewer', call: `DELETE ${A}/api-tokens/geheim` },
      ...(['DELETE', '/api/admin/api-tokens/:token', 403, 'NoAccessError'] as const),
      { ...viewer, needs: 'DELETE_CLIENT_API_TOKEN' },
    ],
    [
      'of a right that is looked at within',
      { as: 'editor', call: `POST ${A}/segments`, body: { name: 's', constraints: [], project: 'p3' } },
      ...([
        'POST',
        '/api/admin/segments',
        403,
        'NoAccessError',
        { actor: 'editor', actorId: 2, address: '127.0.0.1', needs: 'UPDATE_PROJECT_SEGMENT in p3' },
      ] as const),
    ],
    [
      'of a right in an environment',
      { as: 'viewer', call: `POST ${A}/projects/p3/features/f/environments/production/on` },
      ...([
        'POST',
        '/api/admin/projects/:projectId/features/:featureName/environments/:environment/on',
        403,
        'NoAccessError',
        { ...viewer, needs: 'UPDATE_FEATURE_ENVIRONMENT in production of p3' },
      ] as const),
    ],
    [
      'of a token of another type',
      { as: 'client', call: `GET ${A}/projects` },
      'GET',
      '/api/admin/projects',
      403,
      'NoAccessError',
      sdk,
    ],
    [
      'of an SDK',
      { as: '*:development.geheim', call: 'GET /api/client/features' },
      'GET',
      '/api/client/features',
      401,
      'AuthenticationRequired',
      nobody,
    ],
    ['of a front end', { as: 'client', call: 'GET /api/frontend' }, 'GET', '/api/frontend', 403, 'NoAccessError', sdk],
    [
      'of a link that does not work',
      { call: 'POST /auth/reset/password', body: { token: 'geheim', password: PASSWORD } },
      ...(['POST', '/auth/reset/password', 401, 'InvalidTokenError', nobody] as const),
    ],
  ])('%s', (_name, call, method, route, status, reason, who) =>
    withLog({ baseUriPath: '/base' }, async (server, log) => {
      await server.admin('POST /base/api/admin/projects', { id: 'p3', name: 'p3' })
      const [verb = '', path = ''] = call.call.split(' ')
      const reply = await server.call({ ...call, call: `${verb} /base${path}` })
      expect(reply.statusCode).toBe(status)
      const found = log.entries().filter(({ event }) => event === 'refused')
      expect(found).toEqual([refused(status, reason, { ...who, method, route })])
      expect(log.text()).not.toContain('geheim')
    }),
  )

  test('include no other errors', () =>
    withLog({}, async (server, log) => {
      await server.call({ as, call: `GET ${A}/projects` })
      await server.call({ as, call: `GET ${A}/projects/nope` })
      await server.call({ as, call: `POST ${A}/projects`, body: {} })
      await server.call({ as: 'client', call: 'GET /api/client/features' })
      await server.call({ as, call: `POST ${A}/projects/default/features`, body: { name: 'f' } })
      expect(log.entries().filter(({ event }) => event === 'refused')).toEqual([])
    }))
})

describe('changes of access', () => {
  const T = '/api/admin/api-tokens'
  const U = '/api/admin/user-admin'
  const P = '/api/admin/projects/default/users'
  const done = (event: string, call: string, more: object, who: object = from) => {
    const [method, route] = call.split(' ')
    return entry(event, { result: 'success', ...who, method, route, ...more })
  }

  test('tokens: made, changed, removed; which one, never its secret', () =>
    withLog({}, async (server, log) => {
      const body = { type: 'client', tokenName: 'sdk', environment: 'development', projects: ['default'] }
      const { id, secret } = await server.admin(`POST ${T}`, body)
      await server.admin(`PUT ${T}/${id}`, { expiresAt: '2999-01-01T00:00:00Z' })
      await server.admin(`DELETE ${T}/${secret}`)
      const token = { token: id, tokenName: 'sdk', type: 'client', environment: 'development', projects: 'default' }
      expect(log.entries()).toEqual([
        done('token-created', `POST ${T}`, token),
        done('token-updated', `PUT ${T}/:token`, token),
        done('token-deleted', `DELETE ${T}/:token`, token),
      ])
      expect(log.text()).not.toContain(secret.split('.')[1])
    }))

  test('personal tokens', () =>
    withLog({}, async (server, log) => {
      const call = '/api/admin/user/tokens'
      const body = { description: 'mine', expiresAt: new Date(log.clock.now + 1000).toISOString() }
      const made = (await server.call({ as: 'editor', call: `POST ${call}`, body })).json()
      await server.call({ as: 'editor', call: `DELETE ${call}/${made.id}` })
      const token = { token: made.id, tokenName: 'mine', type: 'personal', subjectId: 2 }
      const who = { actor: 'editor', actorId: 2, address: '127.0.0.1' }
      expect(log.entries()).toEqual([
        done('token-created', `POST ${call}`, token, who),
        done('token-deleted', `DELETE ${call}/:id`, token, who),
      ])
    }))

  test('users and their roles', () =>
    withLog({}, async (server, log) => {
      const { id } = await server.admin(`POST ${U}`, { username: 'ann', rootRole: 3, password: PASSWORD })
      const ann = { subject: 'ann', subjectId: id }
      await server.admin(`PUT ${U}/${id}`, { name: 'Ann' })
      await server.admin(`PUT ${U}/${id}`, { rootRole: 1 })
      await server.admin(`PUT ${P}/${id}/roles`, { roles: [5] })
      await server.admin(`DELETE ${P}/${id}/roles`)
      await server.admin(`POST ${U}/${id}/change-password`, { password: `${PASSWORD}!` })
      await server.admin(`POST ${U}/reset-password`, { id: 'ann' })
      await server.admin(`DELETE ${U}/${id}`)
      const member = { subjectId: id, project: 'default' }
      const roles = '/api/admin/projects/:projectId/users/:userId/roles'
      expect(log.entries()).toEqual([
        done('user-created', `POST ${U}`, { ...ann, role: 'Viewer' }),
        done('role-changed', `PUT ${U}/:userId`, { ...ann, role: 'Admin', roleBefore: 'Viewer' }),
        done('role-changed', `PUT ${roles}`, { ...member, role: 'Member', roleBefore: '' }),
        done('role-changed', `DELETE ${roles}`, { ...member, role: '', roleBefore: 'Member' }),
        done('password-changed', `POST ${U}/:userId/change-password`, ann),
        done('reset-link-made', `POST ${U}/reset-password`, ann),
        done('user-deleted', `DELETE ${U}/:userId`, { ...ann, role: 'Admin' }),
      ])
    }))

  test('a password that a link sets names its person and the route', () =>
    withLog({}, async (server, log) => {
      const { id } = await server.admin(`POST ${U}`, { username: 'ann', rootRole: 3 })
      const { resetPasswordUrl } = await server.admin(`POST ${U}/reset-password`, { id: 'ann' })
      log.entries()
      const token = new URL(resetPasswordUrl).searchParams.get('token')
      await server.call({ call: 'POST /auth/reset/password', body: { token, password: PASSWORD } })
      const ann = { actor: 'ann', actorId: id, address: '127.0.0.1' }
      const subject = { subject: 'ann', subjectId: id }
      expect(log.entries()).toEqual([done('password-changed', 'POST /auth/reset/password', subject, ann)])
    }))
})

describe('a flood', () => {
  const guess = (server: TestServer) => server.call({ as: '*:*.guess', call: 'GET /api/admin/projects' })

  test('logs one kind sixty times a minute and then the number suppressed, while other kinds are logged', () =>
    withLog({}, async (server, log) => {
      for (let count = 0; count < 100; count += 1) await guess(server)
      expect(log.entries()).toHaveLength(60)
      await server.call({ call: LOGIN, body: admin })
      expect(log.entries().map(({ event }) => event)).toEqual(['login'])
      log.clock.now += 60_000
      await guess(server)
      expect(log.entries()).toEqual([
        entry('suppressed', { of: 'refused', count: 40 }),
        expect.objectContaining({ event: 'refused' }),
      ])
    }))

  test('ends with its summary when the server stops', () =>
    withLog({}, async (server, log) => {
      for (let count = 0; count < 70; count += 1) await guess(server)
      await server.server.close()
      expect(log.entries().at(-1)).toEqual(entry('suppressed', { of: 'refused', count: 10 }))
    }))
})

describe('the text form', () => {
  test('writes names and values on one line that users cannot forge', () =>
    withLog(
      {},
      async (server, log) => {
        const username = 'ann" result=success INFO: security login'
        await server.admin('POST /api/admin/user-admin', { username, rootRole: 3, password: PASSWORD })
        await server.call({ call: LOGIN, body: { username, password: 'x' } })
        const lines = log.text().trimEnd().split('\n')
        expect(lines.filter((line) => !/^\S+ WARN: INIT_/.test(line))).toEqual([
          expect.stringMatching(
            /^\S+ INFO: security user-created category=security event=user-created result=success actor=admin actorId=-42 address=127\.0\.0\.1 method=POST route=\/api\/admin\/user-admin subject="ann\\" result=success INFO: security login" subjectId=4 role=Viewer$/,
          ),
          expect.stringMatching(
            /^\S+ INFO: security login-failed .*actor="ann\\" result=success INFO: security login" actorId=4 /,
          ),
        ])
      },
      false,
    ))

  test('does not depend on the log level, only on the option that disables it', async () => {
    await withLog({ logLevel: 'fatal' }, async (server, log) => {
      await server.call({ call: LOGIN, body: admin })
      expect(log.entries()).toHaveLength(1)
    })
    await withLog({ securityLog: false, logLevel: 'debug' }, async (server, log) => {
      await server.call({ call: LOGIN, body: admin })
      await server.call({ call: 'GET /api/admin/projects' })
      expect(log.entries()).toEqual([])
    })
  })
})
