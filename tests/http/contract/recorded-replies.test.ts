import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Parts of replies recorded from Unleash 5.12.8. */
let server: TestServer
const as = 'admin'
const F = '/api/admin/projects/default/features'
const TOKEN = { tokenName: 'several', type: 'client', environment: 'development', projects: ['default', 'shop'] }

beforeAll(async () => {
  server = await startServer()
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'shop' })
  await server.admin('POST /api/admin/segments', { name: 'all', constraints: [] })
  for (const name of ['parent', 'child']) await server.admin(`POST ${F}`, { name })
  await server.admin(`POST ${F}/child/dependencies`, { feature: 'parent' })
})
afterAll(() => server.close())

describe('a reply', () => {
  const dependencies = [{ feature: 'parent', enabled: true, variants: [] }]
  scenarios(() => server, [
    {
      name: 'has no variants of a parent, as an empty list, for SDKs',
      as: 'client',
      call: 'GET /api/client/features?namePrefix=child',
      status: 200,
      has: { features: [{ name: 'child', dependencies }] },
    },
    {
      name: 'has no variants of a parent, as an empty list, for people',
      as,
      call: `GET ${F}/child`,
      status: 200,
      has: { dependencies },
    },
    {
      name: 'lists strategies of change requests beside those that use a segment',
      as,
      call: 'GET /api/admin/segments/1/strategies',
      status: 200,
      has: { strategies: [], changeRequestStrategies: [] },
    },
    {
      name: 'joins the projects of a token by commas',
      as,
      call: 'POST /api/admin/api-tokens',
      body: TOKEN,
      status: 201,
      has: { project: 'default,shop', projects: TOKEN.projects },
      events: ['api-token-created'],
    },
  ] satisfies Scenario[])

  test('joins the projects of listed tokens by commas', async () => {
    const { tokens } = await server.admin('GET /api/admin/api-tokens')
    expect(tokens).toContainEqual(expect.objectContaining({ tokenName: 'several', project: 'default,shop' }))
    expect(tokens).toContainEqual(expect.objectContaining({ type: 'admin', project: '*', projects: ['*'] }))
  })

  test('counts the types of strategies in the statistics, not the strategies of flags', async () => {
    const { strategies } = await server.admin('GET /api/admin/strategies')
    await server.admin(`POST ${F}/child/environments/development/strategies`, { name: 'default' })
    expect((await server.admin('GET /api/admin/instance-admin/statistics')).strategies).toBe(strategies.length)
  })
})
