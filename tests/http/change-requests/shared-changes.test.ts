import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { addPeople, type People, type Person } from './people.ts'

/** Reviewers for one environment must not decide about properties that all environments share. */
let server: TestServer
let people: People
const PROJECT = '/api/admin/projects/default'
const REVIEW = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST']
const CONSTRAINT = { contextName: 'userId', operator: 'IN', values: ['1'] }

const config = (environment: string, requiredApprovals: number) =>
  server.admin(`PUT ${PROJECT}/environments/${environment}/change-requests/config`, {
    changeRequestsEnabled: requiredApprovals > 0,
    ...(requiredApprovals === 0 ? {} : { requiredApprovals }),
  })

beforeAll(async () => {
  server = await startServer()
  people = await addPeople(server)
  // a member who may review requests only in development
  const role = await server.db.row(
    "insert into roles (name, description, type) values ('Reviewer of development', '', 'custom') returning id",
  )
  for (const permission of REVIEW) {
    const row = [Number(role?.id), permission, 'development'] as const
    await server.db.rows('insert into role_permissions (role_id, permission, environment) values (?, ?, ?)', ...row)
  }
  const member = [people.ids.member, Number(role?.id)] as const
  await server.db.rows("insert into project_members (project, user_id, role_id) values ('default', ?, ?)", ...member)
})
afterAll(() => server.close())

let count = 0
let flag = ''
beforeEach(async () => {
  count += 1
  flag = `flag-${count}`
  await server.admin(`POST ${PROJECT}/features`, { name: flag })
  await config('development', 1)
  await config('production', 0)
})

async function call(by: Person, line: string, body: unknown) {
  const reply = await server.call({ call: line, body, ...people.as[by] })
  return { status: reply.statusCode, body: reply.json() }
}

/** Creates a request in development that is in review. Returns the call that changes the state of the request. */
async function inReview(change: object): Promise<string> {
  const { status, body } = await call('author', `POST ${PROJECT}/environments/development/change-requests`, change)
  expect([status, body.message]).toEqual([200, undefined])
  const url = `PUT ${PROJECT}/change-requests/${body.id}/state`
  expect((await call('author', url, { state: 'In review' })).status).toBe(200)
  return url
}

describe('a reviewer of development alone', () => {
  test('decides changes that affect development alone', async () => {
    await config('production', 1)
    const url = await inReview({ feature: flag, action: 'updateEnabled', payload: { enabled: true } })
    expect((await call('member', url, { state: 'Approved' })).status).toBe(200)
    expect((await call('member', url, { state: 'Applied' })).status).toBe(200)
  })

  test.each([
    ['archiving', () => ({ feature: flag, action: 'archiveFeature' })],
    ['a parent', () => ({ feature: flag, action: 'addDependency', payload: { feature: 'flag-1' } })],
  ])('approves nothing of production: %s', async (_name, change) => {
    await config('production', 1)
    const url = await inReview(change())
    const { status, body } = await call('member', url, { state: 'Approved' })
    expect([status, body.message]).toEqual([403, expect.stringContaining('production')])
    expect((await call('first', url, { state: 'Approved' })).status).toBe(200)
    expect((await call('member', url, { state: 'Applied' })).status).toBe(403)
    expect((await call('second', url, { state: 'Applied' })).status).toBe(200)
  })

  test('changes no segment that all projects share', async () => {
    const name = `segment of ${flag}`
    const { id } = await server.admin('POST /api/admin/segments', { name, constraints: [] })
    const payload = { id, name, constraints: [CONSTRAINT] }
    const url = await inReview({ action: 'updateSegment', payload })
    expect((await call('member', url, { state: 'Approved' })).status).toBe(200)
    for (const by of ['member', 'first'] as const) {
      const { status, body } = await call(by, url, { state: 'Applied' })
      expect([status, body.message]).toEqual([403, expect.stringContaining('UPDATE_SEGMENT')])
    }
    const applied = await server.call({ as: 'editor', call: url, body: { state: 'Applied' } })
    expect([applied.statusCode, applied.json().message]).toEqual([403, expect.stringContaining('APPLY_CHANGE_REQUEST')])
    expect((await server.admin(`GET /api/admin/segments/${id}`)).constraints).toEqual([])
  })

  test('an owner changes a segment of the project', async () => {
    const name = `segment of ${flag}`
    const { id } = await server.admin('POST /api/admin/segments', { name, project: 'default', constraints: [] })
    const url = await inReview({ action: 'updateSegment', payload: { id, name, constraints: [CONSTRAINT] } })
    expect((await call('first', url, { state: 'Approved' })).status).toBe(200)
    expect((await call('second', url, { state: 'Applied' })).status).toBe(200)
    expect((await server.admin(`GET /api/admin/segments/${id}`)).constraints).toHaveLength(1)
  })
})

test('a segment that strategies of two guarded environments use is changed for both', async () => {
  await config('production', 1)
  const name = `segment of ${flag}`
  const { id } = await server.admin('POST /api/admin/segments', { name, project: 'default', constraints: [CONSTRAINT] })
  for (const environment of ['development', 'production']) {
    const place = `${PROJECT}/features/${flag}/environments/${environment}`
    await server.admin(`POST ${place}/strategies`, { name: 'default', segments: [id] })
  }
  const url = await inReview({ action: 'updateSegment', payload: { id, name, constraints: [], allowEmpty: true } })
  expect((await call('first', url, { state: 'Approved' })).status).toBe(200)
  const last = await server.lastEventId()
  const applied = await call('second', url, { state: 'Applied' })
  expect([applied.status, applied.body.message]).toEqual([200, undefined])
  expect(await server.eventsAfter(last)).toEqual(['segment-updated', 'change-request-applied'])
})

describe('an environment that the project uses no more', () => {
  const production = { environment: 'production', changeRequestEnabled: true }
  const archive = (name: string) => server.call({ as: 'editor', call: `DELETE ${PROJECT}/features/${name}` })
  const configure = (changeRequestsEnabled: boolean) => ({
    as: 'admin',
    call: `PUT ${PROJECT}/environments/production/change-requests/config`,
    body: { changeRequestsEnabled },
  })

  test('guards nothing that all share, is shown, and can be switched off', async () => {
    await config('development', 0)
    await config('production', 1)
    expect((await archive(flag)).statusCode).toBe(403)
    await server.admin(`DELETE ${PROJECT}/environments/production`)
    expect((await archive(flag)).statusCode).toBe(202)
    expect(await server.admin(`GET ${PROJECT}/change-requests/config`)).toContainEqual(
      expect.objectContaining(production),
    )
    expect((await server.call(configure(true))).statusCode).toBe(404)
    expect((await server.call(configure(false))).statusCode).toBe(204)
    const shown = await server.admin(`GET ${PROJECT}/change-requests/config`)
    expect(shown.map(({ environment }: { environment: string }) => environment)).toEqual(['development'])
    await server.admin(`POST ${PROJECT}/environments`, { environment: 'production' })
  })
})

test('the most approvals of all guarded environments are needed', async () => {
  await config('production', 2)
  const url = await inReview({ feature: flag, action: 'archiveFeature' })
  expect((await call('first', url, { state: 'Approved' })).body.state).toBe('In review')
  expect((await call('second', url, { state: 'Approved' })).body.state).toBe('Approved')
  expect((await call('second', url, { state: 'Applied' })).status).toBe(200)
})

describe('an approval covers exactly what is applied', () => {
  const wide = { contextName: 'userId', operator: 'NOT_IN', values: ['1'] }
  const approved = async (change: object) => {
    const url = await inReview(change)
    expect((await call('first', url, { state: 'Approved' })).body.state).toBe('Approved')
    return url
  }
  const refused = async (url: string) => {
    const { status, body } = await call('second', url, { state: 'Applied' })
    expect([status, body.details?.[0].message]).toEqual([409, expect.stringContaining('that the change includes')])
  }
  const segment = async () => {
    const name = `segment of ${flag}`
    const { id } = await server.admin('POST /api/admin/segments', { name, constraints: [CONSTRAINT] })
    const widen = () => server.admin(`PUT /api/admin/segments/${id}`, { name, constraints: [wide] })
    return { id, widen }
  }
  const strategies = () => `${PROJECT}/features/${flag}/environments/development/strategies`
  const setDefault = (strategy: object) =>
    server.admin(`POST ${PROJECT}/environments/development/default-strategy`, { name: 'flexibleRollout', ...strategy })
  const on = () => ({ feature: flag, action: 'updateEnabled', payload: { enabled: true } })

  test('a segment that a new strategy names', async () => {
    const { id, widen } = await segment()
    const change = { feature: flag, action: 'addStrategy', payload: { name: 'default', segments: [id] } }
    const url = await approved(change)
    await widen()
    await refused(url)
  })

  test('a segment that a changed strategy names; another change of the flag goes on', async () => {
    const { id, widen } = await segment()
    const { id: strategy } = await server.admin(`POST ${strategies()}`, { name: 'default' })
    const payload = { id: strategy, name: 'default', segments: [id] }
    const url = await approved({ feature: flag, action: 'updateStrategy', payload })
    const other = await approved({ feature: flag, action: 'patchVariant', payload: { variants: [] } })
    await widen()
    await refused(url)
    expect((await call('second', other, { state: 'Applied' })).status).toBe(200)
  })

  test('the default strategy, and a segment that it names', async () => {
    const { id, widen } = await segment()
    const before = await approved(on())
    await setDefault({ segments: [id] })
    await refused(before)
    const between = await approved(on())
    await widen()
    await refused(between)
    const after = await approved(on())
    expect((await call('second', after, { state: 'Applied' })).status).toBe(200)
  })

  test('older requests without a recorded base conflict if they bring dependent changes', async () => {
    const [on1, off] = [await approved(on()), await approved({ ...on(), payload: { enabled: false } })]
    for (const url of [on1, off]) {
      const id = Number(url.split('/').at(-2))
      const row = await server.db.row('select base from change_request_changes where request_id = ?', id)
      const { used: _, ...base } = typeof row?.base === 'string' ? JSON.parse(row.base) : Object(row?.base)
      await server.db.rows('update change_request_changes set base = ? where request_id = ?', JSON.stringify(base), id)
    }
    await refused(on1)
    expect((await call('second', off, { state: 'Applied' })).status).toBe(200)
  })
})

describe('approvals count by current permissions', () => {
  const role = (id: number) =>
    server.db.rows('update project_members set role_id = ? where user_id = ?', id, people.ids.first)

  test('ignores approvals of actors who may no longer approve', async () => {
    const url = await inReview({ feature: flag, action: 'updateEnabled', payload: { enabled: true } })
    expect((await call('first', url, { state: 'Approved' })).body.state).toBe('Approved')
    await role(5)
    const { status, body } = await call('second', url, { state: 'Applied' })
    await role(4)
    expect([status, body.message]).toEqual([409, expect.stringContaining('0 of the 1 required approvals')])
  })

  test('ignores approvals of non-members of a project that has become private', async () => {
    const made = await server.db.row(
      "insert into roles (name, description, type) values ('Reviewer of all', '', 'root-custom') returning id",
    )
    for (const permission of REVIEW) {
      const row = [Number(made?.id), permission] as const
      await server.db.rows(
        'insert into role_permissions (role_id, permission, environment) values (?, ?, null)',
        ...row,
      )
    }
    const { first } = people.ids
    await server.db.rows('update users set root_role = ? where id = ?', Number(made?.id), first)
    const url = await inReview({ feature: flag, action: 'updateEnabled', payload: { enabled: true } })
    expect((await call('first', url, { state: 'Approved' })).body.state).toBe('Approved')
    const mode = (to: string) => server.admin(`PUT ${PROJECT}`, { name: 'Default', mode: to })
    await server.db.rows('delete from project_members where user_id = ?', first)
    await mode('private')
    const { status, body } = await call('second', url, { state: 'Applied' })
    await server.db.rows("insert into project_members (project, user_id, role_id) values ('default', ?, 4)", first)
    await server.db.rows('update users set root_role = 3 where id = ?', first)
    await mode('open')
    expect([status, body.message]).toEqual([409, expect.stringContaining('0 of the 1 required approvals')])
  })

  test('ignores approvals of actors who may not approve in an environment guarded since', async () => {
    const url = await inReview({ feature: flag, action: 'archiveFeature' })
    expect((await call('member', url, { state: 'Approved' })).body.state).toBe('Approved')
    await config('production', 1)
    const { status, body } = await call('first', url, { state: 'Applied' })
    expect([status, body.message]).toEqual([409, expect.stringContaining('0 of the 1 required approvals')])
    expect((await call('first', url, { state: 'Approved' })).status).toBe(200)
    expect((await call('second', url, { state: 'Applied' })).status).toBe(200)
  })

  test('the same approval again is enough where fewer are needed now', async () => {
    await config('development', 2)
    const url = await inReview({ feature: flag, action: 'updateEnabled', payload: { enabled: true } })
    expect((await call('first', url, { state: 'Approved' })).body.state).toBe('In review')
    await config('development', 1)
    const last = await server.lastEventId()
    expect((await call('first', url, { state: 'Approved' })).body.state).toBe('Approved')
    expect(await server.eventsAfter(last)).toEqual(['change-request-approved'])
  })
})

test('a request holds a million characters at most', async () => {
  const parameters = { rollout: '1', a: 'a'.repeat(48_000), b: 'b'.repeat(48_000) }
  const change = { feature: flag, action: 'addStrategy', payload: { name: 'flexibleRollout', parameters } }
  const propose = `POST ${PROJECT}/environments/development/change-requests`
  let made = { id: 0, features: [{ changes: [{ id: 0 }] }] }
  for (let index = 0; index < 10; index += 1) made = (await call('author', propose, change)).body
  const text = expect.stringContaining('at most 1000000 characters')
  const refused = {
    status: 400,
    body: expect.objectContaining({ details: [expect.objectContaining({ message: text })] }),
  }
  expect(await call('author', propose, change)).toEqual(refused)
  await server.call({ ...people.as.author, call: `DELETE ${PROJECT}/change-requests/${made.id}` })
})

test('a segment of a project that is hidden is not there', async () => {
  await server.admin('POST /api/admin/projects', { id: 'secret', name: 'Secret', mode: 'private' })
  const segment = { name: 'told to nobody', project: 'secret', constraints: [] }
  const { id } = await server.admin('POST /api/admin/segments', segment)
  const propose = `POST ${PROJECT}/environments/development/change-requests`
  for (const change of [
    { action: 'deleteSegment', payload: { id } },
    { action: 'updateSegment', payload: { id, name: 'any', constraints: [] } },
  ]) {
    expect((await call('author', propose, change)).status).toBe(404)
  }
})
