import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { textColumnsOf } from '../projects/canary-columns.ts'
import { addSession, startServer, type TestServer } from '../scenario.ts'

/** The number of bytes that users who may not change flags can store is limited. */
const NOW = 1_800_000_000_000
const HOUR_MS = 3_600_000
const PROJECT = '/api/admin/projects/default'
const REQUESTS = `${PROJECT}/change-requests`
const KILOBYTES = 30
/** Length of a long payload. */
const LONG = 6000
const clock = { now: NOW }
let server: TestServer

beforeAll(async () => {
  server = await startServer(
    { readerStorageLimitPerHour: KILOBYTES, createUserRateLimitPerMinute: 1000 },
    () => clock.now,
  )
  for (const name of ['one', 'two']) await server.admin(`POST ${PROJECT}/features`, { name })
})
afterAll(() => server.close())

let viewers = 0
/** Creates a separate viewer for each test. */
beforeEach(async () => {
  const username = `viewer-${++viewers}`
  const { id } = await server.admin('POST /api/admin/user-admin', {
    username,
    rootRole: 3,
    password: 'a password of mine',
  })
  await addSession(server.db, username, Number(id), clock.now)
})

const asViewer = (call: string, body?: unknown) =>
  server.call({ call, body, headers: { cookie: `burgee-session=viewer-${viewers}-session` } })

const strategyOf = (characters: number, mark: number) => ({
  name: 'default',
  constraints: [
    {
      contextName: 'userId',
      operator: 'IN',
      values: Array.from({ length: characters / 100 }, (_, at) => `${mark}-${at}-`.padEnd(97, 'x')),
    },
  ],
})

async function proposal(characters: number): Promise<{ readonly id: number; readonly change: number }> {
  const body = { feature: 'one', action: 'addStrategy', payload: strategyOf(characters, 0) }
  const reply = await asViewer(`POST ${PROJECT}/environments/production/change-requests`, body)
  expect(reply.statusCode, reply.body).toBe(200)
  const { id, features } = reply.json()
  return { id, change: features[0].changes.at(-1).id }
}

/** Tables that the server may also write to by itself at any time: index, leases, sessions, settings. */
const WRITTEN_BY_SERVER = /^(event_search_\w+|integration_lease|sessions|settings|database_epoch)$/

/** Returns the number of bytes of all texts in each table, including payloads of drafts and events. */
async function storedTextsByTable(): Promise<Map<string, number>> {
  const all = Map.groupBy(await textColumnsOf(server.db, ''), ({ name }) => name.split('.', 1)[0] ?? '')
  const tables = [...all].filter(([table]) => !WRITTEN_BY_SERVER.test(table))
  const bytes = new Map<string, number>()
  for (const [table, columns] of tables) {
    const lengths = columns.map(({ name }) => `coalesce(length(cast("${name.split('.')[1]}" as text)), 0)`)
    const row = await server.db.row(`select coalesce(sum(${lengths.join(' + ')}), 0) as bytes from "${table}"`)
    bytes.set(table, Number(row?.bytes))
  }
  return bytes
}

const storedTexts = async () => [...(await storedTextsByTable()).values()].reduce((sum, bytes) => sum + bytes, 0)

const stored = async () => {
  const [row] = await server.db.rows(
    'select coalesce(sum(length(cast(data as text)) + coalesce(length(cast(pre_data as text)), 0)), 0) as bytes from events',
  )
  return Number(row?.bytes)
}

describe('a viewer who edits a change request repeatedly', () => {
  test('stores digests of long payloads, and then 429 with the time to wait', async () => {
    const { id, change } = await proposal(LONG)
    expect((await asViewer(`PUT ${REQUESTS}/${id}/state`, { state: 'In review' })).statusCode).toBe(200)
    const before = await stored()
    const replies = []
    for (let mark = 1; mark <= 30; mark += 1) {
      const body = { action: 'addStrategy', payload: strategyOf(LONG, mark) }
      replies.push(await asViewer(`PUT ${REQUESTS}/${id}/changes/${change}`, body))
    }
    const statuses = replies.map(({ statusCode }) => statusCode)
    const done = statuses.filter((status) => status === 204).length
    expect(new Set(statuses)).toEqual(new Set([204, 429]))
    // each payload replaces the one before it, and stores an event of at most 2 kB
    expect(done).toBeLessThan((KILOBYTES * 1000) / LONG)
    expect((await stored()) - before).toBeLessThan(done * 2000)
    const refused = replies.at(-1)
    expect(refused?.body).toContain(`the hourly storage limit of users who may not change flags (${KILOBYTES} kB)`)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3000)
    const event = (await server.admin('GET /api/admin/events/one')).events[0]
    const digest = { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), characters: expect.any(Number) }
    expect(event).toMatchObject({
      type: 'change-edited',
      data: { changeId: change, payload: { constraints: digest } },
      preData: { payload: { constraints: digest } },
    })
    expect(event.data.payload).not.toHaveProperty('name')
    // a rejected change has no effect, and reads still work
    const shown = await asViewer(`GET ${REQUESTS}/${id}`)
    expect(shown.json().features[0].changes[0].payload).toEqual(strategyOf(LONG, done))
    clock.now += HOUR_MS - 1000
    expect((await asViewer(`DELETE ${REQUESTS}/${id}/changes/${change}`)).statusCode).toBe(200)
  })

  test('stores short payloads whole in its events', async () => {
    const { id, change } = await proposal(300)
    await asViewer(`PUT ${REQUESTS}/${id}/state`, { state: 'In review' })
    const edit = { action: 'addStrategy', payload: strategyOf(300, 1) }
    expect((await asViewer(`PUT ${REQUESTS}/${id}/changes/${change}`, edit)).statusCode).toBe(204)
    const event = (await server.admin('GET /api/admin/events/one')).events[0]
    expect(event).toMatchObject({
      data: { payload: strategyOf(300, 1) },
      preData: { payload: strategyOf(300, 0) },
    })
  })
})

describe('the budget of a user', () => {
  test.each([
    [
      'favorites',
      async () => {
        const on = await asViewer(`POST ${PROJECT}/features/one/favorites`)
        const off = await asViewer(`DELETE ${PROJECT}/features/one/favorites`)
        expect(off.statusCode).toBe(200)
        return on
      },
      [200],
    ],
    ['the profile', () => asViewer('PUT /api/admin/user/profile', { name: 'x'.repeat(90) + Math.random() }), [200]],
    [
      'personal tokens',
      async () => {
        const expiresAt = new Date(clock.now + HOUR_MS).toISOString()
        const made = await asViewer('POST /api/admin/user/tokens', { description: 'x', expiresAt })
        if (made.statusCode !== 201) return made
        const gone = await asViewer(`DELETE /api/admin/user/tokens/${made.json().id}`)
        expect(gone.statusCode).toBe(200)
        return made
      },
      [201],
    ],
  ])('%s end with 429, and change nothing then', async (_what, act, good) => {
    const statuses = new Set<number>()
    for (let count = 0; count < 500 && !statuses.has(429); count += 1) statuses.add((await act()).statusCode)
    expect([...statuses]).toEqual([...good, 429])
    const last = await server.lastEventId()
    expect((await act()).statusCode).toBe(429)
    expect(await server.lastEventId()).toBe(last)
  })

  /** Writes that the author of a change request can make, each with a long text if it accepts one. */
  const OF_REQUEST: Readonly<Record<string, (id: number, count: number) => ReturnType<typeof asViewer>>> = {
    'changes of a draft': (_id, count) =>
      asViewer(`POST ${PROJECT}/environments/production/change-requests`, {
        feature: 'one',
        action: 'addStrategy',
        payload: strategyOf(LONG, count),
      }),
    titles: (id, count) => asViewer(`PUT ${REQUESTS}/${id}/title`, { title: `${count}-`.padEnd(90, 'x') }),
    comments: (id) => asViewer(`POST ${REQUESTS}/${id}/comments`, { text: 'x'.repeat(5000) }),
  }

  test.each(Object.entries(OF_REQUEST))('%s end with 429, and store no more than the limit', async (_what, write) => {
    const { id } = await proposal(300)
    const before = await storedTexts()
    const statuses: number[] = []
    while (statuses.length < 200 && statuses.at(-1) !== 429)
      statuses.push((await write(id, statuses.length)).statusCode)
    expect(statuses.at(-1)).toBe(429)
    expect(Math.max(...statuses.slice(0, -1))).toBeLessThan(300)
    expect((await storedTexts()) - before).toBeLessThan(KILOBYTES * 1000)
    // The server also writes in the background, for example when a user was last seen. If a refused write stored
    // something, the tables would differ after every attempt, so a single attempt without a difference is enough.
    for (let attempt = 1; ; attempt += 1) {
      const last = await storedTextsByTable()
      expect((await write(id, statuses.length)).statusCode).toBe(429)
      const now = await storedTextsByTable()
      if (attempt < 3 && [...now].some(([table, bytes]) => bytes !== last.get(table))) continue
      expect(now).toEqual(last)
      break
    }
  })

  test('never blocks revoking access', async () => {
    const expiresAt = new Date(clock.now + HOUR_MS).toISOString()
    const kept = (await asViewer('POST /api/admin/user/tokens', { description: 'leaked', expiresAt })).json()
    const { id } = await proposal(LONG)
    while ((await asViewer('PUT /api/admin/user/profile', { name: `${Math.random()}` })).statusCode !== 429);
    expect((await asViewer(`DELETE /api/admin/user/tokens/${kept.id}`)).statusCode).toBe(200)
    expect((await asViewer(`PUT ${REQUESTS}/${id}/title`, { title: 'another' })).statusCode).toBe(429)
    const [oldPassword, password] = ['a password of mine', 'another password of mine']
    expect((await asViewer('POST /api/admin/user/change-password', { oldPassword, password })).statusCode).toBe(200)
  })

  test('does not apply to editors, nor to other users', async () => {
    while (
      (await asViewer('PUT /api/admin/user/profile', { name: `${Math.random()}`.padEnd(90, 'x') })).statusCode !== 429
    );
    const rename = (as: string, name: string) =>
      server.call({ as, call: 'PUT /api/admin/user/profile', body: { name } })
    expect((await rename('viewer', 'somebody else')).statusCode).toBe(200)
    for (let count = 0; count < KILOBYTES * 2; count += 1) {
      expect((await rename('editor', `editor ${count}`)).statusCode).toBe(200)
    }
  })

  test.each([
    ['splash ids', (id: string) => asViewer(`POST /api/admin/splash/${id}`)],
    ['feedback ids', (id: string) => asViewer('POST /api/admin/feedback', { feedbackId: id })],
  ])('%s are a hundred at most, and known ones are taken again', async (what, note) => {
    const statuses = []
    for (let count = 0; count < 101; count += 1) statuses.push((await note(`id-${count}`)).statusCode)
    expect([statuses.slice(0, 100).every((status) => status === 200), statuses.at(-1)]).toEqual([true, 400])
    expect((await note('another')).body).toContain(`at most 100 ${what}`)
    expect((await note('id-0')).statusCode).toBe(200)
  })
})

describe('a request that changes nothing', () => {
  const edit = { action: 'addStrategy', payload: strategyOf(300, 0) }
  const flag = `${PROJECT}/features/one`
  /**
   * Writes that a user without permissions can repeat indefinitely. Some of the writes name a change request and its
   * only change.
   */
  const REPEATED: Readonly<Record<string, (request: Awaited<ReturnType<typeof proposal>>) => [string, object?]>> = {
    'the same name': () => ['PUT /api/admin/user/profile', { name: 'Viewer' }],
    'a favorite flag': () => [`POST ${flag}/favorites`],
    'no favorite flag': () => [`DELETE ${flag}/favorites`],
    'a favorite project': () => [`POST ${PROJECT}/favorites`],
    'no favorite project': () => [`DELETE ${PROJECT}/favorites`],
    'a title': ({ id }) => [`PUT ${REQUESTS}/${id}/title`, { title: 'the same' }],
    reviewers: ({ id }) => [`PUT ${REQUESTS}/${id}/approvers`, { reviewers: [] }],
    'a change': ({ id, change }) => [`PUT ${REQUESTS}/${id}/changes/${change}`, edit],
    'a proposal': () => [
      `POST ${PROJECT}/environments/production/change-requests`,
      { feature: 'one', action: 'updateEnabled', payload: { enabled: true } },
    ],
    'what was seen': () => ['POST /api/admin/splash/seen'],
    feedback: () => ['POST /api/admin/feedback', { feedbackId: 'known' }],
    notifications: () => ['PUT /api/admin/user/notifications/read', { upTo: 1 }],
    presence: () => ['PUT /api/admin/user/presence/shown', { shown: true }],
  }

  test.each(
    Object.keys(REPEATED).flatMap((what) => [[what, 'a draft'] as const, [what, 'a request in review'] as const]),
  )('stores no event: %s, with %s', async (what, state) => {
    const request = await proposal(300)
    if (state === 'a request in review') await asViewer(`PUT ${REQUESTS}/${request.id}/state`, { state: 'In review' })
    const [call, body] = REPEATED[what]?.(request) ?? ['']
    const first = await asViewer(call, body)
    const last = await server.lastEventId()
    const statuses = []
    for (let count = 0; count < 3; count += 1) statuses.push((await asViewer(call, body)).statusCode)
    expect([...new Set(statuses), first.statusCode < 300]).toEqual([first.statusCode, true])
    expect(await server.lastEventId()).toBe(last)
  })
})
