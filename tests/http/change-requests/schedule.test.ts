import { randomBytes } from 'node:crypto'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createServer } from '@burgee/server'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { CHEAP } from '../../support/password-cost.ts'
import { optionsOf, startServer, type TestServer } from '../scenario.ts'
import { addPeople, type People, type Person } from './people.ts'

let server: TestServer
let people: People
let now = Date.now()
const MINUTE_MS = 60_000
const PROJECT = '/api/admin/projects/default'
const REQUESTS = `${PROJECT}/change-requests`

beforeAll(async () => {
  server = await startServer({}, () => now)
  people = await addPeople(server)
  await server.admin(`PUT ${PROJECT}/environments/production/change-requests/config`, { changeRequestsEnabled: true })
})
afterAll(() => server.close())

let count = 0
let flag = ''
beforeEach(async () => {
  count += 1
  flag = `flag-${count}`
  await server.admin(`POST ${PROJECT}/features`, { name: flag })
})

async function call(by: Person, line: string, body?: unknown, status = 200) {
  const reply = await server.call({ call: line, ...(body === undefined ? {} : { body }), ...people.as[by] })
  expect(reply.statusCode, reply.body).toBe(status)
  return reply.body === '' ? undefined : reply.json()
}

const step = (by: Person, id: number, body: object, status = 200) =>
  call(by, `PUT ${REQUESTS}/${id}/state`, body, status)

/** Creates an approved request, which by default enables the flag. Returns its id. */
async function approved(what: object = { action: 'updateEnabled', payload: { enabled: true } }): Promise<number> {
  const change = { feature: flag, ...what }
  const { id } = await call('author', `POST ${PROJECT}/environments/production/change-requests`, change)
  await step('author', id, { state: 'In review' })
  await step('first', id, { state: 'Approved' })
  return id
}

const inMs = (ms: number) => ({ state: 'Scheduled', scheduledAt: new Date(now + ms).toISOString() })

/** Advances the clock, applies due requests, and returns the events and the request. */
async function whenDue(id: number, ms: number) {
  const last = await server.lastEventId()
  now += ms
  await server.server.applyDue()
  const events = await server.eventsAfter(last)
  return { events, request: await call('first', `GET ${REQUESTS}/${id}`) }
}

const isOn = async () => (await server.admin(`GET ${PROJECT}/features/${flag}/environments/production`)).enabled

describe('a schedule', () => {
  test('lists the requests that have one', async () => {
    const id = await approved()
    const last = await server.lastEventId()
    const { schedule, state } = await step('first', id, inMs(MINUTE_MS))
    expect([state, schedule]).toEqual([
      'Scheduled',
      { scheduledAt: new Date(now + MINUTE_MS).toISOString(), status: 'pending' },
    ])
    expect(await server.eventsAfter(last)).toEqual(['change-request-scheduled'])
    expect(await call('author', `GET ${REQUESTS}/scheduled`)).toEqual([
      { id, environment: 'production', title: `Change request #${id}` },
    ])
    expect((await whenDue(id, MINUTE_MS - 1)).events).toEqual([])
    expect(await isOn()).toBe(false)
    const { events, request } = await whenDue(id, 1)
    expect(events).toEqual([
      'feature-strategy-add',
      'feature-environment-enabled',
      'change-request-applied',
      'change-request-scheduled-application-success',
    ])
    expect(request).toMatchObject({ state: 'Applied', comments: [] })
    expect(await isOn()).toBe(true)
    expect((await whenDue(id, MINUTE_MS)).events).toEqual([])
  })

  test.each([
    ['none', {}],
    ['no time', { scheduledAt: 'soon' }],
    ['without a zone', { scheduledAt: '2999-01-01T00:00:00' }],
    ['past', { scheduledAt: '2020-01-01T00:00:00Z' }],
  ])('must be one to come, with a zone: %s → 400', async (_name, more) => {
    const id = await approved()
    const reply = await step('first', id, { state: 'Scheduled', ...more }, 400)
    expect(reply.message).toContain('"scheduledAt"')
  })

  test('needs the permission to apply, and an approved request', async () => {
    const id = await approved()
    await step('member', id, inMs(MINUTE_MS), 403)
    await step('first', id, { state: 'Applied', scheduledAt: '2999-01-01T00:00:00Z' }, 400)
  })

  test('missed while the server was down catches up, with a comment', async () => {
    const id = await approved()
    await step('first', id, inMs(MINUTE_MS))
    const { events, request } = await whenDue(id, 13 * MINUTE_MS)
    expect(events).toContain('change-request-scheduled-application-success')
    expect(request.comments).toMatchObject([
      {
        text: expect.stringContaining('Applied 12 minutes after the scheduled time'),
        createdBy: { username: 'system' },
      },
    ])
  })

  test('missed catches up however many comments there are', async () => {
    const id = await approved()
    await step('first', id, inMs(MINUTE_MS))
    const comment = `(${id}, 'so', ${people.ids.first}, 'first', ${now})`
    await server.db.rows(
      `insert into change_request_comments (request_id, text, created_by_user_id, created_by, created_at)
        values ${Array.from({ length: 500 }, () => comment).join(',')}`,
    )
    const { request } = await whenDue(id, 13 * MINUTE_MS)
    expect([request.state, request.comments.length]).toEqual(['Applied', 500])
  })

  // only one process at a time can open the embedded database
  test.skipIf(inject('driver') === 'sqlite')('comes once, on however many servers', async () => {
    const quiet = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }
    const other = await createServer({
      options: optionsOf({ ...server.databaseOptions, port: 0, host: '127.0.0.1', keepDocuments: false }),
      clock: () => now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger: quiet,
      passwordCost: CHEAP,
    })
    try {
      const ids: number[] = []
      for (let n = 0; n < 4; n += 1) {
        flag = `flag-${count}-${n}`
        await server.admin(`POST ${PROJECT}/features`, { name: flag })
        ids.push(await approved())
      }
      for (const id of ids) await step('first', id, inMs(MINUTE_MS))
      const last = await server.lastEventId()
      now += MINUTE_MS
      await Promise.all([server, { server: other }, server, { server: other }].map((one) => one.server.applyDue()))
      expect((await server.eventsAfter(last)).toSorted()).toEqual(
        ids
          .flatMap(() => [
            'feature-strategy-add',
            'feature-environment-enabled',
            'change-request-applied',
            'change-request-scheduled-application-success',
          ])
          .toSorted(),
      )
    } finally {
      await other.close()
    }
  })

  test('goes with an edit', async () => {
    const id = await approved()
    const { features } = await step('first', id, inMs(MINUTE_MS))
    const [change] = features[0].changes
    await call(
      'author',
      `PUT ${REQUESTS}/${id}/changes/${change.id}`,
      { action: 'updateEnabled', payload: { enabled: false } },
      204,
    )
    const { events, request } = await whenDue(id, MINUTE_MS)
    expect([events, request.state, request.schedule]).toEqual([[], 'In review', undefined])
  })

  test('appears at both of two requests for one flag as a conflict', async () => {
    const [one, two] = [await approved(), await approved()]
    await step('first', one, inMs(MINUTE_MS))
    const { features } = await step('first', two, inMs(2 * MINUTE_MS))
    expect(features[0].changes[0].scheduleConflicts).toEqual({
      changeRequests: [{ id: one, title: `Change request #${one}` }],
    })
    await step('author', one, { state: 'Cancelled' })
    await step('author', two, { state: 'Cancelled' })
  })
})

describe('a scheduled request that is not applied has a reason and is not retried', () => {
  test('a flag that has moved on suspends it; with another time it goes on', async () => {
    const id = await approved()
    await step('first', id, inMs(MINUTE_MS))
    await server.admin(`POST ${PROJECT}/features/${flag}/environments/production/strategies`, { name: 'default' })
    const { events, request } = await whenDue(id, MINUTE_MS)
    expect(events).toEqual(['change-request-schedule-suspended'])
    expect(request.schedule).toMatchObject({ status: 'suspended', reason: expect.stringContaining('was added') })
    expect((await whenDue(id, MINUTE_MS)).events).toEqual([])
    const [change] = request.features[0].changes
    await call(
      'author',
      `PUT ${REQUESTS}/${id}/changes/${change.id}`,
      { action: 'updateEnabled', payload: { enabled: true } },
      204,
    )
    await step('second', id, { state: 'Approved' })
    await step('second', id, inMs(MINUTE_MS))
    expect((await whenDue(id, MINUTE_MS)).request.state).toBe('Applied')
  })

  test('an actor who lost the permission to apply suspends it', async () => {
    const id = await approved()
    await step('second', id, inMs(MINUTE_MS))
    await server.db.rows('update project_members set role_id = 5 where user_id = ?', people.ids.second)
    const { events, request } = await whenDue(id, MINUTE_MS)
    await server.db.rows('update project_members set role_id = 4 where user_id = ?', people.ids.second)
    expect(events).toEqual(['change-request-schedule-suspended'])
    expect(request.schedule).toMatchObject({
      status: 'suspended',
      reason: expect.stringContaining('APPLY_CHANGE_REQUEST'),
    })
    expect(await isOn()).toBe(false)
  })

  test('an increased number of required approvals fails it', async () => {
    const id = await approved()
    await step('first', id, inMs(MINUTE_MS))
    const config = `PUT ${PROJECT}/environments/production/change-requests/config`
    await server.admin(config, { changeRequestsEnabled: true, requiredApprovals: 2 })
    const { events, request } = await whenDue(id, MINUTE_MS)
    await server.admin(config, { changeRequestsEnabled: true, requiredApprovals: 1 })
    expect(events).toEqual(['change-request-scheduled-application-failure'])
    expect(request.schedule).toMatchObject({
      status: 'failed',
      failureReason: expect.stringContaining('1 of the 2 required approvals'),
    })
  })

  test('a change that cannot be made fails it', async () => {
    const id = await approved({ action: 'archiveFeature' })
    await step('first', id, inMs(MINUTE_MS))
    // the flag cannot be archived, because it is now the parent of another flag, although it is unchanged itself
    await server.admin(`POST ${PROJECT}/features`, { name: `${flag}-child` })
    await server.admin(`POST ${PROJECT}/features/${flag}-child/dependencies`, { feature: flag })
    const { events, request } = await whenDue(id, MINUTE_MS)
    expect(events).toEqual(['change-request-scheduled-application-failure'])
    expect(request.schedule.reason).toContain('is the parent of')
  })

  test('a deactivated actor suspends it, and the approvals of that actor no longer count', async () => {
    const [scheduled, other] = [await approved(), await approved()]
    await step('second', scheduled, inMs(MINUTE_MS))
    const deactivate = (who: Person, active: number) =>
      server.db.rows('update users set active = ? where id = ?', active, people.ids[who])
    await deactivate('second', 0)
    const { events, request } = await whenDue(scheduled, MINUTE_MS)
    expect([events, request.schedule.status, await isOn()]).toEqual([
      ['change-request-schedule-suspended'],
      'suspended',
      false,
    ])
    await deactivate('second', 1)
    await deactivate('first', 0)
    await step('second', other, { state: 'Applied' }, 409)
    await deactivate('first', 1)
    await step('second', other, { state: 'Applied' })
  })

  test('a deleted actor suspends it', async () => {
    const id = await approved()
    await step('second', id, inMs(MINUTE_MS))
    await server.admin(`DELETE /api/admin/user-admin/${people.ids.second}`)
    const { request } = await whenDue(id, MINUTE_MS)
    expect(request.schedule).toMatchObject({
      status: 'suspended',
      reason: expect.stringContaining('was deleted'),
    })
  })
})
