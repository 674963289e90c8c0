import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BULK_REPORTS, LOOKUPS, REGISTRATIONS, REPORTS } from '../../support/sdk-bodies.ts'
import { startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const P = '/api/admin/projects/default/features'

beforeAll(async () => {
  server = await startServer()
  for (const name of ['on', 'zero']) {
    await server.admin(`POST ${P}`, { name })
    await server.admin(`POST ${P}/${name}/environments/development/on`)
  }
})
afterAll(() => server.close())

const FRONTS = ['/api/frontend', '/api/proxy']

describe('the server takes what SDKs post', () => {
  const rows = [
    ...REGISTRATIONS.flatMap(([name, body]) => [
      ['client', '/api/client/register', name, body, 202] as const,
      ...FRONTS.map((front) => ['frontend', `${front}/client/register`, name, body, 200] as const),
    ]),
    ...REPORTS.flatMap(([name, body]) => [
      ['client', '/api/client/metrics', name, body, 202] as const,
      ...FRONTS.map((front) => ['frontend', `${front}/client/metrics`, name, body, 200] as const),
    ]),
    ...BULK_REPORTS.map(([name, body]) => ['client', '/api/client/metrics/bulk', name, body, 202] as const),
    ...LOOKUPS.flatMap(([name, body]) =>
      [...FRONTS, '/api/frontend/all', '/api/frontend/features/on'].map(
        (path) => ['frontend', path, name, body, 200] as const,
      ),
    ),
  ]

  test.each(rows)('%s: POST %s with %s', async (as, path, _name, body, status) => {
    const reply = await server.call({ as, call: `POST ${path}`, body })
    expect([reply.statusCode, reply.body]).toEqual([status, expect.anything()])
  })

  test('a node that reports its own state', async () => {
    const call = 'POST /api/client/metrics/edge'
    expect((await server.call({ as: 'client', call, body: { identifier: 'edge' } })).statusCode).toBe(202)
    expect((await server.call({ as: 'frontend', call, body: {} })).statusCode).toBe(403)
  })

  test('accepts a body of a media type with the suffix +json', async () => {
    const headers = { 'content-type': 'application/vnd.unleash+json' }
    const call = 'POST /api/client/register'
    const reply = await server.call({ as: 'client', call, raw: JSON.stringify(REGISTRATIONS[0]?.[1]), headers })
    expect(reply.statusCode).toBe(202)
  })
})

describe('the server ignores', () => {
  test.each(['x', '5', '4.2', 'abc'])('the client specification %s, and sends no segments', async (version) => {
    const headers = { 'unleash-client-spec': version }
    const reply = await server.call({ as: 'client', call: 'GET /api/client/features', headers })
    expect([reply.statusCode, reply.json().segments]).toEqual([200, undefined])
  })

  test.each(['x', '', 'x&properties=y'])('a query of properties=%s', async (value) => {
    const reply = await server.call({ as: 'frontend', call: `GET /api/frontend?userId=7&properties=${value}` })
    expect(reply.statusCode).toBe(200)
  })
})

describe('one flag of the frontend API', () => {
  test.each(['/api/frontend', '/api/proxy'])('GET %s/features/…', async (front) => {
    const on = await server.call({ as: 'frontend', call: `GET ${front}/features/on?userId=7` })
    expect([on.statusCode, on.json()]).toMatchObject([200, { name: 'on', enabled: true }])
    const none = await server.call({ as: 'frontend', call: `GET ${front}/features/nothing` })
    expect(none.statusCode).toBe(404)
    expect((await server.call({ as: 'client', call: `GET ${front}/features/on` })).statusCode).toBe(403)
  })
})

test('counts of zero do not mark a flag as seen', async () => {
  const toggles = { zero: { yes: 0, no: 0, variants: { a: 0 } }, on: { yes: 0, no: 1 } }
  const stop = new Date().toISOString()
  const body = { appName: 'zeros', bucket: { start: stop, stop, toggles } }
  expect((await server.call({ as: 'client', call: 'POST /api/client/metrics', body })).statusCode).toBe(202)
  await server.server.flush()
  const lastSeen = async (name: string) => (await server.admin(`GET ${P}/${name}`)) as { lastSeenAt: string | null }
  expect((await lastSeen('on')).lastSeenAt).not.toBeNull()
  expect((await lastSeen('zero')).lastSeenAt).toBeNull()
  expect(await server.db.rows(`select * from client_metrics where feature_name = 'zero'`)).toEqual([])
})
