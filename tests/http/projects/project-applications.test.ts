import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/**
 * Applications of a project: applications whose token includes the project, and applications that have reported its
 * flags.
 */
let server: TestServer
const P = '/api/admin/projects/shop'
const as = 'admin'
const started = '2026-01-01T00:00:00.000Z'

async function hello(token: string, appName: string, instanceId: string, sdkVersion?: string): Promise<void> {
  const body = { appName, instanceId, sdkVersion, interval: 1000, started, strategies: [] }
  expect((await server.call({ as: token, call: 'POST /api/client/register', body })).statusCode).toBe(202)
}

beforeAll(async () => {
  server = await startServer()
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
  await server.admin(`POST ${P}/features`, { name: 'theirs' })
  await server.admin('POST /api/admin/projects/default/features', { name: 'others' })
  const make = async (project: string, environment: string) =>
    (
      await server.admin('POST /api/admin/api-tokens', {
        tokenName: 't',
        type: 'client',
        environment,
        projects: [project],
      })
    ).secret as string
  const [shop, all] = [await make('shop', 'development'), await make('*', 'production')]
  await hello(shop, 'checkout', 'i2', 'unleash-client-node:5.5.0')
  await hello(shop, 'checkout', 'i1', 'unleash-client-node:3.0.0')
  await hello('client', 'elsewhere', 'i1')
  await hello(all, 'roaming', 'i1', 'own')
  await hello(all, 'silent', 'i1')
  const bucket = { start: Date.now() - 1000, stop: Date.now(), toggles: { theirs: { yes: 1, no: 0 } } }
  for (const appName of ['roaming', 'checkout']) {
    await server.call({ as: all, call: 'POST /api/client/metrics', body: { appName, bucket } })
  }
  await server.server.flush()
  await server.db.rows("update client_applications set first_seen_at = 1 where app_name = 'roaming'")
})
afterAll(() => server.close())

const CHECKOUT = {
  name: 'checkout',
  environments: ['development', 'production'],
  instances: ['i1', 'i2'],
  sdks: [{ name: 'unleash-client-node', versions: ['3.0.0', '5.5.0'] }],
}
const ROAMING = {
  name: 'roaming',
  environments: ['production'],
  instances: ['i1'],
  sdks: [{ name: 'own', versions: [] }],
}
const BY_TIME = [ROAMING, CHECKOUT]

describe('applications of a project', () => {
  test.each([
    ['by name', '', [CHECKOUT, ROAMING], 2],
    ['backwards', '?sortOrder=desc&sortBy=appName', [ROAMING, CHECKOUT], 2],
    ['by the time they were first seen', '?sortBy=createdAt&sortOrder=asc', BY_TIME, 2],
    ['the latest first', '?offset=0&limit=25&sortBy=createdAt&sortOrder=desc', [...BY_TIME].reverse(), 2],
    ['a page', '?limit=1&offset=1', [ROAMING], 2],
    ['by a text in any case', '?query=ROAM', [ROAMING], 1],
    ['of none', '?query=nope', [], 0],
  ])('%s', async (_name, query, applications, total) => {
    const reply = await server.call({ as: 'viewer', call: `GET ${P}/applications${query}` })
    expect(reply.json()).toEqual({ applications, total })
  })

  scenarios(
    () => server,
    [
      { name: 'anonymous', call: `GET ${P}/applications`, status: 401 },
      { name: 'of an unknown project', as, call: 'GET /api/admin/projects/nope/applications', status: 404 },
      { name: 'sorted by what there is not', as, call: `GET ${P}/applications?sortBy=x`, status: 400 },
      { name: 'lead times of an unknown project', as, call: 'GET /api/admin/projects/nope/dora', status: 404 },
    ],
  )
})
