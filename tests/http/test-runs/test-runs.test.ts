import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../support/wait.ts'
import { scenarios, startServer, type TestServer } from '../scenario.ts'
import { openFlagStream } from '../sdk/streams/flag-stream.ts'

const RUNS = '/api/admin/projects/default/test-runs'
const FLAGS = '/api/admin/projects/default/features'
const UNKNOWN = '0'.repeat(24)
const MINUTE_MS = 60_000
let now = Date.parse('2030-01-01T00:00:00Z')
let server: TestServer
let url: string

beforeAll(async () => {
  server = await startServer({}, () => now)
  ;({ url } = await server.server.listen())
  for (const name of ['off', 'on', 'with-variant', 'untouched']) {
    await server.admin(`POST ${FLAGS}`, { name, impressionData: true })
    await server.admin(`POST ${FLAGS}/${name}/environments/development/strategies`, {
      name: 'default',
      constraints: [{ contextName: 'environment', operator: 'IN', values: ['development'] }],
      ...(name === 'with-variant' ? { variants: [variant('a', 1000), variant('b', 0)] } : {}),
    })
    if (name !== 'off') await server.admin(`POST ${FLAGS}/${name}/environments/development/on`)
  }
  await server.admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
  await server.admin('POST /api/admin/projects/other/features', { name: 'theirs' })
})
afterAll(() => server.close())

const variant = (name: string, weight: number) => ({
  name,
  weight,
  weightType: weight === 0 ? 'fix' : 'variable',
  stickiness: 'default',
  payload: { type: 'string', value: `payload of ${name}` },
})
const start = (overrides: object = {}, more: object = {}) =>
  server.admin(`POST ${RUNS}`, { environment: 'development', overrides, ...more })
const patch = (id: string, overrides: object) => server.admin(`PATCH ${RUNS}/${id}`, { overrides })
const get = (token: string, path: string, headers = {}) => server.call({ as: token, call: `GET ${path}`, headers })
/** Reads the definitions of flags that a client token downloads. */
const download = async (token: string) => {
  const { features } = (await get(token, '/api/client/features')).json()
  return new Map<string, { enabled: boolean; variants?: object[] }>(
    features.map((feature: { name: string }) => [feature.name, feature]),
  )
}
/** Reads the names of the flags that are on for a frontend token. */
const listOn = async (token: string, path = '/api/frontend') =>
  (await get(token, path)).json().toggles.map(({ name }: { name: string }) => name)

describe('who may run tests', () => {
  const body = { environment: 'development' }
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: `POST ${RUNS}`, body, status: 401 },
      { name: 'a client token', as: 'client', call: `POST ${RUNS}`, body, status: 403 },
      { name: 'a viewer', as: 'viewer', call: `POST ${RUNS}`, body, status: 403, text: 'MANAGE_TEST_RUNS' },
      {
        name: 'a viewer, change',
        as: 'viewer',
        call: `PATCH ${RUNS}/${UNKNOWN}`,
        body: { overrides: {} },
        status: 403,
      },
      { name: 'a viewer, end', as: 'viewer', call: `DELETE ${RUNS}/${UNKNOWN}`, status: 403 },
      { name: 'an editor', as: 'editor', call: `POST ${RUNS}`, body, status: 201, events: ['test-run-created'] },
      {
        name: 'an editor in another project',
        as: 'editor',
        call: 'POST /api/admin/projects/other/test-runs',
        body,
        status: 403,
      },
      { name: 'a viewer, list', as: 'viewer', call: `GET ${RUNS}`, status: 403 },
    ],
  )

  test('a role can limit test runs to an environment', async () => {
    const permissions = [{ name: 'MANAGE_TEST_RUNS', environment: 'development' }]
    const role = { name: 'Tester', type: 'custom', permissions }
    const { roles } = await server.admin('POST /api/admin/roles', role)
    const viewer = await server.db.row("select id from users where username = 'viewer'")
    const users = `/api/admin/projects/default/users/${viewer?.id}/roles`
    await server.admin(`PUT ${users}`, { roles: [roles.id] })
    const inProduction = await server.admin(`POST ${RUNS}`, { environment: 'production' })
    const inDevelopment = await server.admin(`POST ${RUNS}`, { environment: 'development' })
    const call = async (call: string, body?: object) =>
      (await server.call({ as: 'viewer', call, ...(body === undefined ? {} : { body }) })).statusCode
    expect(await call(`POST ${RUNS}`, { environment: 'production' })).toBe(403)
    expect(await call(`PATCH ${RUNS}/${inProduction.id}`, { overrides: {} })).toBe(403)
    expect(await call(`DELETE ${RUNS}/${inProduction.id}`)).toBe(403)
    expect(await call(`POST ${RUNS}`, { environment: 'development' })).toBe(201)
    expect(await call(`PATCH ${RUNS}/${inDevelopment.id}`, { overrides: {} })).toBe(200)
    const { testRuns } = (await server.call({ as: 'viewer', call: `GET ${RUNS}` })).json()
    expect(testRuns.every((run: { environment: string }) => run.environment === 'development')).toBe(true)
    expect(testRuns.map(({ id }: { id: string }) => id)).toContain(inDevelopment.id)
    expect(await call(`DELETE ${RUNS}/${inDevelopment.id}`)).toBe(200)
    await server.admin(`DELETE ${users}`)
  })
})

describe('input', () => {
  const bad = (name: string, body: object, text: string, status = 400) =>
    ({ name, as: 'admin', call: `POST ${RUNS}`, body, status, text, events: [] }) as const
  const environment = 'development'
  scenarios(
    () => server,
    [
      bad('without an environment', {}, 'environment'),
      bad('of an unknown environment', { environment: 'nowhere' }, 'body/environment'),
      bad('with an unknown flag', { environment, overrides: { none: true } }, 'body/overrides/none'),
      bad('with a flag of another project', { environment, overrides: { theirs: true } }, 'body/overrides/theirs'),
      bad('with an unknown variant', { environment, overrides: { on: { variant: 'z' } } }, 'body/overrides/on'),
      bad('with another state', { environment, overrides: { on: 'yes' } }, 'overrides'),
      bad('with unknown properties', { environment, override: { on: true } }, 'override'),
      bad('for no time', { environment, minutes: 0 }, 'minutes'),
      bad('for more than two hours', { environment, minutes: 121 }, 'minutes'),
      bad(
        'with too many overrides',
        { environment, overrides: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}`, true])) },
        'overrides',
      ),
      {
        name: 'of an unknown project',
        as: 'admin',
        call: 'POST /api/admin/projects/none/test-runs',
        body: { environment },
        status: 404,
      },
      {
        name: 'change of an unknown run',
        as: 'admin',
        call: `PATCH ${RUNS}/${UNKNOWN}`,
        body: { overrides: {} },
        status: 404,
      },
      { name: 'end of an unknown run', as: 'admin', call: `DELETE ${RUNS}/${UNKNOWN}`, status: 404 },
    ],
  )

  test('a run belongs to its project', async () => {
    const { id } = await start()
    const other = '/api/admin/projects/other/test-runs'
    expect((await server.call({ as: 'admin', call: `DELETE ${other}/${id}` })).statusCode).toBe(404)
    const change = { as: 'admin', call: `PATCH ${other}/${id}`, body: { overrides: {} } } as const
    expect((await server.call(change)).statusCode).toBe(404)
    expect(await server.admin(`GET ${other}`)).toEqual({ testRuns: [] })
  })

  test.each([
    ['names of built-in properties', '{"environment":"development","overrides":{"__proto__":true}}'],
    ['a constructor', '{"environment":"development","overrides":{"constructor":{"variant":"toString"}}}'],
    ['an environment of another run', `{"environment":"development!${UNKNOWN}"}`],
    ['a list', '[{"environment":"development"}]'],
    ['deep nesting', `{"environment":"development","overrides":${'{"on":'.repeat(500)}true${'}'.repeat(500)}}`],
    ['a long name', `{"environment":"development","name":"${'n'.repeat(101)}"}`],
    ['a variant with more properties', '{"environment":"development","overrides":{"on":{"variant":"a","payload":1}}}'],
  ])('rejects a hostile body: %s', async (_what, raw) => {
    const last = await server.lastEventId()
    const reply = await server.call({ as: 'admin', call: `POST ${RUNS}`, raw })
    expect([reply.statusCode, reply.body]).toEqual([400, expect.any(String)])
    expect(await server.eventsAfter(last)).toEqual([])
    expect(Object.hasOwn(Object.prototype, 'variant')).toBe(false)
  })
})

describe('the tokens of a run', () => {
  test('download the flags of the project with the overrides, and change them for no one else', async () => {
    const before = await download('client')
    const { clientToken } = await start({ off: true, on: false, 'with-variant': { variant: 'b' } })
    const flags = await download(clientToken)
    expect(flags.get('off')).toMatchObject({ enabled: true, strategies: [{ name: 'default', constraints: [] }] })
    expect(flags.get('on')).toMatchObject({ enabled: false })
    expect(flags.get('with-variant')?.variants).toMatchObject([{ name: 'b', payload: { value: 'payload of b' } }])
    expect(flags.get('untouched')).toEqual(before.get('untouched'))
    expect(await download('client')).toEqual(before)
    expect([...flags.keys()].sort()).toEqual(['off', 'on', 'untouched', 'with-variant'])
  })

  test('evaluate the overrides at the frontend API, the proxy routes and OFREP', async () => {
    const { frontendToken, clientToken } = await start({ off: true, on: false, 'with-variant': { variant: 'b' } })
    const on = ['off', 'untouched', 'with-variant']
    // the constraint on the environment holds, because the run has the environment that it overrides
    expect(await listOn(frontendToken)).toEqual(on)
    expect(await listOn(frontendToken, '/api/proxy')).toEqual(on)
    const call = 'POST /ofrep/v1/evaluate/flags/with-variant'
    const body = { context: { targetingKey: 'u' } }
    for (const as of [frontendToken, clientToken]) {
      expect((await server.call({ as, call, body })).json()).toMatchObject({ value: 'payload of b', variant: 'b' })
    }
    expect(await listOn('frontend')).toEqual(['on', 'untouched', 'with-variant'])
  })

  test('have their type, and open no admin API', async () => {
    const { clientToken, frontendToken } = await start()
    expect((await get(frontendToken, '/api/client/features')).statusCode).toBe(403)
    expect((await get(clientToken, '/api/frontend')).statusCode).toBe(403)
    expect((await get(clientToken, '/api/admin/projects')).statusCode).toBe(403)
    expect((await get(`${clientToken}0`, '/api/client/features')).statusCode).toBe(401)
  })

  test('open edges, with an environment of their own', async () => {
    const { id, clientToken, frontendToken } = await start()
    const { tokens } = (
      await server.call({ call: 'POST /edge/validate', body: { tokens: [clientToken, frontendToken] } })
    ).json()
    const scope = { projects: ['default'], environment: `development!${id}` }
    expect(tokens).toEqual([
      { token: clientToken, type: 'client', ...scope },
      { token: frontendToken, type: 'frontend', ...scope },
    ])
  })

  test('appear in the list of runs only as its state, newest first', async () => {
    now += 1
    const first = await start({ on: false }, { name: 'checkout' })
    now += 1
    const second = await start()
    const { testRuns } = await server.admin(`GET ${RUNS}`)
    const { clientToken, frontendToken, ...state } = first
    expect(state).toMatchObject({ name: 'checkout', version: 1, createdBy: expect.any(String) })
    expect(testRuns.slice(0, 2)).toEqual([expect.objectContaining({ id: second.id }), state])
    expect(JSON.stringify(testRuns)).not.toContain(clientToken.slice(-20))
    expect(JSON.stringify(testRuns)).not.toContain(frontendToken.slice(-20))
  })

  test('work in an environment whose name contains a dot', async () => {
    await server.admin('POST /api/admin/environments', { name: 'test.eu', type: 'test' })
    await server.admin('POST /api/admin/projects/default/environments', { environment: 'test.eu' })
    const { clientToken } = await server.admin(`POST ${RUNS}`, { environment: 'test.eu', overrides: { off: true } })
    expect((await download(clientToken)).get('off')).toMatchObject({ enabled: true })
  })

  test('have the usual state of a flag whose override is null', async () => {
    const { overrides, clientToken } = await start({ on: null, off: true })
    expect(overrides).toEqual({ off: true })
    expect((await download(clientToken)).get('on')).toMatchObject({ enabled: true })
  })

  test('follow changes of other flags', async () => {
    const { clientToken } = await start({ on: false })
    await download(clientToken)
    await server.admin(`POST ${FLAGS}`, { name: 'late' })
    expect((await download(clientToken)).has('late')).toBe(true)
    await server.admin(`DELETE ${FLAGS}/late`)
    expect((await download(clientToken)).has('late')).toBe(false)
  })

  test('send reports that are accepted but not counted', async () => {
    const { clientToken } = await start()
    const stamp = new Date(now).toISOString()
    const body = { appName: 'tested-app', bucket: { start: stamp, stop: stamp, toggles: { on: { yes: 3, no: 0 } } } }
    for (const call of ['POST /api/client/metrics', 'POST /api/client/register']) {
      const about = { appName: 'tested-app', interval: 10, started: stamp, strategies: [] }
      expect((await server.call({ as: clientToken, call, body: { ...about, ...body } })).statusCode).toBe(202)
    }
    await server.server.flush()
    expect((await server.admin('GET /api/admin/metrics/applications')).applications).toEqual([])
    expect(
      await server.db.rows("select 1 from client_metrics_env where environment like '%!%'").catch(() => []),
    ).toEqual([])
  })
})

describe('a change during a run', () => {
  test('sets and removes overrides, keeps the others, and writes one event', async () => {
    const { id, clientToken } = await start({ off: true, on: false })
    const last = await server.lastEventId()
    expect(await patch(id, { on: null, untouched: false })).toMatchObject({
      id,
      environment: 'development',
      overrides: { off: true, untouched: false },
    })
    const flags = await download(clientToken)
    expect([...flags].map(([name, { enabled }]) => [name, enabled]).sort()).toEqual([
      ['off', true],
      ['on', true],
      ['untouched', false],
      ['with-variant', true],
    ])
    expect(await server.eventsAfter(last)).toEqual(['test-run-updated'])
    // a change without effect writes no event
    await patch(id, { on: null, untouched: false })
    expect(await server.eventsAfter(last)).toEqual(['test-run-updated'])
    const call = `PATCH ${RUNS}/${id}`
    const reply = await server.call({ as: 'admin', call, body: { overrides: { none: true } } })
    expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining('body/overrides/none')])
  })

  test('changes the ETag of downloads, deltas and pages', async () => {
    const { id, clientToken, frontendToken } = await start({ on: false })
    for (const [token, path] of [
      [clientToken, '/api/client/features'],
      [clientToken, '/api/client/delta'],
      [frontendToken, '/api/frontend'],
    ] as const) {
      const { etag } = (await get(token, path)).headers
      const again = { 'if-none-match': String(etag) }
      expect((await get(token, path, again)).statusCode).toBe(304)
      await patch(id, { off: path !== '/api/client/delta' })
      const changed = await get(token, path, again)
      expect([path, changed.statusCode]).toEqual([path, 200])
      // SDKs that poll deltas get the full state after a change of the run
      if (path === '/api/client/delta') expect(changed.json().events).toMatchObject([{ type: 'hydration' }])
    }
  })

  test('leaves changes of the environment to deltas', async () => {
    const { clientToken } = await start({ on: false })
    const { etag } = (await get(clientToken, '/api/client/delta')).headers
    await server.admin(`POST ${FLAGS}`, { name: 'in-a-delta' })
    const changed = await get(clientToken, '/api/client/delta', { 'if-none-match': String(etag) })
    expect(changed.json().events).toMatchObject([{ type: 'feature-updated', feature: { name: 'in-a-delta' } }])
  })

  test('gets a 409 if it names another version', async () => {
    const { id, version } = await start()
    const change = (of: number, overrides: object) =>
      server.call({ as: 'admin', call: `PATCH ${RUNS}/${id}`, body: { overrides, version: of } })
    const replies = await Promise.all([change(version, { on: false }), change(version, { off: true })])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const { version: second } = await patch(id, {})
    expect(second).toBe(version + 1)
    expect((await change(second, { untouched: false })).statusCode).toBe(200)
  })

  test('reaches the streams of the run as one message with one flag, and no other stream', async () => {
    const { id, clientToken } = await start({ on: false })
    const other = await start({ on: false })
    const own = await openFlagStream(url, clientToken, {})
    const others = await openFlagStream(url, other.clientToken, {})
    const isOn = (stream: typeof own) => stream.holding().features.get('on')?.enabled
    await until(() => isOn(own) === false && isOn(others) === false)
    await patch(id, { on: true })
    await until(() => isOn(own) === true)
    const [, update, ...more] = own.events
    expect(JSON.parse(String(update?.data)).events).toMatchObject([
      { type: 'feature-updated', feature: { name: 'on' } },
    ])
    await patch(id, { on: false })
    await until(() => isOn(own) === false)
    expect([more, own.events.length, others.events.length]).toEqual([[], 3, 1])
    own.close()
    others.close()
  })

  test('never loses one of two changes at the same time', async () => {
    const { id } = await start()
    await Promise.all([patch(id, { on: false }), patch(id, { off: true })])
    expect((await patch(id, {})).overrides).toEqual({ on: false, off: true })
  })
})

describe('the end of a run', () => {
  test('rejects its tokens and closes its streams at once', async () => {
    const { id, clientToken } = await start()
    const stream = await openFlagStream(url, clientToken, {})
    await until(() => stream.events.length > 0)
    expect((await server.call({ as: 'admin', call: `DELETE ${RUNS}/${id}` })).statusCode).toBe(200)
    await stream.ended
    expect((await get(clientToken, '/api/client/features')).statusCode).toBe(401)
    expect((await server.call({ as: 'admin', call: `DELETE ${RUNS}/${id}` })).statusCode).toBe(404)
  })

  test('comes after its minutes', async () => {
    const { clientToken, expiresAt } = await start({}, { minutes: 2 })
    expect(expiresAt).toBe(new Date(now + 2 * MINUTE_MS).toISOString())
    now += 2 * MINUTE_MS - 1
    expect((await get(clientToken, '/api/client/features')).statusCode).toBe(200)
    now += 1
    expect((await get(clientToken, '/api/client/features')).statusCode).toBe(401)
  })

  test.each([
    ['its project is archived', 'POST /api/admin/projects/archive/short', 'POST /api/admin/projects/revive/short'],
    ['its environment leaves the project', 'DELETE /api/admin/projects/short/environments/development', undefined],
  ])('comes when %s, and closes its streams', async (_when, ending, revival) => {
    await server.admin('POST /api/admin/projects', { id: 'short', name: 'Short' })
    const runs = 'POST /api/admin/projects/short/test-runs'
    const { clientToken } = await server.admin(runs, { environment: 'development' })
    const stream = await openFlagStream(url, clientToken, {})
    await until(() => stream.events.length > 0)
    await server.admin(ending)
    await stream.ended
    expect((await get(clientToken, '/api/client/features')).statusCode).toBe(401)
    if (revival !== undefined) await server.admin(revival)
    expect((await get(clientToken, '/api/client/features')).statusCode).toBe(401)
    await server.admin('DELETE /api/admin/projects/short')
  })

  test('comes with the end of its project', async () => {
    await server.admin('POST /api/admin/projects', { id: 'short', name: 'Short' })
    const { clientToken } = await server.admin('POST /api/admin/projects/short/test-runs', {
      environment: 'development',
    })
    expect((await get(clientToken, '/api/client/features')).statusCode).toBe(200)
    await server.admin('DELETE /api/admin/projects/short')
    expect((await get(clientToken, '/api/client/features')).statusCode).toBe(401)
  })
})
