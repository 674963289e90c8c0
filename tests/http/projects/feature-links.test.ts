import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Links of flags to external resources, and the project templates for them. */
let server: TestServer
const as = 'editor'
const P = '/api/admin/projects'
const F = `${P}/default/features`
const ids: Record<string, string> = {}
const JIRA = { title: 'Ticket', urlTemplate: 'https://jira.example.com/{{project}}?q={{ feature }}' }

beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${F}`, { name: 'f' })
})
afterAll(() => server.close())

const linksOf = async (name: string, project = 'default') =>
  (await server.admin(`GET ${P}/${project}/features/${name}`)).links

describe('links of a flag', () => {
  const add = `POST ${F}/f/link`
  const body = { url: 'https://example.com/a', title: 'A' }
  scenarios(() => server, [
    { name: 'none at first', as: 'viewer', call: `GET ${F}/f`, status: 200, has: { links: [] } },
    { name: 'adding one, anonymous', call: add, body, status: 401 },
    { name: 'nor a viewer', as: 'viewer', call: add, body, status: 403, text: 'UPDATE_FEATURE' },
    { name: 'not of an unknown flag', as, call: `POST ${F}/nope/link`, body, status: 404 },
    { name: 'not without an address', as, call: add, body: { title: 'A' }, status: 400, text: 'url' },
    { name: 'not with a script', as, call: add, body: { url: 'javascript:alert(1)' }, status: 400, text: 'body/url' },
    { name: 'not with half an address', as, call: add, body: { url: 'https://' }, status: 400, text: 'body/url' },
    {
      name: 'not with a password in it',
      as,
      call: add,
      body: { url: 'https://me:secret@example.com' },
      status: 400,
      text: 'body/url',
    },
    { name: 'an address too long', as, call: add, body: { url: `https://e.com/${'x'.repeat(2000)}` }, status: 400 },
    { name: 'one', as, call: add, body, status: 204, empty: true, events: ['feature-link-added'] },
    {
      name: 'one without a title',
      as,
      call: add,
      body: { url: 'http://example.com/b' },
      status: 204,
      events: ['feature-link-added'],
    },
  ] satisfies Scenario[])

  test('appear in order to every reader of the flag', async () => {
    const links = await linksOf('f')
    expect(links).toEqual([
      { id: expect.any(String), ...body },
      { id: expect.any(String), url: 'http://example.com/b', title: null },
    ])
    ids.first = links[0].id
  })

  test('can be changed and deleted, with events that contain both states', async () => {
    const call = `${F}/f/link/${ids.first}`
    const last = await server.lastEventId()
    await server.admin(`PUT ${call}`, { url: 'https://example.com/c' })
    await server.admin(`PUT ${call}`, { url: 'https://example.com/c', title: 'A' })
    expect((await linksOf('f'))[0]).toEqual({ id: ids.first, url: 'https://example.com/c', title: 'A' })
    await server.admin(`DELETE ${call}`)
    expect((await linksOf('f')).map((link: { url: string }) => link.url)).toEqual(['http://example.com/b'])
    const rows = await server.db.rows('select type, data, pre_data from events where id > ? order by id', last)
    expect(
      rows.map(({ type, data, pre_data }) => [type, JSON.parse(String(data))?.url, JSON.parse(String(pre_data))?.url]),
    ).toEqual([
      ['feature-link-updated', 'https://example.com/c', 'https://example.com/a'],
      ['feature-link-removed', undefined, 'https://example.com/c'],
    ])
    for (const method of ['PUT', 'DELETE']) {
      const reply = await server.call({ as: 'admin', call: `${method} ${call}`, body: { url: 'https://example.com' } })
      expect(reply.statusCode).toBe(404)
    }
  })

  test('have a limit of fifty', async () => {
    const replies = []
    for (let number = 0; number < 50; number += 1) {
      replies.push((await server.call({ as, call: add, body: { url: `https://example.com/${number}` } })).statusCode)
    }
    expect(replies).toEqual([...Array(49).fill(204), 403])
  })

  test('go with their flag', async () => {
    await server.admin(`DELETE ${F}/f`)
    expect((await server.call({ as, call: add, body })).statusCode).toBe(404)
    await server.admin('DELETE /api/admin/archive/f')
    expect(await server.db.rows('select id from feature_links')).toEqual([])
  })
})

describe('templates of links', () => {
  const call = `PUT ${P}/default/settings`
  const template = (urlTemplate: string) => ({ linkTemplates: [{ urlTemplate }] })
  const where = 'body/linkTemplates/0/urlTemplate'
  const bad = { as, call, status: 400, text: where } as const
  scenarios(() => server, [
    { name: 'none at first', as: 'viewer', call: `GET ${P}/default/overview`, status: 200, has: { linkTemplates: [] } },
    { name: 'without an address', ...bad, text: 'urlTemplate', body: { linkTemplates: [{ title: 'x' }] } },
    { name: 'of another scheme', ...bad, body: template('ftp://example.com') },
    { name: 'with a place of nothing', ...bad, body: template('https://example.com/{{owner}}') },
    { name: 'with an empty place', ...bad, body: template('https://example.com/{{}}') },
    { name: 'with spaces elsewhere', ...bad, body: template('https://example.com/a b') },
    { name: 'that makes no address', ...bad, body: template('https://') },
    {
      name: 'too many',
      ...bad,
      text: 'linkTemplates',
      body: { linkTemplates: Array.from({ length: 26 }, () => JIRA) },
    },
    { name: 'one', as, call, body: { linkTemplates: [JIRA] }, status: 200, events: ['project-updated'] },
    { name: 'the same again', as, call, body: { linkTemplates: [JIRA] }, status: 200 },
    { name: 'left out, it stays', as, call, body: {}, status: 200 },
    {
      name: 'is shown',
      as: 'viewer',
      call: `GET ${P}/default/overview`,
      status: 200,
      has: { linkTemplates: [JIRA] },
    },
    {
      name: 'makes a link of a new flag',
      as,
      call: `POST ${F}`,
      body: { name: 'new.one' },
      status: 201,
      has: { links: [{ url: 'https://jira.example.com/default?q=new.one', title: 'Ticket' }] },
      events: ['feature-created', 'feature-link-added'],
    },
    {
      name: 'and of a copy, by its own name',
      as,
      call: `POST ${F}/new.one/clone`,
      body: { name: 'copy' },
      status: 201,
      has: { links: [{ url: 'https://jira.example.com/default?q=copy', title: 'Ticket' }] },
      events: ['feature-created', 'feature-link-added'],
    },
    { name: 'null is none', as, call, body: { linkTemplates: null }, status: 200, events: ['project-updated'] },
    {
      name: 'no link any more',
      as,
      call: `POST ${F}`,
      body: { name: 'bare' },
      status: 201,
      has: { links: [] },
      events: ['feature-created'],
    },
    {
      name: 'with a new project',
      as: 'admin',
      call: `POST ${P}`,
      body: { id: 'linked', name: 'Linked', linkTemplates: [JIRA] },
      status: 201,
      has: { linkTemplates: [JIRA] },
      events: ['project-created'],
    },
  ] satisfies Scenario[])

  test('leave what was made by them', async () => {
    expect(await linksOf('new.one')).toHaveLength(1)
  })
})
