import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../support/wait.ts'
import { addSession, startServer, type TestServer } from '../scenario.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** An integration delivers events of a private project only while the user who selected the project can see it. */
let server: TestServer
let receiver: Receiver
let witness: Receiver
let serial = 0
const A = '/api/admin'
const P = `${A}/projects`
const ADDONS = `${A}/addons`
const EDITOR = 2
const MEMBER = 5

beforeAll(async () => {
  const options = { secretKey: randomBytes(32).toString('hex'), integrationAllowPrivateAddresses: true }
  server = await startServer(options, Date.now)
  await server.server.listen()
  receiver = await startReceiver()
  witness = await startReceiver()
  await server.admin(`POST ${ADDONS}`, webhook(witness.url, []))
})
afterAll(async () => {
  await server.close()
  await receiver.close()
  await witness.close()
})

/** User, a project that the user can see, and the user's integration. */
interface Case {
  readonly userId: number
  readonly name: string
  readonly project: string
  readonly group: number
}
let one: Case

beforeEach(async () => {
  serial += 1
  const name = `person-${serial}`
  const insert = `insert into users (username, password_hash, root_role, created_at) values (?, '', ${EDITOR}, 0) returning id`
  const userId = Number((await server.db.row(insert, name))?.id)
  await addSession(server.db, name, userId, Date.now())
  const { id: group } = await server.admin(`POST ${A}/groups`, { name: `group-${serial}`, users: [] })
  one = { userId, name, project: `project-${serial}`, group }
  receiver.received.length = 0
  witness.received.length = 0
})

function webhook(url: string, projects: readonly string[]) {
  return { provider: 'webhook', enabled: true, events: ['feature-created'], parameters: { url }, projects }
}

function asPerson(call: string, body: object) {
  return server.call({ headers: { cookie: `burgee-session=${one.name}-session` }, call, body })
}

async function integrate(projects: readonly string[]): Promise<number> {
  const reply = await asPerson(`POST ${ADDONS}`, webhook(receiver.url, projects))
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json().id
}

const create = (mode: string) => server.admin(`POST ${P}`, { id: one.project, name: one.project, mode })
const addMember = () => server.admin(`PUT ${P}/${one.project}/users/${one.userId}/roles`, { roles: [MEMBER] })

/**
 * Creates a flag in this project and a flag in a public project, and returns the events that the user's integration
 * receives.
 */
async function delivered(): Promise<string[]> {
  const flag = `secret-${serial}-${witness.received.length}`
  const after = `${flag}-after`
  await server.admin(`POST ${P}/${one.project}/features`, { name: flag })
  await server.admin(`POST ${P}/default/features`, { name: after })
  const names = (to: Receiver) => to.received.map(({ body }) => String(JSON.parse(body).featureName))
  await until(() => names(witness).includes(after))
  await until(async () => Number((await server.db.row('select count(*) as n from integration_deliveries'))?.n) === 0)
  return names(receiver).filter((name) => name.startsWith(flag) && name !== after)
}

async function stateOf(id: number) {
  const { projects, enabled } = await server.admin(`GET ${ADDONS}/${id}`)
  return { projects, enabled }
}

describe('a named project', () => {
  test.each(['POST', 'PUT'])('must exist when it is named by %s', async (method) => {
    const path = method === 'POST' ? ADDONS : `${ADDONS}/${await integrate(['default'])}`
    const last = await server.lastEventId()
    const reply = await asPerson(`${method} ${path}`, webhook(receiver.url, ['default', one.project]))
    expect([reply.statusCode, reply.json().details[0].path]).toEqual([400, 'body/projects'])
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test('still gets deliveries while it is private and its author is a member', async () => {
    await create('open')
    await addMember()
    const id = await integrate([one.project])
    await server.admin(`PUT ${P}/${one.project}/settings`, { mode: 'private' })
    expect(await delivered()).toHaveLength(1)
    expect(await stateOf(id)).toEqual({ projects: [one.project], enabled: true })
  })

  test('drops the event when the project becomes private and the author is not a member', async () => {
    await create('open')
    const id = await integrate(['default', one.project])
    expect(await delivered()).toHaveLength(1)
    const last = await server.lastEventId()
    await server.admin(`PUT ${P}/${one.project}/settings`, { mode: 'private' })
    expect(await server.eventsAfter(last)).toEqual(['project-updated', 'addon-config-updated'])
    expect(await delivered()).toEqual([])
    expect(await stateOf(id)).toEqual({ projects: ['default'], enabled: true })
    expect(server.logged.filter((line) => line.includes(`Integration ${id} no longer delivers`))).toHaveLength(1)
    await server.admin(`PUT ${P}/${one.project}/settings`, { mode: 'open' })
    expect(await delivered()).toEqual([])
  })

  test('disables the integration that has no other name, which would be for all projects', async () => {
    await create('open')
    const id = await integrate([one.project])
    await server.admin(`PUT ${P}/${one.project}/settings`, { mode: 'private' })
    expect(await stateOf(id)).toEqual({ projects: [], enabled: false })
    expect(await delivered()).toEqual([])
  })

  test('gets dropped when a project of that name is created as private', async () => {
    const id = await integrate(['default'])
    const names = JSON.stringify(['default', one.project])
    await server.db.rows('update integrations set only_projects = ? where id = ?', names, id)
    const grant = 'insert into integration_project_grants (integration_id, project, granted_by) values (?, ?, -42)'
    await server.db.rows(grant, id, one.project)
    await create('private')
    expect(await stateOf(id)).toEqual({ projects: ['default'], enabled: true })
    expect(await delivered()).toEqual([])
  })

  test('gets dropped when the project is removed', async () => {
    await create('open')
    const id = await integrate(['default', one.project])
    await server.admin(`DELETE ${P}/${one.project}`)
    expect(await stateOf(id)).toEqual({ projects: ['default'], enabled: true })
  })

  test('gets no deliveries without a known author', async () => {
    await create('private')
    const id = await integrate(['default'])
    const names = JSON.stringify(['default', one.project])
    await server.db.rows('update integrations set only_projects = ? where id = ?', names, id)
    expect(await delivered()).toEqual([])
  })
})

describe('the actor who named a private project', () => {
  const inGroup = (users: readonly number[]) =>
    server.admin(`PUT ${A}/groups/${one.group}`, {
      name: `group-${serial}`,
      users: users.map((id) => ({ user: { id } })),
    })

  test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['is removed from it', addMember, () => server.admin(`DELETE ${P}/${one.project}/users/${one.userId}/roles`)],
    [
      'leaves the group that is a member',
      async () => {
        await inGroup([one.userId])
        await server.admin(`PUT ${P}/${one.project}/groups/${one.group}/roles`, { roles: [MEMBER] })
      },
      () => inGroup([]),
    ],
    [
      'is an administrator no more',
      () => server.admin(`PUT ${A}/user-admin/${one.userId}`, { rootRole: 1 }),
      () => server.admin(`PUT ${A}/user-admin/${one.userId}`, { rootRole: EDITOR }),
    ],
    ['is deleted', addMember, () => server.admin(`DELETE ${A}/user-admin/${one.userId}`)],
  ])('%s: its name is dropped with the same change', async (_what, admit, leave) => {
    await create('private')
    await admit()
    const id = await integrate(['default', one.project])
    expect(await delivered()).toHaveLength(1)
    const last = await server.lastEventId()
    await leave()
    expect(await server.eventsAfter(last)).toContain('addon-config-updated')
    expect(await stateOf(id)).toEqual({ projects: ['default'], enabled: true })
    expect(await delivered()).toEqual([])
  })

  test('must be active for any delivery, whatever the integration still names', async () => {
    await create('private')
    await addMember()
    await integrate(['default', one.project])
    await server.db.rows('update users set active = 0 where id = ?', one.userId)
    expect(await delivered()).toEqual([])
  })
})
