import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPeople, type People } from '../change-requests/people.ts'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Comments on flags. */
let server: TestServer
let people: People
const START = Date.now()
let now = START
const iso = (time: number) => new Date(time).toISOString()
const P = '/api/admin/projects'
const F = `${P}/default/features`
const C = `${F}/f/comments`
const TEXT = 'Rollout paused until the incident review.\nSee https://example.com/42'
const SAID = ['feature-comment-added']
const added = (id: number) => `${C}/${id}`

interface Seen {
  readonly id: number
  readonly text: string
}

beforeAll(async () => {
  server = await startServer({}, () => now)
  people = await addPeople(server)
  await server.admin(`POST ${P}`, { id: 'shop', name: 'Shop' })
  await server.admin(`POST ${F}`, { name: 'f' })
  await server.admin(`POST ${P}/shop/features`, { name: 'basket' })
})
afterAll(() => server.close())

const commentsOf = async (url = C): Promise<Seen[]> => (await server.admin(`GET ${url}`)).comments
const textsOf = async (url = C) => (await commentsOf(url)).map(({ text }) => text)
const by = (person: keyof People['as']): Pick<Scenario, 'headers'> => ({
  headers: { cookie: `burgee-session=${person}-session` },
})

describe('comments on a flag', () => {
  const say = `POST ${C}`
  const body = { text: TEXT }
  scenarios(() => server, [
    { name: 'none at first', as: 'viewer', call: `GET ${C}`, status: 200, has: { comments: [] } },
    { name: 'reading, anonymous', call: `GET ${C}`, status: 401 },
    { name: 'writing, anonymous', call: say, body, status: 401 },
    { name: 'nor a viewer', as: 'viewer', call: say, body, status: 403, text: 'UPDATE_FEATURE' },
    { name: 'nor an SDK', as: 'client', call: say, body, status: 403 },
    {
      name: 'nor who may change another project',
      ...by('member'),
      call: `POST ${P}/shop/features/basket/comments`,
      body,
      status: 403,
    },
    { name: 'not of an unknown flag', ...by('member'), call: `POST ${F}/nope/comments`, body, status: 404 },
    { name: 'nor read of one', as: 'viewer', call: `GET ${F}/nope/comments`, status: 404 },
    { name: 'nor of a flag of another project', as: 'admin', call: `POST ${F}/basket/comments`, body, status: 404 },
    { name: 'nor read there', as: 'admin', call: `GET ${F}/basket/comments`, status: 404 },
    { name: 'nor in an unknown project', as: 'admin', call: `POST ${P}/nope/features/f/comments`, body, status: 404 },
    { name: 'not without a text', as: 'admin', call: say, body: {}, status: 400, text: 'text' },
    { name: 'nor with an empty one', as: 'admin', call: say, body: { text: '' }, status: 400, text: 'body/text' },
    { name: 'nor with spaces', as: 'admin', call: say, body: { text: ' \n ' }, status: 400, text: 'body/text' },
    { name: 'nor with a number', as: 'admin', call: say, body: { text: ['a'] }, status: 400, text: 'body/text' },
    {
      name: 'nor with one that is too long',
      as: 'admin',
      call: say,
      body: { text: 'x'.repeat(5001) },
      status: 400,
      text: 'body/text',
    },
    { name: 'nor with what is not JSON', as: 'admin', call: say, raw: '{', status: 400 },
    {
      name: 'one of a member, without the spaces around',
      ...by('member'),
      call: say,
      body: { text: `  ${TEXT}\n` },
      status: 201,
      has: { id: 1, text: TEXT },
      events: SAID,
    },
    {
      name: 'one of an API token',
      as: 'admin',
      call: say,
      body: { text: 'From CI' },
      status: 201,
      has: { id: 2, createdBy: { id: -42, username: 'admin' } },
      events: SAID,
    },
    { name: 'the longest', as: 'editor', call: say, body: { text: 'x'.repeat(5000) }, status: 201, events: SAID },
  ] satisfies Scenario[])

  test('appear in order, with author and time, to every reader of the flag', async () => {
    const reply = await server.call({ as: 'viewer', call: `GET ${C}` })
    const [first, second, third] = reply.json().comments
    const createdAt = iso(now)
    const imageUrl = expect.stringMatching(/^https:\/\/gravatar\.com\/avatar\/[0-9a-f]{64}\?/)
    const createdBy = { id: people.ids.member, username: 'member', imageUrl }
    expect(first).toEqual({ id: 1, text: TEXT, createdBy, createdAt })
    expect([second.text, second.createdBy.username, third.createdBy.username]).toEqual(['From CI', 'admin', 'editor'])
  })

  test('appear as events, which change no download', async () => {
    const { events } = await server.admin('GET /api/admin/events/f')
    expect(events.at(-2)).toMatchObject({
      type: 'feature-comment-added',
      project: 'default',
      featureName: 'f',
      environment: null,
      createdBy: 'member',
      createdByUserId: people.ids.member,
      preData: null,
      data: { commentId: 1, text: TEXT },
    })
    const reach = await server.db.rows("select reach from events where type = 'feature-comment-added'")
    expect(reach).toEqual(Array(3).fill({ reach: null }))
  })
})

describe('a comment is edited', () => {
  const body = { text: 'Rollout goes on.' }
  const edit = `PUT ${added(1)}`
  const events = ['feature-comment-edited']
  beforeAll(() => {
    now = START + 60_000
  })
  scenarios(() => server, [
    { name: 'anonymous', call: edit, body, status: 401 },
    { name: 'nor by a viewer', as: 'viewer', call: edit, body, status: 403, text: 'UPDATE_FEATURE' },
    { name: 'nor by another member', ...by('author'), call: edit, body, status: 403, text: 'Only the author' },
    { name: 'nor by an owner', ...by('first'), call: edit, body, status: 403, text: 'Only the author' },
    { name: 'nor by an admin', as: 'admin', call: edit, body, status: 403, text: 'Only the author' },
    { name: 'not with nothing', ...by('member'), call: edit, body: { text: '' }, status: 400, text: 'body/text' },
    { name: 'an unknown one', ...by('member'), call: `PUT ${C}/99`, body, status: 404, text: 'no comment' },
    { name: 'one that is no number', ...by('member'), call: `PUT ${C}/x1`, body, status: 404, text: 'no comment' },
    { name: 'one of another flag', as: 'admin', call: `PUT ${P}/shop/features/basket/comments/1`, body, status: 404 },
    {
      name: 'with the same text, no edit',
      ...by('member'),
      call: edit,
      body: { text: TEXT },
      status: 200,
      has: { text: TEXT },
    },
    {
      name: 'by its author',
      ...by('member'),
      call: edit,
      body,
      status: 200,
      has: { ...body, editedAt: iso(START + 60_000), createdAt: iso(START) },
      events,
    },
    {
      name: 'and by the token that wrote it',
      as: 'admin',
      call: `PUT ${added(2)}`,
      body: { text: 'From CI, again' },
      status: 200,
      events,
    },
  ] satisfies Scenario[])

  test('stays in its place, and the event has both texts', async () => {
    expect((await textsOf()).slice(0, 2)).toEqual(['Rollout goes on.', 'From CI, again'])
    const { events: told } = await server.admin('GET /api/admin/events/f')
    expect(told[1]).toMatchObject({
      type: 'feature-comment-edited',
      data: { commentId: 1, ...body },
      preData: { commentId: 1, text: TEXT },
    })
  })

  test('fails for a token with the same number and another name', async () => {
    const { secret } = await server.admin('POST /api/admin/api-tokens', { tokenName: 'robot', type: 'admin' })
    const reply = await server.call({ as: secret, call: `PUT ${added(2)}`, body })
    expect([reply.statusCode, reply.json().name]).toEqual([403, 'NoAccessError'])
  })
})

describe('a comment is deleted', () => {
  const drop = `DELETE ${added(1)}`
  const events = ['feature-comment-deleted']
  scenarios(() => server, [
    { name: 'anonymous', call: drop, status: 401 },
    { name: 'nor by a viewer', as: 'viewer', call: drop, status: 403, text: 'UPDATE_FEATURE' },
    { name: 'nor by another member', ...by('author'), call: drop, status: 403, text: 'UPDATE_PROJECT' },
    { name: 'an unknown one', as: 'admin', call: `DELETE ${C}/99`, status: 404, text: 'no comment' },
    { name: 'one of another flag', as: 'admin', call: `DELETE ${P}/shop/features/basket/comments/1`, status: 404 },
    { name: 'by its author', ...by('member'), call: drop, status: 204, empty: true, events },
    { name: 'and then no more', ...by('member'), call: drop, status: 404 },
    { name: 'by an owner of the project', ...by('first'), call: `DELETE ${added(2)}`, status: 204, events },
    { name: 'by an admin', as: 'admin', call: `DELETE ${added(3)}`, status: 204, events },
  ] satisfies Scenario[])

  test('disappears, and the event has its text and author', async () => {
    expect(await commentsOf()).toEqual([])
    const { events: told } = await server.admin('GET /api/admin/events/f')
    expect(told[1]).toMatchObject({
      type: 'feature-comment-deleted',
      createdBy: 'first',
      data: null,
      preData: { commentId: 2, text: 'From CI, again', createdBy: 'admin' },
    })
  })

  test('succeeds for actors who may change the project, even if they may not comment', async () => {
    const body = { name: 'Settings only', type: 'custom', permissions: [{ name: 'UPDATE_PROJECT' }] }
    const { roles: made } = await server.admin('POST /api/admin/roles', body)
    const { id } = await server.admin(`POST ${C}`, { text: 'not for here' })
    await server.admin(`PUT ${P}/default/users/${people.ids.author}/roles`, { roles: [made.id] })
    const write = await server.call({ call: `POST ${C}`, body: { text: 'me too' }, ...by('author') })
    expect([write.statusCode, write.json().permissions]).toEqual([403, ['UPDATE_FEATURE']])
    expect((await server.call({ call: `DELETE ${added(id)}`, ...by('author') })).statusCode).toBe(204)
    await server.admin(`PUT ${P}/default/users/${people.ids.author}/roles`, { roles: [5] })
  })

  test('its author may not, once they only read', async () => {
    const made = await server.call({ call: `POST ${C}`, body: { text: 'mine' }, ...by('second') })
    await server.admin(`PUT ${P}/default/users/${people.ids.second}/roles`, { roles: [] })
    const reply = await server.call({ call: `DELETE ${added(made.json().id)}`, ...by('second') })
    expect([reply.statusCode, reply.json().permissions]).toEqual([403, ['UPDATE_FEATURE']])
  })
})

describe('a flag takes', () => {
  const insert = `insert into feature_comments (feature_name, text, created_by_user_id, created_by, created_at)`
  const fill = async (flag: string, texts: readonly string[]) => {
    await server.admin(`POST ${F}`, { name: flag })
    for (const text of texts) await server.db.rows(`${insert} values (?, ?, -42, 'admin', 1)`, flag, text)
  }
  const call = (line: string, text: string) => server.call({ as: 'admin', call: line, body: { text } })

  test('500 comments', async () => {
    await fill('many', Array(499).fill('a'))
    const replies = [await call(`POST ${F}/many/comments`, 'b'), await call(`POST ${F}/many/comments`, 'c')]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 400])
    expect(replies[1]?.body).toContain('500 comments')
    // comments that already exist can still be edited
    const { id } = replies[0]?.json() ?? {}
    expect((await call(`PUT ${F}/many/comments/${id}`, 'd')).statusCode).toBe(200)
  })

  test('at most 200,000 characters in total, also after an edit', async () => {
    await fill('long', ['a'.repeat(199_990)])
    const made = await call(`POST ${F}/long/comments`, 'b'.repeat(10))
    expect(made.statusCode).toBe(201)
    const edit = `PUT ${F}/long/comments/${made.json().id}`
    const longer = await call(edit, 'c'.repeat(11))
    expect([longer.statusCode, longer.body]).toEqual([400, expect.stringContaining('200000 characters')])
    expect((await call(edit, 'c'.repeat(10))).statusCode).toBe(200)
  })
})

describe('comments stay with their flag', () => {
  const of = `${F}/g/comments`
  const say = { as: 'admin', call: `POST ${of}`, body: { text: 'Once more' } } as const
  beforeAll(async () => {
    await server.admin(`POST ${F}`, { name: 'g' })
    await server.admin(`POST ${of}`, { text: 'Keep me' })
  })

  test('while it is archived, when they are read and not changed', async () => {
    const [{ id } = { id: 0 }] = await commentsOf(of)
    await server.admin(`DELETE ${F}/g`)
    expect(await textsOf(of)).toEqual(['Keep me'])
    const { body } = say
    for (const call of [say.call, `PUT ${of}/${id}`, `DELETE ${of}/${id}`]) {
      const reply = await server.call({ as: 'admin', call, ...(call.startsWith('DELETE') ? {} : { body }) })
      expect([reply.statusCode, reply.body]).toEqual([404, expect.stringContaining('archived')])
    }
    await server.admin('POST /api/admin/archive/revive/g')
    expect((await server.call(say)).statusCode).toBe(201)
  })

  test('when it moves, and are of its new project only', async () => {
    await server.admin(`POST ${F}/g/changeProject`, { newProjectId: 'shop' })
    expect(await textsOf(`${P}/shop/features/g/comments`)).toEqual(['Keep me', 'Once more'])
    expect((await server.call({ as: 'admin', call: `GET ${of}` })).statusCode).toBe(404)
    await server.admin(`POST ${P}/shop/features/g/changeProject`, { newProjectId: 'default' })
  })

  test('when its author is gone, under the name', async () => {
    await server.call({ call: `POST ${of}`, body: { text: 'Farewell' }, ...by('author') })
    await server.admin(`DELETE /api/admin/user-admin/${people.ids.author}`)
    expect((await commentsOf(of)).at(-1)).toMatchObject({ text: 'Farewell', createdBy: { username: 'author' } })
  })

  test('copies start without comments', async () => {
    await server.admin(`POST ${F}/g/clone`, { name: 'copy' })
    expect(await commentsOf(`${F}/copy/comments`)).toEqual([])
  })

  test('its history is unaffected by them', async () => {
    const [{ id: first }] = (await server.db.rows("select max(id) as id from events where feature_name = 'g'")) as [
      { id: number },
    ]
    await server.admin(`POST ${of}`, { text: 'Later' })
    const { moment } = await server.admin(`GET ${F}/g/history?event=${first}`)
    expect([moment.isKnown, moment.flag.name]).toEqual([true, 'g'])
  })

  test('until it is deleted: another one of that name has none', async () => {
    await server.admin(`DELETE ${F}/g`)
    await server.admin('DELETE /api/admin/archive/g')
    expect(await server.db.rows("select id from feature_comments where feature_name = 'g'")).toEqual([])
    await server.admin(`POST ${F}`, { name: 'g' })
    expect(await commentsOf(of)).toEqual([])
  })
})
