import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const P = '/api/admin/projects'

interface Found {
  readonly events: readonly { readonly type: string; readonly createdByUserId: number; readonly project: string }[]
}

beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${P}`, { id: 'other_one', name: 'other' })
  await server.admin(`POST ${P}/default/features`, { name: 'moving' })
  const call = `POST ${P}/default/features`
  expect((await server.call({ as: 'editor', call, body: { name: 'of-editor' } })).statusCode).toBe(201)
  await server.admin(`POST ${P}/default/features/moving/changeProject`, { newProjectId: 'other_one' })
})
afterAll(() => server.close())

const find = async (query: string) => (await server.admin(`GET /api/admin/search/events?${query}`)) as Found

describe('authors of events', () => {
  test('match a search by id, whatever their names', async () => {
    const { events } = await find('feature=IS:of-editor')
    const id = events[0]?.createdByUserId
    expect(id).toBeGreaterThan(0)
    const own = (await find(`createdBy=IS:${id}`)).events
    expect(own.length).toBeGreaterThan(0)
    expect(new Set(own.map(({ createdByUserId }) => createdByUserId))).toEqual(new Set([id]))
    const others = (await find(`createdBy=IS_NOT:${id}`)).events
    expect(others.length).toBeGreaterThan(0)
    expect(others.filter(({ createdByUserId }) => createdByUserId === id)).toEqual([])
  })

  test('have negative ids if they are tokens', async () => {
    expect((await find('createdBy=IS:-42')).events.length).toBeGreaterThan(0)
  })

  test('do not match an unknown id', async () => {
    expect((await find('createdBy=IS:987654')).events).toEqual([])
  })
})

describe('the move of a flag', () => {
  const moves = async (query: string) =>
    (await find(query)).events.filter(({ type }) => type === 'feature-project-change')

  test.each(['default', 'other_one'])('appears in the history of the project %s', async (project) => {
    expect((await moves(`project=IS:${project}`)).length).toBe(1)
    const reply = (await server.admin(`GET /api/admin/events?project=${project}`)) as Found
    expect(reply.events.filter(({ type }) => type === 'feature-project-change')).toHaveLength(1)
  })

  test.each(['otherXone', 'defaul', 'defaul_'])('does not appear in the history of the project %s', async (project) => {
    expect(await moves(`project=IS:${project}`)).toEqual([])
  })
})
