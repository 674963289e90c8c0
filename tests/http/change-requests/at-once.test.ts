import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { addPeople, type People, type Person } from './people.ts'

let server: TestServer
let people: People
let now = Date.now()
const PROJECT = '/api/admin/projects/default'
const SHARE = { name: 'flexibleRollout', parameters: { rollout: '10' } }

beforeAll(async () => {
  server = await startServer({}, () => now)
  people = await addPeople(server)
  const config = { changeRequestsEnabled: true, requiredApprovals: 2 }
  await server.admin(`PUT ${PROJECT}/environments/production/change-requests/config`, config)
})
afterAll(() => server.close())

const call = (by: Person, line: string, body: unknown) => server.call({ call: line, body, ...people.as[by] })

async function inReview(flag: string): Promise<string> {
  await server.admin(`POST ${PROJECT}/features`, { name: flag })
  const change = { feature: flag, action: 'addStrategy', payload: SHARE }
  const made = await call('author', `POST ${PROJECT}/environments/production/change-requests`, change)
  const url = `${PROJECT}/change-requests/${made.json().id}/state`
  expect((await call('author', `PUT ${url}`, { state: 'In review' })).statusCode).toBe(200)
  return url
}

async function approved(flag: string): Promise<string> {
  const url = await inReview(flag)
  for (const by of ['first', 'second'] as const) await call(by, `PUT ${url}`, { state: 'Approved' })
  return url
}

const strategiesOf = async (flag: string) =>
  (await server.admin(`GET ${PROJECT}/features/${flag}/environments/production/strategies`)).length

test('two concurrent approvals both count, and the request is approved once', async () => {
  const url = await inReview('approved')
  const last = await server.lastEventId()
  const body = { state: 'Approved' }
  const replies = await Promise.all(
    (['first', 'second', 'first', 'second'] as const).map((by) => call(by, `PUT ${url}`, body)),
  )
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  expect(await server.eventsAfter(last)).toEqual([
    'change-request-approval-added',
    'change-request-approval-added',
    'change-request-approved',
  ])
})

test('the first of two concurrent applies succeeds, the second gets 409', async () => {
  const url = await approved('applied')
  const last = await server.lastEventId()
  const body = { state: 'Applied' }
  const replies = await Promise.all((['first', 'second'] as const).map((by) => call(by, `PUT ${url}`, body)))
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(await server.eventsAfter(last)).toEqual(['feature-strategy-add', 'change-request-applied'])
  expect(await strategiesOf('applied')).toBe(1)
})

test('an apply during an edit applies what was approved, or nothing', async () => {
  const url = await approved('edited')
  const { features } = await server.admin(`GET ${url.replace('/state', '')}`)
  const edit = { action: 'addStrategy', payload: { ...SHARE, title: 'unseen' } }
  const [applied, edited] = await Promise.all([
    call('first', `PUT ${url}`, { state: 'Applied' }),
    call('author', `PUT ${url.replace('/state', '')}/changes/${features[0].changes[0].id}`, edit),
  ])
  const isApplied = applied.statusCode === 200
  expect([applied.statusCode, edited.statusCode]).toEqual(isApplied ? [200, 409] : [409, 204])
  expect(await strategiesOf('edited')).toBe(isApplied ? 1 : 0)
})

test('a time that several look at at once is used once', async () => {
  const url = await approved('scheduled')
  await call('first', `PUT ${url}`, { state: 'Scheduled', scheduledAt: new Date(now + 1000).toISOString() })
  const last = await server.lastEventId()
  now += 1000
  await Promise.all([1, 2, 3].map(() => server.server.applyDue()))
  expect(await server.eventsAfter(last)).toEqual([
    'feature-strategy-add',
    'change-request-applied',
    'change-request-scheduled-application-success',
  ])
  expect(await strategiesOf('scheduled')).toBe(1)
})
