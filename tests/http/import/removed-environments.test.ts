import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** An import must not bring back an environment that a project has removed. */
const A = '/api/admin'
const as = 'admin'
let server: TestServer

beforeAll(async () => {
  server = await startServer()
  await server.admin(`DELETE ${A}/projects/default/environments/production`)
})
afterAll(() => server.close())

const send = async (call: string, body: object) => {
  const reply = await server.call({ as, call, body })
  return { status: reply.statusCode, text: reply.body }
}
const environmentsOf = async (project: string) => {
  const { environments } = await server.admin(`GET ${A}/projects/${project}/overview`)
  return environments.map(({ environment }: { environment: string }) => environment)
}

test('a state import does not add a removed environment', async () => {
  const at = { featureName: 'by-state', environment: 'production' }
  const reply = await send(`POST ${A}/state/import`, {
    version: 4,
    features: [{ name: 'by-state' }],
    featureEnvironments: [{ ...at, enabled: true }],
    featureStrategies: [{ ...at, strategyName: 'default' }],
  })
  expect(reply).toEqual({ status: 202, text: expect.stringMatching(/have removed here: by-state \(production\)/) })
  expect(await environmentsOf('default')).toEqual(['development'])
})

test('an import from another service does not add a removed environment, and names the flag', async () => {
  const content = JSON.stringify({
    features: [{ name: 'by-import', enabled: true, strategies: [{ name: 'default' }] }],
  })
  const wish = { kind: 'client-features', project: 'default', environment: 'production', content }
  const planned = await send(`POST ${A}/imports/plan`, wish)
  const { plan, notes } = JSON.parse(planned.text)
  expect(notes).toContainEqual(
    expect.objectContaining({
      name: 'by-import in production',
      fidelity: 'not carried',
      words: expect.stringContaining('removed'),
    }),
  )
  expect(await send(`POST ${A}/imports`, { ...wish, plan })).toMatchObject({ status: 200 })
  expect(await environmentsOf('default')).toEqual(['development'])
})

test('after the environment was added again, imports use it', async () => {
  await server.admin(`POST ${A}/projects/default/environments`, { environment: 'production' })
  const at = { featureName: 'again', environment: 'production' }
  const reply = await send(`POST ${A}/state/import`, {
    version: 4,
    features: [{ name: 'again' }],
    featureEnvironments: [{ ...at, enabled: true }],
    featureStrategies: [{ ...at, strategyName: 'default' }],
  })
  expect(reply).toEqual({ status: 202, text: 'Accepted' })
})
