import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPeople, type People } from '../change-requests/people.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { configOf, exportFiles, type File } from './config-project.ts'

/** Applying files in protected environments: no change is lost, and the plan lists what cannot be applied. */
const P = '/api/admin/projects/default'
const PROTECTED = { changeRequestsEnabled: true, requiredApprovals: 1 }
let server: TestServer
let people: People

beforeAll(async () => {
  server = await startServer()
  people = await addPeople(server)
  await server.admin(`PUT ${P}/environments/production/change-requests/config`, PROTECTED)
})
afterAll(() => server.close())

const flag = (name: string, rollout: string): File => ({
  path: `${name}.yaml`,
  content: `kind: Flag\nname: ${name}\nenvironments:\n  production:\n    enabled: false\n    strategies:\n      - name: flexibleRollout\n        parameters: {rollout: "${rollout}"}\n`,
})

test.each([
  ['commit', { source: { repository: 'shop/flags', commit: '3f2a1c0' } }, 409],
  ['plan', {}, 200],
])('other changes of the same %s are not taken for the open change request', async (name, source, status) => {
  await server.admin(`POST ${P}/features`, { name })
  const call = (step: string, body: object) =>
    server.call({ ...people.as.author, call: `POST ${configOf('default')}/${step}`, body: { ...source, ...body } })
  const apply = async (rollout: string) => {
    const files = [flag(name, rollout)]
    return call('apply', { files, plan: (await call('plan', { files })).json().plan })
  }
  const first = await apply('10')
  expect(first.statusCode, first.body).toBe(200)
  const { id } = first.json().changeRequests[0]
  const other = await apply('90')
  expect(other.statusCode, other.body).toBe(status)
  if (status === 409) {
    expect(other.json().message).toContain(`#${id} "Apply shop/flags@3f2a1c0"`)
    expect((await apply('10')).json().changeRequests).toMatchObject([{ id, changes: 1 }])
  } else expect(other.json().changeRequests[0].id).not.toBe(id)
})

test('a segment that a protected environment of another project uses is an obstacle', async () => {
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'shop' })
  const segment = await server.admin('POST /api/admin/segments', { name: 'everywhere', constraints: [] })
  await server.admin('POST /api/admin/projects/shop/features', { name: 'sold' })
  await server.admin('POST /api/admin/projects/shop/features/sold/environments/production/strategies', {
    name: 'default',
    segments: [segment.id],
  })
  await server.admin('PUT /api/admin/projects/shop/environments/production/change-requests/config', PROTECTED)
  const files = (await exportFiles(server, 'shop'))
    .filter(({ path }) => path === 'segments/everywhere.yaml')
    .map(({ path, content }) => ({ path, content: `${content}description: changed\n` }))
  const call = (step: string, body: object) =>
    server.call({ as: 'editor', call: `POST ${configOf('default')}/${step}`, body: { files, ...body } })
  const plan = (await call('plan', {})).json()
  expect(plan.obstacles).toMatchObject([
    { kind: 'Segment', name: 'everywhere', reason: expect.stringContaining('"production" of the project "shop"') },
  ])
  expect((await call('apply', { plan: plan.plan })).statusCode).toBe(403)
})

test('more changes than a change request can have are an obstacle, counted per environment', async () => {
  const call = (step: string, body: object) =>
    server.call({ as: 'editor', call: `POST ${configOf('default')}/${step}`, body })
  const files = Array.from({ length: 501 }, (_, at) => flag(`many-${at}`, '1'))
  const plan = (await call('plan', { files })).json()
  expect(plan.obstacles).toEqual([
    {
      kind: 'Environment',
      name: 'production',
      reason: '501 changes need a change request, which can have at most 500. Apply fewer files at a time.',
    },
  ])
  expect((await call('apply', { files, plan: plan.plan })).statusCode).toBe(400)
  expect((await call('plan', { files: files.slice(1) })).json().obstacles).toEqual([])
})
