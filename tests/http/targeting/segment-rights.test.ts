import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const G = '/api/admin/segments'
const RIGHT = 'UPDATE_PROJECT_SEGMENT'
const wish = (name: string, project?: string | null) => ({
  name,
  constraints: [],
  ...(project === undefined ? {} : { project }),
})
/** User with the root role Viewer who is a member of the project p4. */
const member = { headers: { cookie: 'burgee-session=member-session' } }

beforeAll(async () => {
  server = await startServer()
  for (const id of ['p3', 'p4']) await server.admin('POST /api/admin/projects', { id, name: id })
  const editor = await server.db.row("select id from users where username = 'editor'")
  await server.admin(`PUT /api/admin/projects/p4/users/${editor?.id}/roles`, { roles: [5] })
  const body = { username: 'member', rootRole: 'Viewer', password: 'a password nobody guesses' }
  const { id } = await server.admin('POST /api/admin/user-admin', body)
  await server.admin(`PUT /api/admin/projects/p4/users/${id}/roles`, { roles: [5] })
  await addSession(server.db, 'member', id, Date.now())
  const projects = [null, 'default', 'p3', 'p4']
  for (const project of projects) await server.admin(`POST ${G}`, wish(`of ${project}`, project))
})
afterAll(() => server.close())

/** Segments by project: segment 1 is for all projects, 2 for default, 3 for p3, and 4 for p4. */
const [SHARED, OF_DEFAULT, OF_P3, OF_P4] = [1, 2, 3, 4]

describe('an editor, who has no role in p3 and one in p4', () => {
  const put = (id: number, body: object) => ({ as: 'editor', call: `PUT ${G}/${id}`, body })
  const refused = { status: 403, text: RIGHT } as const
  scenarios(() => server, [
    { name: 'adds none to p3', as: 'editor', call: `POST ${G}`, body: wish('x', 'p3'), ...refused },
    { name: 'changes none of p3', ...put(OF_P3, { ...wish('of p3', 'p3'), description: 'mine' }), ...refused },
    { name: 'changes none of p3 without saying where it belongs', ...put(OF_P3, wish('of p3')), ...refused },
    { name: 'makes none of p3 global by null', ...put(OF_P3, wish('of p3', null)), ...refused },
    { name: 'takes none of p3 to p4', ...put(OF_P3, wish('of p3', 'p4')), ...refused },
    { name: 'takes none of p4 to p3', ...put(OF_P4, wish('of p4', 'p3')), ...refused },
    { name: 'gives p3 none of all', ...put(SHARED, wish('of null', 'p3')), ...refused },
    { name: 'removes none of p3', as: 'editor', call: `DELETE ${G}/${OF_P3}`, ...refused },
    {
      name: 'sees them, though',
      as: 'editor',
      call: `GET ${G}/${OF_P3}`,
      status: 200,
      has: { name: 'of p3', project: 'p3' },
    },
    {
      name: 'adds one to p4',
      as: 'editor',
      call: `POST ${G}`,
      body: wish('new', 'p4'),
      status: 201,
      has: { id: 5 },
      events: ['segment-created'],
    },
    { name: 'makes it global', ...put(5, wish('new', null)), status: 204, events: ['segment-updated'] },
    { name: 'takes it to default', ...put(5, wish('new', 'default')), status: 204, events: ['segment-updated'] },
    { name: 'removes it', as: 'editor', call: `DELETE ${G}/5`, status: 204, events: ['segment-deleted'] },
    { name: 'finds no segment where there is none', ...put(99, wish('x')), status: 404 },
  ] satisfies Scenario[])
})

describe('a member of p4 without a right of everywhere', () => {
  const put = (id: number, body: object) => ({ ...member, call: `PUT ${G}/${id}`, body })
  scenarios(() => server, [
    { name: 'adds none for all', ...member, call: `POST ${G}`, body: wish('x'), status: 403, text: 'CREATE_SEGMENT' },
    {
      name: 'adds none to default',
      ...member,
      call: `POST ${G}`,
      body: wish('x', 'default'),
      status: 403,
      text: RIGHT,
    },
    { name: 'changes none of all', ...put(SHARED, wish('of null')), status: 403, text: 'UPDATE_SEGMENT' },
    { name: 'makes none global', ...put(OF_P4, wish('of p4', null)), status: 403, text: 'UPDATE_SEGMENT' },
    { name: 'removes none of all', ...member, call: `DELETE ${G}/${SHARED}`, status: 403, text: 'DELETE_SEGMENT' },
    { name: 'removes none of default', ...member, call: `DELETE ${G}/${OF_DEFAULT}`, status: 403, text: RIGHT },
    {
      name: 'changes one of p4',
      ...put(OF_P4, { ...wish('of p4', 'p4'), description: 'ours' }),
      status: 204,
      events: ['segment-updated'],
    },
    { name: 'removes one of p4', ...member, call: `DELETE ${G}/${OF_P4}`, status: 204, events: ['segment-deleted'] },
  ] satisfies Scenario[])
})

describe('a viewer', () => {
  scenarios(() => server, [
    { name: 'adds none', as: 'viewer', call: `POST ${G}`, body: wish('x', 'p3'), status: 403, text: 'CREATE_SEGMENT' },
    { name: 'changes none', as: 'viewer', call: `PUT ${G}/${OF_P3}`, body: wish('x', 'p3'), status: 403 },
    { name: 'removes none', as: 'viewer', call: `DELETE ${G}/${OF_P3}`, status: 403 },
  ] satisfies Scenario[])
})

describe('an admin', () => {
  scenarios(() => server, [
    {
      name: 'gives p3 one of all',
      as,
      call: `PUT ${G}/${SHARED}`,
      body: wish('s', 'p3'),
      status: 204,
      events: ['segment-updated'],
    },
    {
      name: 'takes it back',
      as,
      call: `PUT ${G}/${SHARED}`,
      body: wish('s', null),
      status: 204,
      events: ['segment-updated'],
    },
    { name: 'removes one of p3', as, call: `DELETE ${G}/${OF_P3}`, status: 204, events: ['segment-deleted'] },
  ] satisfies Scenario[])
})

test("removing a project removes its segments, whatever the actor's segment rights", async () => {
  await server.admin(`POST ${G}`, wish('last', 'p4'))
  const editor = await server.db.row("select id from users where username = 'editor'")
  await server.admin(`PUT /api/admin/projects/p4/users/${editor?.id}/roles`, { roles: [4] })
  expect((await server.call({ as: 'editor', call: 'DELETE /api/admin/projects/p4' })).statusCode).toBe(200)
  const { segments } = (await server.call({ as, call: `GET ${G}` })).json()
  expect(segments.map(({ name }: { name: string }) => name)).toEqual(['s', 'of default'])
})
