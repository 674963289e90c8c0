import { SILENT } from '@burgee/kit/log/logger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queryCounter } from '../../support/queries.ts'
import { addSession, startServer, type TestServer } from '../scenario.ts'

/** The overview of a project is reloaded after every relevant change, and once a minute. */
const MINUTE_MS = 60_000
const P = '/api/admin/projects/default'
const counter = queryCounter()
let server: TestServer
let now = Date.now()

beforeAll(async () => {
  server = await startServer({}, () => now, { logger: SILENT, onQuery: counter.onQuery })
  await server.admin(`POST ${P}/features`, { name: 'one' })
})
afterAll(() => server.close())

const read = async (as = 'admin', headers = {}) => server.call({ as, call: `GET ${P}/overview`, headers })
const spent = () => counter.count(() => read())

test('the database is queried once for the same state, and a client that has it gets 304', async () => {
  const first = await read()
  expect(await spent()).toBe(0)
  const again = await read('admin', { 'if-none-match': String(first.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

describe('it is another one', () => {
  const userId = async (name: string) =>
    Number((await server.db.row('select id from users where username = ?', name))?.id)
  test.each<[string, () => Promise<unknown>, object, string]>([
    [
      'after a new flag',
      () => server.admin(`POST ${P}/features`, { name: 'two' }),
      { featureTypeCounts: [{ count: 2 }] },
      'admin',
    ],
    ['after a flag is archived', () => server.admin(`DELETE ${P}/features/two`), { archivedFeatureCount: 1 }, 'admin'],
    [
      'after a user gets a role',
      async () => server.admin(`POST ${P}/access`, { roles: [5], groups: [], users: [await userId('editor')] }),
      { members: 1 },
      'admin',
    ],
    [
      'for users with the project as favorite, and no others',
      async () => {
        await addSession(server.db, 'editor', await userId('editor'), now)
        return server.call({ as: 'editor', call: `POST ${P}/favorites`, body: {} })
      },
      { favorite: true },
      'editor',
    ],
    [
      'a minute later, when a flag has grown old',
      async () => {
        await server.db.rows('update features set created_at = created_at - ?', 400 * 24 * 60 * MINUTE_MS)
        now += MINUTE_MS
      },
      { health: 0 },
      'admin',
    ],
  ])('%s', async (_name, change, has, as) => {
    const before = await read(as)
    await change()
    const after = await read(as, { 'if-none-match': String(before.headers.etag) })
    expect(after.statusCode).toBe(200)
    expect(after.json()).toMatchObject(has)
    expect((await read('admin')).json().favorite).toBe(false)
  })
})
