import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createServer } from '@burgee/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHEAP } from '../../support/password-cost.ts'
import { until } from '../../support/wait.ts'
import { addSession, optionsOf, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Maintenance mode: the admin API rejects changes, everything else works. */
let server: TestServer
const A = '/api/admin'
const F = `${A}/projects/default/features`
const M = `${A}/maintenance`
const as = 'admin'
let invite = ''

beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${F}`, { name: 'flag' })
  const body = { name: 'x', expiresAt: new Date(Date.now() + 86_400_000).toISOString() }
  invite = (await server.admin(`POST ${A}/invite-link/tokens`, body)).secret
})
afterAll(() => server.close())

const report = {
  appName: 'app',
  bucket: { start: '2026-01-01T00:00:00Z', stop: '2026-01-01T00:01:00Z', toggles: { flag: { yes: 1, no: 0 } } },
}
const events = ['setting-created']

describe('maintenance mode', () => {
  scenarios(
    () => server,
    [
      { name: 'is off', as, call: `GET ${M}`, status: 200, has: { enabled: false } },
      { name: 'seen by a viewer', as: 'viewer', call: `GET ${M}`, status: 403, text: 'ADMIN' },
      { name: 'turned on by an editor', as: 'editor', call: `POST ${M}`, body: { enabled: true }, status: 403 },
      { name: 'neither on nor off', as, call: `POST ${M}`, body: {}, status: 400, text: 'enabled' },
      { name: 'off again is nothing', as, call: `POST ${M}`, body: { enabled: false }, status: 204, empty: true },
      { name: 'on', as, call: `POST ${M}`, body: { enabled: true }, status: 204, empty: true, events },
      { name: 'on again is nothing', as, call: `POST ${M}`, body: { enabled: true }, status: 204 },
      { name: 'is on', as, call: `GET ${M}`, status: 200, has: { enabled: true } },
      { name: 'is shown', as: 'viewer', call: `GET ${A}/ui-config`, status: 200, has: { maintenanceMode: true } },
    ],
  )

  test('refuses all admin requests except reads, and writes nothing', async () => {
    await addSession(server.db, 'admin', 1, Date.now())
    const last = await server.lastEventId()
    const writes = server.server.routes.filter(
      ({ method, url }) => method !== 'GET' && /^\/(api\/admin|openfeature)\//.test(url) && url !== M,
    )
    expect(writes.length).toBeGreaterThan(100)
    for (const { method, url } of writes) {
      const call = `${method} ${url.replaceAll(/:(\w+)/g, (_, name: string) => (name === 'projectId' ? 'default' : 'flag'))}`
      const reply = await server.call({ call, headers: { cookie: 'burgee-session=admin-session' }, body: {} })
      expect([call, reply.statusCode]).toEqual([call, 503])
      expect(reply.body).toContain('maintenance mode')
    }
    expect(await server.eventsAfter(last)).toEqual([])
  })

  scenarios(
    () => server,
    [
      { name: 'gives an anonymous caller 401 first', call: `POST ${F}`, body: { name: 'x' }, status: 401 },
      { name: 'and who may not, that', as: 'viewer', call: `POST ${F}`, body: { name: 'x' }, status: 403 },
      { name: 'a read', as: 'viewer', call: `GET ${F}/flag`, status: 200 },
      {
        name: 'a login',
        call: 'POST /auth/simple/login',
        body: { username: 'admin', password: 'a good password' },
        status: 200,
      },
      { name: 'a download', as: 'client', call: 'GET /api/client/features', status: 200 },
      { name: 'a report of a server', as: 'client', call: 'POST /api/client/metrics', body: report, status: 202 },
      {
        name: 'a report of a front end',
        as: 'frontend',
        call: 'POST /api/frontend/client/metrics',
        body: report,
        status: 200,
      },
      { name: 'an evaluation', as: 'frontend', call: 'POST /api/frontend', body: { context: {} }, status: 200 },
      { name: 'an invitation is good', call: 'GET /invite/{invite}/validate', status: 200 },
      {
        name: 'signing up fails',
        call: 'POST /invite/{invite}/signup',
        body: { email: 'a@example.com', password: 'a password nobody guesses' },
        status: 503,
        has: { name: 'MaintenanceModeError' },
      },
    ].map((row) => ({
      ...row,
      get call() {
        return row.call.replace('{invite}', invite)
      },
    })),
  )

  test('holds on all nodes, those that start later too, and ends on all', async () => {
    if (!('databaseUrl' in server.databaseOptions)) return
    const options = optionsOf({ ...server.databaseOptions, port: 0, host: '127.0.0.1', keepDocuments: false })
    const other = await createServer({
      options,
      clock: Date.now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger: SILENT,
      passwordCost: CHEAP,
    })
    try {
      const write = async () => {
        const headers = { authorization: TOKENS.admin, 'content-type': 'application/json' }
        const payload = JSON.stringify({ features: ['flag'], stale: true })
        return (await other.app.inject({ method: 'POST', url: `${A}/projects/default/stale`, headers, payload }))
          .statusCode
      }
      expect(await write()).toBe(503)
      await server.admin(`POST ${M}`, { enabled: false })
      await until(async () => (await write()) === 202)
      await server.admin(`POST ${M}`, { enabled: true })
      await until(async () => (await write()) === 503)
    } finally {
      await other.close()
    }
  })

  test('ends when an authorized actor ends it', async () => {
    const last = await server.lastEventId()
    await server.admin(`POST ${M}`, { enabled: false })
    expect(await server.eventsAfter(last)).toEqual(['setting-updated'])
    const { events: told } = await server.admin(`GET ${A}/search/events?limit=1`)
    expect(told[0]).toMatchObject({ data: { id: 'maintenance.mode', enabled: false }, preData: { enabled: true } })
    await server.admin(`POST ${F}`, { name: 'again' })
  })
})
