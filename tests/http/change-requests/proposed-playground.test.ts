import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { addPeople, type People } from './people.ts'

let server: TestServer
let people: People
const PROJECT = '/api/admin/projects/default'
const BODY = {
  environments: ['development', 'production'],
  projects: ['default'],
  context: { appName: 'shop', userId: '1' },
}
const ONLY_ONE = { contextName: 'userId', operator: 'IN', values: ['1'] }

beforeAll(async () => {
  server = await startServer()
  people = await addPeople(server)
  for (const name of ['changed', 'gone', 'other']) {
    await server.admin(`POST ${PROJECT}/features`, { name })
  }
  const { id } = await server.admin('POST /api/admin/segments', {
    name: 'nobody',
    constraints: [{ ...ONLY_ONE, values: ['no one'] }],
  })
  const strategy = { name: 'default', segments: [id] }
  await server.admin(`POST ${PROJECT}/features/other/environments/production/strategies`, strategy)
  for (const name of ['gone', 'other'])
    await server.admin(`POST ${PROJECT}/features/${name}/environments/production/on`)
})
afterAll(() => server.close())

/** Returns whether each flag is on for the context, by environment. */
async function played(call: string, as: object = { as: 'admin' }) {
  const reply = await server.call({ call, body: BODY, ...as })
  expect(reply.statusCode, reply.body).toBe(200)
  const { features } = reply.json()
  type Result = { name: string; environments: Record<string, { isEnabled: boolean }[]> }
  return Object.fromEntries(
    (features as Result[]).map(({ name, environments }) => [
      name,
      BODY.environments.map((environment) => environments[environment]?.[0]?.isEnabled),
    ]),
  )
}

async function propose(changes: unknown) {
  const call = `POST ${PROJECT}/environments/production/change-requests`
  const reply = await server.call({ call, body: changes, ...people.as.author })
  expect(reply.statusCode, reply.body).toBe(200)
  return `POST /api/admin/playground/change-request/${reply.json().id}`
}

test('the playground evaluates the flags as if the request were applied', async () => {
  const call = await propose([
    { feature: 'changed', action: 'updateEnabled', payload: { enabled: true } },
    { feature: 'gone', action: 'archiveFeature' },
    { action: 'updateSegment', payload: { id: 1, name: 'nobody', constraints: [ONLY_ONE] } },
  ])
  const before = { changed: [false, false], gone: [false, true], other: [false, false] }
  expect(await played('POST /api/admin/playground/advanced')).toEqual(before)
  const last = await server.lastEventId()
  expect(await played(call, people.as.author)).toEqual({ changed: [false, true], other: [false, true] })
  expect(await server.eventsAfter(last)).toEqual([])
  expect(await played('POST /api/admin/playground/advanced')).toEqual(before)
  // a draft is visible only to its author
  expect((await server.call({ call, body: BODY, as: 'admin' })).statusCode).toBe(404)
})

test('the playground answers 409 if the request could not be applied', async () => {
  const call = await propose({ feature: 'other', action: 'archiveFeature' })
  await server.admin(`DELETE ${PROJECT}/features/other`)
  await server.admin(`POST /api/admin/archive/revive/other`)
  await server.admin(`POST ${PROJECT}/features/changed/dependencies`, { feature: 'other' })
  const reply = await server.call({ call, body: BODY, ...people.as.author })
  expect(reply.statusCode).toBe(409)
  expect(reply.json().message).toContain('is the parent of "changed"')
})
