import type { FlagPeople } from '@burgee/protocol/user'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queryCounter } from '../../support/queries.ts'
import { addPeople, type People, type Person } from '../change-requests/people.ts'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Presence: users who are viewing a flag, and its followers. */
const A = '/api/admin'
const F = `${A}/projects/default/features`
const ME = `${A}/user/presence`
const MINUTE_MS = 60_000
/** Maximum number of queries, independent of the number of users. */
const MOST_QUERIES = 12
const counter = queryCounter()
let now = Date.now()
let server: TestServer
let people: People

beforeAll(async () => {
  server = await startServer({}, () => now, { onQuery: counter.onQuery })
  people = await addPeople(server)
  await as('first', `POST ${F}`, { name: 'f' })
  await as('first', `POST ${F}`, { name: 'g' })
  await server.admin(`POST ${A}/projects`, { id: 'secret', name: 'Secret', mode: 'private' })
  await server.admin(`POST ${A}/projects/secret/features`, { name: 'known-to-few' })
})
afterAll(() => server.close())
beforeEach(() => {
  // expires all presences
  now += MINUTE_MS
})

/** Makes a successful call as a user. Returns the JSON of the reply, or undefined if it has no body. */
async function as(person: Person, call: string, body?: unknown) {
  const reply = await server.call({ ...people.as[person], call, ...(body === undefined ? {} : { body }) })
  expect(reply.statusCode, `${call} ${reply.body}`).toBeLessThan(300)
  return reply.body === '' ? undefined : reply.json()
}

const looks = (person: Person, feature: string, project = 'default') => as(person, `PUT ${ME}`, { project, feature })
const leaves = (person: Person, feature: string) => as(person, `DELETE ${ME}?project=default&feature=${feature}`)
const peopleOf = (person: Person, feature: string, project = 'default'): Promise<FlagPeople> =>
  as(person, `GET ${A}/projects/${project}/features/${feature}/people`)
const presentFor = async (person: Person, feature: string, project?: string) =>
  (await peopleOf(person, feature, project)).present.map(({ name }) => name)
const followersFor = async (person: Person, feature: string, project?: string) =>
  (await peopleOf(person, feature, project)).followers.map(({ name, reason }) => `${name}: ${reason}`)
const placeOf = (person: Person) =>
  server.db.rows('select feature_name, seen_at from flag_presences where user_id = ?', people.ids[person])

describe('a viewer of a flag', () => {
  test('shows users to each other by name, but not to themselves', async () => {
    expect(await presentFor('first', 'f')).toEqual([])
    await looks('second', 'f')
    await looks('member', 'f')
    await looks('first', 'f')
    expect(await peopleOf('first', 'f')).toMatchObject({
      present: [
        { id: people.ids.member, name: 'member' },
        { id: people.ids.second, name: 'second' },
      ],
    })
    expect(await presentFor('member', 'f')).toEqual(['first', 'second'])
    expect(await presentFor('first', 'g')).toEqual([])
    const { present } = await server.admin(`GET ${F}/f/people`)
    expect(present).toHaveLength(3)
  })

  test('appears only at the last viewed flag', async () => {
    await looks('second', 'f')
    await looks('second', 'g')
    expect([await presentFor('first', 'f'), await presentFor('first', 'g')]).toEqual([[], ['second']])
    expect(await placeOf('second')).toHaveLength(1)
  })

  test('moves a user who leaves immediately, unless another page is open by then', async () => {
    await looks('second', 'f')
    await looks('second', 'g')
    await leaves('second', 'f')
    expect(await presentFor('first', 'g')).toEqual(['second'])
    await leaves('second', 'g')
    expect(await presentFor('first', 'g')).toEqual([])
    await leaves('second', 'g')
  })

  test('disappears a minute after the last report', async () => {
    await looks('second', 'f')
    now += MINUTE_MS - 1
    expect(await presentFor('first', 'f')).toEqual(['second'])
    now += 1
    expect(await presentFor('first', 'f')).toEqual([])
  })

  test.each([
    ['the same within 20 seconds is not', 19_999, 'f', 0],
    ['the same after 20 seconds is', 20_000, 'f', 20_000],
    ['another flag is at once', 1, 'g', 1],
    ['what a clock that was set back has written is mended', -MINUTE_MS, 'f', -MINUTE_MS],
  ])('causes a write only if needed: %s', async (_what, laterMs, feature, writtenMs) => {
    const begin = now
    await looks('second', 'f')
    now = begin + laterMs
    await looks('second', feature)
    const [place] = await placeOf('second')
    expect([place?.feature_name, Number(place?.seen_at) - begin]).toEqual([feature, writtenMs])
    now = begin
  })

  test('changes nothing else: no event, no other download, no other list', async () => {
    const download = async () => (await server.call({ as: 'client', call: 'GET /api/client/features' })).headers.etag
    const list = async () => (await server.call({ as: 'admin', call: `GET ${F}` })).body
    const before = [await server.lastEventId(), await download(), await list()]
    await looks('second', 'f')
    await leaves('second', 'f')
    await as('second', `PUT ${ME}/shown`, { shown: false })
    await as('second', `PUT ${ME}/shown`, { shown: true })
    expect([await server.lastEventId(), await download(), await list()]).toEqual(before)
  })

  test('stays hidden on request, from then until the user revokes it', async () => {
    await looks('second', 'f')
    expect(await as('second', `GET ${ME}`)).toEqual({ shown: true })
    expect(await as('second', `PUT ${ME}/shown`, { shown: false })).toEqual({ shown: false })
    expect(await presentFor('first', 'f')).toEqual([])
    await looks('second', 'f')
    expect(await placeOf('second')).toEqual([])
    expect(await as('second', `PUT ${ME}/shown`, { shown: false })).toEqual({ shown: false })
    expect(await as('second', `GET ${ME}`)).toEqual({ shown: false })
    expect(await as('first', `GET ${ME}`)).toEqual({ shown: true })
    // simulates that another node writes at the same time
    await server.db.rows(
      'insert into flag_presences (user_id, feature_name, seen_at) values (?, ?, ?)',
      ...[people.ids.second, 'f', now],
    )
    expect(await presentFor('first', 'f')).toEqual([])
    expect(await as('second', `PUT ${ME}/shown`, { shown: true })).toEqual({ shown: true })
    await looks('second', 'f')
    expect(await presentFor('first', 'f')).toEqual(['second'])
  })
})

describe('the followers of a flag', () => {
  test('include its creator and users with it as a favorite, each once, with the reason of notifications', async () => {
    await as('member', `POST ${F}/f/favorites`)
    await as('author', `POST ${F}/f/favorites`)
    await as('first', `POST ${F}/f/favorites`)
    expect(await followersFor('member', 'f')).toEqual(['first: maker', 'author: favorite', 'member: favorite'])
    const before = await server.lastEventId()
    await as('second', `PUT ${F}/f`, { description: 'new' })
    for (const person of ['first', 'author', 'member', 'second'] as const) {
      const { notifications } = await as(person, `GET ${A}/user/notifications`)
      const heard = notifications.filter(({ id }: { id: number }) => id > before)
      const told = heard.map(({ reason }: { reason: string }) => `${person}: ${reason}`)
      expect(told).toEqual((await followersFor('first', 'f')).filter((one) => one.startsWith(`${person}:`)))
    }
    await as('author', `DELETE ${F}/f/favorites`)
    expect(await followersFor('member', 'f')).toEqual(['first: maker', 'member: favorite'])
  })

  test('include neither tokens nor removed users', async () => {
    await server.admin(`POST ${F}`, { name: 'by-token' })
    expect(await followersFor('first', 'by-token')).toEqual([])
  })
})

describe('in a private project', () => {
  const secret = ['known-to-few', 'secret'] as const
  const roles = `${A}/projects/secret/users`

  test('only users who may see the flag appear, and only they see the others', async () => {
    for (const person of ['first', 'second'] as const) {
      await server.admin(`POST ${roles}/${people.ids[person]}/roles/5`)
      await as(person, `POST ${A}/projects/secret/features/known-to-few/favorites`)
      await looks(person, ...secret)
    }
    expect(await presentFor('first', ...secret)).toEqual(['second'])
    expect(await followersFor('first', ...secret)).toEqual(['first: favorite', 'second: favorite'])
    await server.admin(`DELETE ${roles}/${people.ids.second}/roles/5`)
    expect(await presentFor('first', ...secret)).toEqual([])
    expect(await followersFor('first', ...secret)).toEqual(['first: favorite'])
  })

  scenarios(
    () => server,
    [
      {
        name: 'others learn nothing of who is there',
        headers: { cookie: 'burgee-session=member-session' },
        call: `GET ${A}/projects/secret/features/known-to-few/people`,
        status: 404,
        text: 'secret',
      },
      {
        name: 'nor do they get in by looking',
        headers: { cookie: 'burgee-session=member-session' },
        call: `PUT ${ME}`,
        body: { project: 'secret', feature: 'known-to-few' },
        status: 404,
        events: [],
      },
    ],
  )
})

test('a deactivated user is neither present nor a follower', async () => {
  await as('member', `POST ${F}/g/favorites`)
  await looks('member', 'g')
  await server.db.rows('update users set active = 0 where id = ?', people.ids.member)
  expect(await peopleOf('second', 'g')).toMatchObject({ present: [], followers: [{ name: 'first' }] })
  await server.db.rows('update users set active = 1 where id = ?', people.ids.member)
  expect(await presentFor('second', 'g')).toEqual(['member'])
})

test('takes as many queries however many people there are', async () => {
  const ask = () => peopleOf('first', 'g')
  await ask()
  const few = await counter.count(ask)
  for (const person of ['author', 'second', 'member'] as const) {
    await as(person, `POST ${F}/g/favorites`)
    await looks(person, 'g')
  }
  expect((await ask()).present).toHaveLength(3)
  expect(await counter.count(ask)).toBe(few)
  expect(few).toBeLessThanOrEqual(MOST_QUERIES)
})

test('it goes with the person', async () => {
  await looks('author', 'g')
  await as('second', `PUT ${ME}/shown`, { shown: false })
  for (const person of ['author', 'second'] as const) await server.admin(`DELETE ${A}/user-admin/${people.ids[person]}`)
  expect(await placeOf('author')).toEqual([])
  expect(await server.db.rows('select user_id from hidden_presences')).toEqual([])
})

describe('is refused', () => {
  const session = { headers: { cookie: 'burgee-session=first-session' } }
  const put = `PUT ${ME}`
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: put, body: { project: 'default', feature: 'f' }, status: 401 },
      {
        name: 'an API token, which looks at nothing',
        as: 'admin',
        call: put,
        body: { project: 'default', feature: 'f' },
        status: 403,
        text: 'Only users',
      },
      { name: 'a token that leaves', as: 'admin', call: `DELETE ${ME}?project=default&feature=f`, status: 403 },
      { name: 'a token that hides', as: 'admin', call: `PUT ${ME}/shown`, body: { shown: false }, status: 403 },
      { name: 'a token that asks for its choice', as: 'admin', call: `GET ${ME}`, status: 403 },
      { name: 'no flag', ...session, call: put, body: { project: 'default' }, status: 400, text: 'feature' },
      { name: 'no project', ...session, call: put, body: { feature: 'f' }, status: 400, text: 'project' },
      {
        name: 'more than that',
        ...session,
        call: put,
        body: { project: 'default', feature: 'f', since: 1 },
        status: 400,
        text: 'since',
      },
      { name: 'an unknown flag', ...session, call: put, body: { project: 'default', feature: 'nope' }, status: 404 },
      {
        name: 'a flag of another project',
        ...session,
        call: put,
        body: { project: 'secret', feature: 'f' },
        status: 404,
      },
      { name: 'leaving nothing', ...session, call: `DELETE ${ME}`, status: 400, text: 'project' },
      { name: 'half a choice', ...session, call: `PUT ${ME}/shown`, body: { shown: 'no' }, status: 400, text: 'shown' },
      { name: 'people of an unknown flag', ...session, call: `GET ${F}/nope/people`, status: 404 },
    ],
  )
})
