import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../../scenario.ts'

const URL = '/api/admin/people'
let server: TestServer
let named: number
let nameless: number

beforeAll(async () => {
  server = await startServer()
  const create = async (body: object) => ((await server.admin('POST /api/admin/user-admin', body)) as { id: number }).id
  named = await create({ username: 'priya', email: 'priya@example.com', name: 'Priya Nair', rootRole: 3 })
  nameless = await create({ email: 'lucas@example.com', rootRole: 3 })
})
afterAll(() => server.close())

describe('display names', () => {
  scenarios(
    () => server,
    [
      { name: 'are hidden from anonymous callers', call: `GET ${URL}?ids=1`, status: 401 },
      { name: 'need ids', as: 'viewer', call: `GET ${URL}`, status: 400, text: 'ids' },
      { name: 'reject other words than ids', as: 'viewer', call: `GET ${URL}?ids=priya`, status: 400, text: 'ids' },
      {
        name: 'reject more than 200 ids',
        as: 'viewer',
        call: `GET ${URL}?ids=${Array.from({ length: 201 }, (_, id) => id).join(',')}`,
        status: 400,
        text: 'ids',
      },
      {
        name: 'of unknown ids are left out',
        as: 'viewer',
        call: `GET ${URL}?ids=999999999`,
        status: 200,
        has: { people: [] },
      },
    ],
  )

  test('reach viewers without usernames, addresses and accounts that have no name', async () => {
    const ids = [nameless, named, named, 0].join(',')
    const reply = await server.call({ as: 'viewer', call: `GET ${URL}?ids=${ids}` })
    expect(reply.json()).toEqual({ people: [{ id: named, name: 'Priya Nair' }] })
  })
})
