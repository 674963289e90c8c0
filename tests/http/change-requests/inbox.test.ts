import { randomBytes } from 'node:crypto'
import type { Inbox } from '@burgee/protocol/administration/inbox'
import type { Notifications } from '@burgee/protocol/administration/notification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { addPeople, type People, type Person } from './people.ts'

const A = '/api/admin'
const PROJECT = `${A}/projects/default`
const REQUESTS = `${PROJECT}/change-requests`
const DAY_MS = 86_400_000
let server: TestServer
let people: People
let now = Date.now()

beforeAll(async () => {
  server = await startServer({ secretKey: randomBytes(32).toString('base64') }, () => now)
  people = await addPeople(server)
  await server.admin(`POST ${PROJECT}/features`, { name: 'guarded' })
  await server.admin(`PUT ${PROJECT}/environments/production/change-requests/config`, { changeRequestsEnabled: true })
})
afterAll(() => server.close())

async function as(person: Person, call: string, body?: unknown) {
  const reply = await server.call({ ...people.as[person], call, ...(body === undefined ? {} : { body }) })
  expect(reply.statusCode, `${call} ${reply.body}`).toBeLessThan(300)
  return reply.body === '' ? undefined : reply.json()
}

const inbox = (person: Person): Promise<Inbox> => as(person, `GET ${A}/user/inbox`)
const unread = async (person: Person) => (await as(person, `GET ${A}/user/notifications`)).unread
const step = (person: Person, id: number, body: object) => as(person, `PUT ${REQUESTS}/${id}/state`, body)
const actions = async (person: Person) => (await inbox(person)).requests.map(({ id, action }) => [id, action])

/** Creates a draft that belongs to the author. Returns its id. */
async function draft(): Promise<number> {
  const on = { feature: 'guarded', action: 'updateEnabled', payload: { enabled: true } }
  return (await as('author', `POST ${PROJECT}/environments/production/change-requests`, on)).id
}

describe('change requests', () => {
  test('appear from review to application to users who can act, even on their first visit', async () => {
    const id = await draft()
    expect(await inbox('author')).toMatchObject({
      total: 0,
      requests: [],
      drafts: [{ id, project: 'default', environment: 'production', features: ['guarded'], segments: [] }],
    })
    expect(await actions('first')).toEqual([])
    await as('author', `PUT ${REQUESTS}/${id}/approvers`, { reviewers: [people.ids.first] })
    await step('author', id, { state: 'In review' })
    expect((await inbox('author')).drafts).toEqual([])
    expect(await inbox('first')).toMatchObject({
      total: 1,
      requests: [{ id, action: 'review', requested: true, project: 'default', createdBy: { id: people.ids.author } }],
    })
    expect((await inbox('second')).requests).toMatchObject([{ id, requested: false }])
    for (const person of ['author', 'member'] as const) expect(await actions(person)).toEqual([])
    expect(await unread('first')).toBe(1)

    const { notifications } = (await as('first', `GET ${A}/user/notifications`)) as Notifications
    await as('first', `PUT ${A}/user/notifications/read`, { upTo: notifications[0]?.id })
    expect(await unread('first')).toBe(1)

    await step('second', id, { state: 'Approved' })
    expect(await actions('first')).toEqual([[id, 'apply']])
    expect(await unread('first')).toBe(1)
    await step('second', id, { state: 'Applied' })
    expect(await actions('first')).toEqual([])
  })

  test('one that was read does not clear the others', async () => {
    const first = await draft()
    await step('author', first, { state: 'In review' })
    const second = await draft()
    await step('author', second, { state: 'In review' })
    await as('first', `GET ${REQUESTS}/${second}`)
    expect(await actions('first')).toEqual([
      [first, 'review'],
      [second, 'review'],
    ])
    expect(await unread('first')).toBe(2)
    for (const id of [first, second]) await step('first', id, { state: 'Rejected' })
    expect([await actions('first'), await unread('first')]).toEqual([[], 0])
  })

  test('a failed schedule waits for the author and for those who can apply it, before everything else', async () => {
    const id = await draft()
    await step('author', id, { state: 'In review' })
    await step('first', id, { state: 'Approved' })
    await step('first', id, { state: 'Scheduled', scheduledAt: new Date(now + 60_000).toISOString() })
    expect(await actions('second')).toEqual([])
    await server.admin(`DELETE ${PROJECT}/features/guarded`)
    now += 60_000
    await server.server.applyDue()
    expect(await actions('author')).toEqual([[id, 'failed-schedule']])
    expect((await inbox('second')).requests).toMatchObject([{ id, reason: expect.stringMatching(/./) }])
    expect(await actions('member')).toEqual([])
  })
})

describe('beside them', () => {
  test.each([
    ['tomorrow', DAY_MS, true],
    ['in two weeks', 14 * DAY_MS, true],
    ['later', 15 * DAY_MS, false],
  ])('a personal token that expires %s', async (name, ms, isListed) => {
    const expiresAt = new Date(now + ms).toISOString()
    await as('member', `POST ${A}/user/tokens`, { description: name, expiresAt })
    const own = (await inbox('member')).tokens.filter((one) => one.name === name)
    expect(own).toMatchObject(isListed ? [{ personal: true, expiresAt }] : [])
    expect((await inbox('author')).tokens).toEqual([])
  })

  test('expiring API tokens and failed deliveries wait for administrators only', async () => {
    const expiresAt = new Date(now + DAY_MS).toISOString()
    const token = { tokenName: 'web', type: 'client', environment: 'production', projects: ['*'], expiresAt }
    await server.admin(`POST ${A}/api-tokens`, token)
    const bot = {
      provider: 'webhook',
      enabled: true,
      description: 'bot',
      events: ['feature-created'],
      parameters: { url: 'https://bot.invalid/' },
    }
    const { id } = await server.admin(`POST ${A}/addons`, bot)
    await server.call({ as: 'admin', call: `POST ${A}/addons/${id}/test` })
    const login = await server.call({
      call: 'POST /auth/simple/login',
      body: { username: 'admin', password: 'a good password' },
    })
    const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? ''
    const seen = (await server.call({ headers: { cookie }, call: `GET ${A}/user/inbox` })).json() as Inbox
    expect(seen).toMatchObject({
      tokens: [{ name: 'web', personal: false, expiresAt }],
      deliveries: [{ integrationId: id, provider: 'webhook', description: 'bot' }],
    })
    expect(await inbox('author')).toMatchObject({ tokens: [], deliveries: [] })
  })

  test.each([
    ['a token of administration', 'admin', 403],
    ['nobody', undefined, 401],
  ] as const)('%s is refused', async (_name, role, status) => {
    const reply = await server.call({ call: `GET ${A}/user/inbox`, ...(role && { as: role }) })
    expect(reply.statusCode).toBe(status)
  })
})
