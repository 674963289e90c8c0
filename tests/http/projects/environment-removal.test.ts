import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

const A = '/api/admin'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  for (const id of ['alpha', 'beta']) await server.admin(`POST ${A}/projects`, { id, name: id })
})
afterAll(() => server.close())

const makeEnvironment = (name: string) => server.admin(`POST ${A}/environments`, { name, type: 'test' })
const addTo = (project: string, environment: string) =>
  server.admin(`POST ${A}/projects/${project}/environments`, { environment })
const remove = (name: string, as = 'admin') => server.call({ as, call: `DELETE ${A}/environments/${name}` })
const download = async (secret: string) =>
  (await server.call({ as: secret, call: 'GET /api/client/features' })).statusCode

describe('deleting an environment in use', () => {
  test('returns the projects, flags, tokens and roles that lose it, and rejects its tokens at once', async () => {
    await makeEnvironment('stage')
    for (const project of ['alpha', 'beta']) await addTo(project, 'stage')
    await server.admin(`POST ${A}/projects/alpha/features`, { name: 'on-there' })
    await server.admin(`POST ${A}/projects/alpha/features`, { name: 'untouched' })
    await server.admin(`POST ${A}/projects/alpha/features/on-there/environments/stage/on`)
    const body = { tokenName: 'shop', type: 'client', environment: 'stage', projects: ['alpha'] }
    const { secret } = await server.admin(`POST ${A}/api-tokens`, body)
    const permissions = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'stage' }]
    await server.admin(`POST ${A}/roles`, { name: 'Stager', type: 'custom', description: '', permissions })
    expect(await download(secret)).toBe(200)
    const last = await server.lastEventId()
    const reply = await remove('stage')
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      {
        name: 'stage',
        projects: [
          { id: 'alpha', configuredFlags: 1 },
          { id: 'beta', configuredFlags: 0 },
        ],
        apiTokens: [{ tokenName: 'shop', type: 'client', projects: ['alpha'] }],
        roles: ['Stager'],
      },
    ])
    expect(reply.body).not.toContain(secret)
    expect(await server.eventsAfter(last)).toEqual([
      'project-environment-removed',
      'project-environment-removed',
      'api-token-deleted',
      'environment-deleted',
    ])
    expect(await download(secret)).toBe(401)
    expect(server.logged.filter((line) => line.startsWith('warn') && line.includes('stage'))).toEqual([
      expect.stringContaining(
        'Deleted the environment "stage". Removed from projects: "alpha", "beta". API tokens that are no longer valid: "shop"',
      ),
    ])
    expect(await server.db.rows("select * from feature_environments where environment = 'stage'")).toEqual([])
    expect((await remove('stage')).statusCode).toBe(404)
  })

  test('gets 403 from users who are not administrators', async () => {
    await makeEnvironment('kept')
    await addTo('alpha', 'kept')
    expect([(await remove('kept', 'editor')).statusCode, (await remove('kept', 'viewer')).statusCode]).toEqual([
      403, 403,
    ])
    expect((await remove('kept')).statusCode).toBe(200)
  })

  test('gets 403 for the last environment of a project, which the error names, and changes nothing', async () => {
    await makeEnvironment('only')
    await server.admin(`POST ${A}/projects`, { id: 'single', name: 'Single', environments: ['only'] })
    await addTo('alpha', 'only')
    const last = await server.lastEventId()
    const reply = await remove('only')
    expect([reply.statusCode, reply.json().name]).toEqual([403, 'InvalidOperationError'])
    expect(reply.json().message).toContain('"only" is the last environment of these projects: "single".')
    expect(await server.eventsAfter(last)).toEqual([])
    await server.admin(`DELETE ${A}/projects/single`)
    expect((await remove('only')).json().projects).toEqual([{ id: 'alpha', configuredFlags: 0 }])
  })

  test('records that an administrator skipped the change requests of a project', async () => {
    await makeEnvironment('guarded')
    await addTo('beta', 'guarded')
    const config = `${A}/projects/beta/environments/guarded/change-requests/config`
    await server.admin(`PUT ${config}`, { changeRequestsEnabled: true, requiredApprovals: 1 })
    const last = await server.lastEventId()
    expect((await remove('guarded')).statusCode).toBe(200)
    expect(await server.eventsAfter(last)).toEqual([
      'project-environment-removed',
      'change-request-skipped',
      'environment-deleted',
    ])
    await makeEnvironment('guarded')
    await addTo('beta', 'guarded')
    const settings = await server.admin(`GET ${A}/projects/beta/change-requests/config`)
    expect(settings.find((one: { environment: string }) => one.environment === 'guarded')).toMatchObject({
      changeRequestEnabled: false,
    })
    await remove('guarded')
  })

  test('names at most ten projects in the log and all of them in the reply', async () => {
    await makeEnvironment('wide')
    for (let n = 0; n < 12; n += 1) await server.admin(`POST ${A}/projects`, { id: `wide-${n}`, name: `Wide ${n}` })
    const reply = await remove('wide')
    expect(reply.json().projects).toHaveLength(12)
    expect(server.logged.find((line) => line.includes('"wide"'))).toContain(', 2 more. API tokens')
  })
})
