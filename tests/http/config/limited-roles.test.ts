import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPeople, type People } from '../change-requests/people.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { configOf, type File } from './config-project.ts'

/** To plan files, a caller needs the permissions for their changes in the affected environments. */
const P = '/api/admin/projects/default'
let server: TestServer
let people: People
let roleCount = 0

beforeAll(async () => {
  server = await startServer()
  people = await addPeople(server)
  await server.admin('POST /api/admin/release-plan-templates', {
    name: 'Careful',
    milestones: ['few', 'all'].map((name) => ({ name, strategies: [{ strategyName: 'default' }] })),
  })
  for (const name of ['first', 'second', 'third']) await server.admin(`POST ${P}/features`, { name })
})
afterAll(() => server.close())

interface Right {
  readonly name: string
  readonly environment?: string
}

/** Gives the author a role with only these permissions and `UPDATE_FEATURE`, which the route requires in any case. */
async function limitAuthor(rights: readonly Right[]): Promise<void> {
  const permissions = [{ name: 'UPDATE_FEATURE' }, ...rights]
  roleCount += 1
  const body = { name: `Limited ${roleCount}`, type: 'custom', permissions }
  const { roles } = await server.admin('POST /api/admin/roles', body)
  await server.admin(`PUT ${P}/users/${people.ids.author}/roles`, { roles: [roles.id] })
}

const write = (flag: string, environment: string, lines: string): File => ({
  path: 'flag.yaml',
  content: `kind: Flag\nname: ${flag}\nenvironments:\n  ${environment}:\n    enabled: false\n${lines}`,
})
const STRATEGY = '    strategies:\n      - name: default\n'
const release = (milestone: string) => `    release:\n      template: Careful\n      milestone: ${milestone}\n`

/** Plans and applies a file as the author. Returns the missing permissions, and the status of applying the file. */
async function tryFile(file: File) {
  const call = (step: string, more: object) =>
    server.call({ ...people.as.author, call: `POST ${configOf('default')}/${step}`, body: { files: [file], ...more } })
  const plan = (await call('plan', {})).json()
  const applied = await call('apply', { plan: plan.plan })
  return { missing: plan.missingPermissions, status: applied.statusCode }
}

describe('a role that is limited to one environment', () => {
  test.each([
    ['a strategy', 'first', STRATEGY],
    ['a release plan', 'second', release('few')],
  ])('adds %s only there', async (_name, flag, lines) => {
    await limitAuthor([{ name: 'CREATE_FEATURE_STRATEGY', environment: 'development' }])
    const denied = { missing: ['CREATE_FEATURE_STRATEGY'], status: 403 }
    expect(await tryFile(write(flag, 'production', lines))).toEqual(denied)
    expect(await tryFile(write(flag, 'development', lines))).toEqual({ missing: [], status: 200 })
  })

  test('starts a later milestone only with the permission to update strategies', async () => {
    const create = { name: 'CREATE_FEATURE_STRATEGY', environment: 'production' }
    await limitAuthor([create])
    const denied = { missing: ['UPDATE_FEATURE_STRATEGY'], status: 403 }
    expect(await tryFile(write('third', 'production', release('all')))).toEqual(denied)
    await limitAuthor([create, { name: 'UPDATE_FEATURE_STRATEGY', environment: 'development' }])
    expect(await tryFile(write('third', 'production', release('all')))).toEqual(denied)
    await limitAuthor([create, { name: 'UPDATE_FEATURE_STRATEGY', environment: 'production' }])
    expect(await tryFile(write('third', 'production', release('all')))).toEqual({ missing: [], status: 200 })
  })
})
