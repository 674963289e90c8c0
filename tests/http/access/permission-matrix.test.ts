import type { PermissionCheck } from '@burgee/protocol/administration/permission'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Reported permissions must match what the routes allow. */
let server: TestServer
const USERS = '/api/admin/user-admin'
const as = 'admin'
const ids = new Map<string, number>()

beforeAll(async () => {
  server = await startServer()
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
  for (const name of ['owner', 'member']) {
    ids.set(name, (await server.admin(`POST ${USERS}`, { username: name, rootRole: 3 })).id)
  }
  await server.admin(`POST /api/admin/projects/shop/users/${ids.get('owner')}/roles/4`)
  await server.admin(`POST /api/admin/projects/shop/users/${ids.get('member')}/roles/5`)
  for (const row of await server.db.rows('select id, username from users'))
    ids.set(String(row.username), Number(row.id))
})
afterAll(() => server.close())

type Part = 'root' | 'project' | 'environment'

async function matrixOf(name: string, query = '') {
  const reply = await server.call({ as, call: `GET ${USERS}/${ids.get(name)}/permissions${query}` })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

async function had(name: string, query: string, part: Part): Promise<string[]> {
  const { matrix } = await matrixOf(name, query)
  return matrix[part].filter((one: PermissionCheck) => one.hasPermission).map((one: PermissionCheck) => one.name)
}

describe('the permissions of a user', () => {
  test.each<[string, string, number, number, number]>([
    ['admin', '', 30, 20, 0],
    ['admin', '?project=shop&environment=production', 30, 20, 9],
    ['viewer', '?project=shop&environment=production', 0, 0, 0],
    ['editor', '', 22, 0, 0],
    ['editor', '?project=shop&environment=production', 22, 0, 0],
    ['editor', '?project=default&environment=production', 22, 20, 6],
    ['owner', '?project=shop&environment=production', 0, 20, 8],
    ['member', '?project=shop&environment=production', 0, 7, 6],
    ['member', '?project=default&environment=production', 0, 0, 0],
  ])(
    'count %s%s: %i everywhere, %i in the project, %i in the environment',
    async (name, query, root, project, environment) => {
      const counts = await Promise.all(
        (['root', 'project', 'environment'] as const).map(async (part) => (await had(name, query, part)).length),
      )
      expect(counts).toEqual([root, project, environment])
    },
  )

  test('include permissions that the user does not have', async () => {
    const { matrix, ...rest } = await matrixOf('member', '?project=shop&environment=production')
    expect([matrix.root.length, matrix.project.length, matrix.environment.length]).toEqual([30, 20, 9])
    expect(matrix.environment).toContainEqual({
      id: 25,
      name: 'CREATE_FEATURE_STRATEGY',
      displayName: 'Create activation strategies',
      type: 'environment',
      hasPermission: true,
      environment: 'production',
    })
    expect(rest).toMatchObject({ user: { username: 'member' }, rootRole: { id: 3 }, projectRoles: [{ id: 5 }] })
    const all = [...matrix.root, ...matrix.project, ...matrix.environment] as PermissionCheck[]
    expect(new Set(all.map(({ id }) => id)).size).toBe(59)
    expect(new Set(all.map(({ name }) => name)).size).toBe(59)
  })

  test('include project-segment permissions only in the project', async () => {
    expect(await had('member', '?project=shop', 'root')).toEqual([])
    expect(await had('member', '?project=shop', 'project')).not.toContain('DELETE_PROJECT')
  })

  scenarios(
    () => server,
    [
      { name: 'anonymous', call: `GET ${USERS}/1/permissions`, status: 401 },
      { name: 'an editor', as: 'editor', call: `GET ${USERS}/1/permissions`, status: 403, text: 'ADMIN' },
      { name: 'of nobody', as, call: `GET ${USERS}/4711/permissions`, status: 404 },
      { name: 'of what is no id', as, call: `GET ${USERS}/abc/permissions`, status: 404 },
    ],
  )
})
