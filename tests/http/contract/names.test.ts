import { afterAll, beforeAll, describe } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Validation of names for flags, projects and environments before use. */
let server: TestServer
const as = 'admin'
const F = 'POST /api/admin/features/validate'
const P = 'POST /api/admin/projects/validate'
const E = 'POST /api/admin/environments/validate'

beforeAll(async () => {
  server = await startServer()
  const post = (call: string, body?: object) =>
    server.call({ as, call: `POST /api/admin/${call}`, ...(body === undefined ? {} : { body }) })
  await post('projects/default/features', { name: 'taken' })
  await post('projects/default/features', { name: 'gone' })
  await server.call({ as, call: 'DELETE /api/admin/projects/default/features/gone' })
  await post('projects', { id: 'put-away', name: 'Put away' })
  await post('projects/archive/put-away')
})
afterAll(() => server.close())

const free = { status: 200, empty: true } as const
const bad = (call: string, key: string): Scenario[] =>
  ['a b', '..', 'ä'].map((name) => ({
    name: `"${name}"`,
    as,
    call,
    body: { [key]: name },
    status: 400,
    text: 'URL friendly',
  }))

describe('names of flags', () => {
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: F, body: { name: 'x' }, status: 401 },
      { name: 'a viewer', as: 'viewer', call: F, body: { name: 'x' }, status: 403, text: 'CREATE_FEATURE' },
      { name: 'no name', as, call: F, body: {}, status: 400, text: '`name`' },
      { name: 'no body', as, call: F, status: 415 },
      ...bad(F, 'name'),
      { name: 'a free one', as: 'editor', call: F, body: { name: 'x' }, ...free },
      { name: 'a free one in a project', as: 'editor', call: F, body: { name: 'x', projectId: 'default' }, ...free },
      { name: 'a project of others', as: 'editor', call: F, body: { name: 'x', projectId: 'put-away' }, status: 403 },
      { name: 'an unknown project', as, call: F, body: { name: 'x', projectId: 'nope' }, status: 404, text: 'nope' },
      { name: 'an archived project', as, call: F, body: { name: 'x', projectId: 'put-away' }, status: 403 },
      { name: 'a taken one', as, call: F, body: { name: 'taken' }, status: 409, has: { name: 'NameExistsError' } },
      { name: 'one of an archived flag', as, call: F, body: { name: 'gone' }, status: 409, text: 'archived' },
    ],
  )
})

describe('ids of projects', () => {
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: P, body: { id: 'x' }, status: 401 },
      { name: 'a viewer', as: 'viewer', call: P, body: { id: 'x' }, status: 403, text: 'CREATE_PROJECT' },
      { name: 'none', as, call: P, body: {}, status: 400, text: '`id`' },
      ...bad(P, 'id'),
      { name: 'a reserved one', as, call: P, body: { id: 'validate' }, status: 400, text: 'reserved' },
      { name: 'a free one', as: 'editor', call: P, body: { id: 'x' }, ...free },
      { name: 'a taken one', as, call: P, body: { id: 'default' }, status: 409, has: { name: 'NameExistsError' } },
      { name: 'one of an archived project', as, call: P, body: { id: 'put-away' }, status: 409 },
    ],
  )
})

describe('names of environments', () => {
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: E, body: { name: 'x' }, status: 401 },
      { name: 'an editor', as: 'editor', call: E, body: { name: 'x' }, status: 403, text: 'ADMIN' },
      { name: 'none', as, call: E, body: {}, status: 400, text: '`name`' },
      ...bad(E, 'name'),
      { name: 'a free one', as, call: E, body: { name: 'x' }, ...free },
      { name: 'a taken one', as, call: E, body: { name: 'production' }, status: 409 },
    ],
  )
})
