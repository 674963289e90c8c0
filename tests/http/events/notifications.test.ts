import type { Notifications } from '@burgee/protocol/administration/notification'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queryCounter } from '../../support/queries.ts'
import { addPeople, type People, type Person } from '../change-requests/people.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Notifications about other users' changes, derived from the event log and private to the recipient. */
const A = '/api/admin'
const PROJECT = `${A}/projects/default`
const F = `${PROJECT}/features`
const MINE = `${A}/user/notifications`
/** Maximum number of queries per request, including the query that begins the snapshot. */
const MOST_QUERIES = 15
const counter = queryCounter()
let server: TestServer
let people: People

beforeAll(async () => {
  server = await startServer({}, Date.now, { onQuery: counter.onQuery })
  people = await addPeople(server)
})
afterAll(() => server.close())

/** Makes a successful call as a user. Returns the JSON of the reply, or undefined if it has no body. */
async function as(person: Person, call: string, body?: unknown) {
  const reply = await server.call({ ...people.as[person], call, ...(body === undefined ? {} : { body }) })
  expect(reply.statusCode, `${call} ${reply.body}`).toBeLessThan(300)
  return reply.body === '' ? undefined : reply.json()
}

const notifications = (person: Person, query = ''): Promise<Notifications> => as(person, `GET ${MINE}${query}`)

/** Returns a user's notifications after a given event, as types with reasons, oldest first. */
async function newFor(person: Person, after: number): Promise<string[]> {
  const all = (await notifications(person, '?limit=100')).notifications
  return all
    .filter(({ id }) => id > after)
    .map(({ type, reason }) => `${type}: ${reason}`)
    .reverse()
}

const newFlag = (person: Person, name: string) => as(person, `POST ${F}`, { name })

describe('notifications', () => {
  let before = 0
  beforeEach(async () => {
    before = await server.lastEventId()
  })

  test('each event has the reason why it concerns me', async () => {
    await newFlag('member', 'mine')
    await newFlag('first', 'liked')
    await newFlag('first', 'neither')
    await as('member', `POST ${F}/liked/favorites`)
    await as('member', `POST ${F}/mine/favorites`)
    await as('member', `POST ${PROJECT}/favorites`)
    before = await server.lastEventId()
    for (const name of ['mine', 'liked', 'neither']) await as('first', `PUT ${F}/${name}`, { description: 'new' })
    await server.admin(`PUT ${PROJECT}`, { name: 'Default', description: 'new' })
    await server.admin(`DELETE ${F}/mine`)
    expect(await newFor('member', before)).toEqual([
      'feature-metadata-updated: maker',
      'feature-metadata-updated: favorite',
      'project-updated: favorite-project',
      'feature-archived: maker',
    ])
    const [newest] = (await notifications('member', '?limit=1')).notifications
    const [logged] = (await server.admin(`GET ${A}/events/mine?limit=1`)).events
    const { ip: _address, ...event } = logged
    expect(newest).toEqual({ ...event, reason: 'maker' })
  })

  test('omit my own changes, by session and by a personal token', async () => {
    await newFlag('second', 'own')
    const { secret } = await as('second', `POST ${A}/user/tokens`, {
      description: 'script',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await as('second', `PUT ${F}/own`, { description: 'by session' })
    expect((await server.call({ as: secret, call: `PUT ${F}/own`, body: { description: 'x' } })).statusCode).toBe(200)
    expect((await server.call({ as: secret, call: `GET ${MINE}` })).statusCode).toBe(200)
    expect(await newFor('second', before)).toEqual([])
  })

  test('omit new favorites of a flag', async () => {
    await newFlag('second', 'popular')
    await as('first', `POST ${F}/popular/favorites`)
    expect(await newFor('second', before)).toEqual([])
  })

  test('end when I remove the flag from my favorites', async () => {
    await newFlag('first', 'passing')
    before = await server.lastEventId()
    await as('second', `POST ${F}/passing/favorites`)
    await as('first', `PUT ${F}/passing`, { description: 'a' })
    expect(await newFor('second', before)).toEqual(['feature-metadata-updated: favorite'])
    await as('second', `DELETE ${F}/passing/favorites`)
    expect(await newFor('second', before)).toEqual([])
  })

  test('include the deletion of my flag after it is gone', async () => {
    await newFlag('second', 'doomed')
    await server.admin(`DELETE ${F}/doomed`)
    await server.admin(`DELETE ${A}/archive/doomed`)
    expect(await newFor('second', before)).toEqual(['feature-deleted: maker'])
    expect(await newFor('member', before)).toEqual([])
  })

  test('members and environments of a favourite project are of the project, its other flags are not', async () => {
    await as('second', `POST ${PROJECT}/favorites`)
    await server.admin(`POST ${A}/environments`, { name: 'staging', type: 'test' })
    await server.admin(`POST ${PROJECT}/environments`, { environment: 'staging' })
    await newFlag('first', 'another')
    expect(await newFor('second', before)).toEqual(['project-environment-added: favorite-project'])
  })

  test('include the address of the actor for administrators only', async () => {
    const admin = { headers: { cookie: await adminSession() } }
    const reply = await server.call({ ...admin, call: `GET ${MINE}` })
    expect(reply.statusCode).toBe(200)
    await server.call({ ...admin, call: `POST ${F}/another/favorites` })
    await as('first', `PUT ${F}/another`, { description: 'x' })
    const [told] = (await server.call({ ...admin, call: `GET ${MINE}?limit=1` })).json().notifications
    expect(told).toMatchObject({ reason: 'favorite', ip: expect.any(String) })
    await as('member', `POST ${F}/another/favorites`)
    const [plain] = (await notifications('member', '?limit=1')).notifications
    expect(plain).toMatchObject({ reason: 'favorite', id: told.id })
    expect(plain).not.toHaveProperty('ip')
  })
})

async function adminSession(): Promise<string> {
  const body = { username: 'admin', password: 'a good password' }
  const reply = await server.call({ call: 'POST /auth/simple/login', body })
  return String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
}

describe('a private project', () => {
  test('sends no notifications to former members', async () => {
    await server.admin(`POST ${A}/projects`, { id: 'secret', name: 'Secret' })
    await server.admin(`POST ${A}/projects/secret/features`, { name: 'known-to-few' })
    await as('member', `POST ${A}/projects/secret/features/known-to-few/favorites`)
    await as('member', `POST ${A}/projects/secret/favorites`)
    const before = await server.lastEventId()
    await server.admin(`PUT ${A}/projects/secret/features/known-to-few`, { description: 'x' })
    await server.admin(`PUT ${A}/projects/secret`, { name: 'Secret', description: 'x' })
    expect(await newFor('member', before)).toEqual([
      'feature-metadata-updated: favorite',
      'project-updated: favorite-project',
    ])
    await server.admin(`PUT ${A}/projects/secret`, { name: 'Secret', mode: 'private' })
    expect(await newFor('member', before)).toEqual([])
  })
})

describe('change requests', () => {
  const REQUESTS = `${PROJECT}/change-requests`
  const PROPOSE = `POST ${PROJECT}/environments/production/change-requests`
  const ON = { feature: 'guarded', action: 'updateEnabled', payload: { enabled: true } }
  const ADD = { feature: 'guarded', action: 'addStrategy', payload: { name: 'flexibleRollout', parameters: {} } }
  const step = (person: Person, id: number, state: string, comment?: string) =>
    as(person, `PUT ${REQUESTS}/${id}/state`, { state, ...(comment === undefined ? {} : { comment }) })
  let before = 0
  beforeAll(async () => {
    await newFlag('first', 'guarded')
    const config = { changeRequestsEnabled: true, requiredApprovals: 2 }
    await server.admin(`PUT ${PROJECT}/environments/production/change-requests/config`, config)
  })
  beforeEach(async () => {
    before = await server.lastEventId()
  })

  test('wait for those who may approve them, until they have', async () => {
    const { id } = await as('author', PROPOSE, [ADD, ON])
    expect(await newFor('first', before)).toEqual([])
    await step('author', id, 'In review')
    expect(await newFor('first', before)).toEqual(['change-request-sent-to-review: to-review'])
    expect(await newFor('second', before)).toEqual(['change-request-sent-to-review: to-review'])
    expect(await newFor('member', before)).toEqual([])
    expect(await newFor('author', before)).toEqual([])
    await step('first', id, 'Approved')
    expect(await newFor('first', before)).toEqual([])
    expect(await newFor('author', before)).toEqual(['change-request-approval-added: your-request'])
    await step('second', id, 'Approved', 'good')
    expect(await newFor('author', before)).toEqual([
      'change-request-approval-added: your-request',
      'change-request-approved: your-request',
      'change-request-comment-added: your-request',
    ])
    await step('second', id, 'Applied')
    expect((await newFor('author', before)).at(-1)).toBe('change-request-applied: your-request')
    // the creator of the flag is notified about it
    expect(await newFor('first', before)).toEqual(['feature-strategy-add: maker', 'feature-environment-enabled: maker'])
  })

  test('appear once if withdrawn and sent again', async () => {
    const { id } = await as('author', PROPOSE, { ...ON, payload: { enabled: false } })
    await step('author', id, 'In review')
    await step('author', id, 'Draft')
    expect(await newFor('first', before)).toEqual([])
    await step('author', id, 'In review')
    expect(await newFor('first', before)).toEqual(['change-request-sent-to-review: to-review'])
    await as('first', `POST ${REQUESTS}/${id}/comments`, { text: 'why?' })
    await step('second', id, 'Rejected')
    expect(await newFor('first', before)).toEqual([])
    expect(await newFor('author', before)).toEqual([
      'change-request-comment-added: your-request',
      'change-request-rejected: your-request',
    ])
  })
})

describe('the read position', () => {
  let last = 0
  beforeAll(async () => {
    await newFlag('member', 'read-flag')
  })
  const change = async (description: string) => {
    await as('first', `PUT ${F}/read-flag`, { description })
    last = await server.lastEventId()
  }

  test('starts at the present for a first visit, and the list contains earlier events', async () => {
    await server.db.rows('delete from notification_reads')
    await change('before')
    const first = await notifications('member')
    expect(first).toMatchObject({ unread: 0, readUpTo: last })
    expect(first.notifications[0]).toMatchObject({ id: last, reason: 'maker' })
    await change('after')
    expect(await notifications('member')).toMatchObject({ unread: 1, readUpTo: last - 1 })
  })

  test('moves neither back nor beyond the last event', async () => {
    const before = last - 1
    expect(await as('member', `PUT ${MINE}/read`, { upTo: last })).toEqual({ readUpTo: last })
    expect(await as('member', `PUT ${MINE}/read`, { upTo: before })).toEqual({ readUpTo: last })
    expect(await notifications('member')).toMatchObject({ unread: 0, readUpTo: last })
    const reply = await server.call({ ...people.as.member, call: `PUT ${MINE}/read`, body: { upTo: last + 1 } })
    expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining('upTo')])
    expect(await server.lastEventId()).toBe(last)
  })

  test('belongs to each user alone', async () => {
    await as('second', `POST ${F}/read-flag/favorites`)
    await notifications('second')
    await change('for two')
    expect([(await notifications('member')).unread, (await notifications('second')).unread]).toEqual([1, 1])
    await as('member', `PUT ${MINE}/read`, { upTo: last })
    expect([(await notifications('member')).unread, (await notifications('second')).unread]).toEqual([0, 1])
  })

  test('a page counts the notifications beside it, a hundred at most', async () => {
    // each change is followed by a read, and one user has at most 200 requests in flight
    for (const half of [0, 1]) {
      await Promise.all(Array.from({ length: 51 }, (_none, index) => change(`again ${half} ${index}`)))
    }
    last = await server.lastEventId()
    const page = await notifications('member', '?limit=2')
    expect(page.unread).toBe(100)
    expect(page.notifications.map(({ id }) => id)).toEqual([last, last - 1])
    expect((await notifications('member')).notifications).toHaveLength(50)
  })

  test('it goes with the person', async () => {
    const rows = () => server.db.rows('select 1 from notification_reads where user_id = ?', people.ids.second)
    expect(await rows()).toHaveLength(1)
    await server.admin(`DELETE ${A}/user-admin/${people.ids.second}`)
    expect(await rows()).toEqual([])
  })

  test('takes as many queries however many flags and events there are', async () => {
    const more = async (index: number) => {
      await newFlag('author', `many-${index}`)
      await as('first', `PUT ${F}/many-${index}`, { description: 'x' })
    }
    await more(0)
    const { unread } = await notifications('author')
    const one = await counter.count(() => notifications('author'))
    await Promise.all(Array.from({ length: 20 }, (_none, index) => more(index + 1)))
    expect((await notifications('author')).unread).toBe(unread + 20)
    expect(await counter.count(() => notifications('author'))).toBe(one)
    expect(one).toBeLessThanOrEqual(MOST_QUERIES)
  })
})

describe('is refused', () => {
  test.each([
    ['no number', 'GET', '?limit=many', undefined, 400, 'limit'],
    ['none', 'GET', '?limit=0', undefined, 400, 'limit'],
    ['more than a page', 'GET', '?limit=101', undefined, 400, 'limit'],
    ['no event', 'PUT', '/read', {}, 400, 'upTo'],
    ['half an event', 'PUT', '/read', { upTo: 1.5 }, 400, 'upTo'],
    ['before all events', 'PUT', '/read', { upTo: -1 }, 400, 'upTo'],
    ['a text', 'PUT', '/read', { upTo: 'all' }, 400, 'upTo'],
    ['something else besides', 'PUT', '/read', { upTo: 1, all: true }, 400, 'all'],
  ])('%s', async (_name, method, rest, body, status, text) => {
    const call = `${method} ${MINE}${rest}`
    const reply = await server.call({ ...people.as.member, call, ...(body === undefined ? {} : { body }) })
    expect([reply.statusCode, reply.body]).toEqual([status, expect.stringContaining(text)])
  })

  test.each([
    ['a token of administration', 'admin', 403, 'Only users'],
    ['a token of an SDK', 'client', 403, ''],
    ['nobody', undefined, 401, ''],
  ] as const)('%s', async (_name, role, status, text) => {
    for (const [call, body] of [[`GET ${MINE}`], [`PUT ${MINE}/read`, { upTo: 1 }]] as const) {
      const reply = await server.call({ call, ...(role && { as: role }), ...(body && { body }) })
      expect([reply.statusCode, reply.body]).toEqual([status, expect.stringContaining(text)])
    }
  })
})
