import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queryCounter } from '../../support/queries.ts'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'
import { addPeople, type People, type Person } from './people.ts'

let server: TestServer
let people: People
const counter = queryCounter()
const asked: string[] = []
beforeAll(async () => {
  const onQuery = (text: string) => {
    asked.push(text)
    counter.onQuery(text)
  }
  server = await startServer({}, Date.now, { onQuery })
  people = await addPeople(server)
  for (const name of ['one', 'two']) await server.admin(`POST ${FEATURES}`, { name })
})
afterAll(() => server.close())

const PROJECT = '/api/admin/projects/default'
const FEATURES = `${PROJECT}/features`
const REQUESTS = `${PROJECT}/change-requests`
const PROPOSE = `POST ${PROJECT}/environments/production/change-requests`
const CONFIG = `PUT ${PROJECT}/environments/production/change-requests/config`
const ON = { feature: 'one', action: 'updateEnabled', payload: { enabled: true } }
const ROLLOUT = { name: 'flexibleRollout', parameters: { rollout: '50' } }
const ADD = { feature: 'one', action: 'addStrategy', payload: ROLLOUT }

type Row = Omit<Scenario, 'as'> & { readonly by?: Person }
/** Reads sessions inside the test, because they exist only after the server has started. */
const play = (rows: readonly Row[]) => {
  test.each(rows.map((row) => [`${row.name} → ${row.status}`, row] as const))('%s', async (_name, { by, ...row }) => {
    const last = await server.lastEventId()
    const reply = await server.call(by === undefined ? { ...row, as: 'admin' } : { ...row, ...people.as[by] })
    expect(reply.statusCode, reply.body).toBe(row.status)
    if (row.has !== undefined) expect(reply.json()).toMatchObject(row.has as object)
    if (row.text !== undefined) expect(reply.body).toContain(row.text)
    expect(await server.eventsAfter(last)).toEqual(row.events ?? [])
  })
}

describe('switched on per environment', () => {
  const config = (changeRequestEnabled: boolean, requiredApprovals: number | null) => [
    { environment: 'development', changeRequestEnabled: false, requiredApprovals: null },
    { environment: 'production', type: 'production', changeRequestEnabled, requiredApprovals },
  ]
  play([
    { name: 'nowhere at first', call: `GET ${REQUESTS}/config`, status: 200, has: config(false, null) },
    { name: 'off, as it is', call: CONFIG, body: { changeRequestsEnabled: false }, status: 204 },
    {
      name: 'on, two approvals',
      call: CONFIG,
      body: { changeRequestsEnabled: true, requiredApprovals: 2 },
      status: 204,
      events: ['change-request-configuration-updated'],
    },
    { name: 'again', call: CONFIG, body: { changeRequestsEnabled: true, requiredApprovals: 2 }, status: 204 },
    { name: 'as it is now', call: `GET ${REQUESTS}/config`, status: 200, has: config(true, 2) },
    { name: 'not by a member', by: 'member', call: CONFIG, body: { changeRequestsEnabled: false }, status: 403 },
    { name: 'no approvals', call: CONFIG, body: { changeRequestsEnabled: true, requiredApprovals: 0 }, status: 400 },
    { name: 'eleven', call: CONFIG, body: { changeRequestsEnabled: true, requiredApprovals: 11 }, status: 400 },
    {
      name: 'an environment that is not there',
      call: `PUT ${PROJECT}/environments/nowhere/change-requests/config`,
      body: { changeRequestsEnabled: true },
      status: 404,
    },
    { name: 'a project that is not there', call: 'GET /api/admin/projects/none/change-requests/config', status: 404 },
  ])
})

describe('from a draft to what is applied', () => {
  play([
    {
      name: 'a direct change is refused, with the way to propose it',
      by: 'first',
      call: `POST ${FEATURES}/one/environments/production/on`,
      status: 403,
      text: 'propose the change with POST /api/admin/projects/default/environments/production/change-requests',
    },
    {
      name: 'elsewhere it is not',
      by: 'first',
      call: `POST ${FEATURES}/one/environments/development/on`,
      status: 200,
      events: ['feature-strategy-add', 'feature-environment-enabled'],
    },
    {
      name: 'a change begins a draft',
      by: 'author',
      call: PROPOSE,
      body: ADD,
      status: 200,
      has: {
        id: 1,
        state: 'Draft',
        project: 'default',
        environment: 'production',
        minApprovals: 2,
        createdBy: { username: 'author' },
        features: [{ name: 'one', changes: [{ id: 1, action: 'addStrategy', payload: ROLLOUT }] }],
        segments: [],
        approvals: [],
        rejections: [],
        comments: [],
      },
      events: ['change-request-created', 'change-added'],
    },
    {
      name: 'several users join it',
      by: 'author',
      call: PROPOSE,
      body: [ON, { ...ON, feature: 'two' }],
      status: 200,
      has: { id: 1, features: [{ name: 'one', changes: [{ id: 1 }, { id: 2 }] }, { name: 'two' }] },
      events: ['change-added', 'change-added'],
    },
    {
      name: 'no token proposes',
      call: PROPOSE,
      body: ON,
      status: 403,
      text: 'Only users can do this',
    },
    { name: 'a flag that is not there', by: 'author', call: PROPOSE, body: { ...ON, feature: 'none' }, status: 404 },
    { name: 'no flag', by: 'author', call: PROPOSE, body: { action: 'archiveFeature' }, status: 400, text: 'feature' },
    {
      name: 'a payload that is none',
      by: 'author',
      call: PROPOSE,
      body: { ...ON, payload: { enabled: 'perhaps' } },
      status: 400,
      text: 'enabled',
    },
    { name: 'an unknown action', by: 'author', call: PROPOSE, body: { ...ON, action: 'startMilestone' }, status: 400 },
    {
      name: 'what could not be done',
      by: 'author',
      call: PROPOSE,
      body: { feature: 'one', action: 'deleteStrategy', payload: { id: 'none' } },
      status: 404,
      text: 'There is no strategy',
    },
    {
      name: 'what could not be done in a list, all of which is left out',
      by: 'author',
      call: PROPOSE,
      body: [ON, { feature: 'one', action: 'addStrategy', payload: { name: 'unheard of' } }],
      status: 400,
      text: 'unheard of',
    },
    { name: 'a draft is visible only to its author', by: 'first', call: `GET ${REQUESTS}/1`, status: 404 },
    {
      name: 'the flag is unchanged',
      call: `GET ${FEATURES}/one/environments/production`,
      status: 200,
      has: { enabled: false, strategies: [] },
    },
    {
      name: 'a change is edited',
      by: 'author',
      call: `PUT ${REQUESTS}/1/changes/1`,
      body: { action: 'addStrategy', payload: { ...ROLLOUT, title: 'half' } },
      status: 204,
      events: ['change-edited'],
    },
    {
      name: 'a change is discarded',
      by: 'author',
      call: `DELETE ${REQUESTS}/1/changes/3`,
      status: 200,
      events: ['change-discarded'],
    },
    { name: 'which is gone', by: 'author', call: `DELETE ${REQUESTS}/1/changes/3`, status: 404 },
    {
      name: 'a title',
      by: 'author',
      call: `PUT ${REQUESTS}/1/title`,
      body: { title: 'Half of production' },
      status: 204,
      events: ['change-request-title-updated'],
    },
    {
      name: 'it is sent to review',
      by: 'author',
      call: `PUT ${REQUESTS}/1/state`,
      body: { state: 'In review', comment: 'please' },
      status: 200,
      has: { state: 'In review', title: 'Half of production', comments: [{ text: 'please' }] },
      events: ['change-request-sent-to-review', 'change-request-comment-added'],
    },
    {
      name: 'not one’s own',
      by: 'author',
      call: `PUT ${REQUESTS}/1/state`,
      body: { state: 'Approved' },
      status: 403,
      text: 'APPROVE_CHANGE_REQUEST',
    },
    {
      name: 'nor without the right',
      by: 'member',
      call: `PUT ${REQUESTS}/1/state`,
      body: { state: 'Approved' },
      status: 403,
      text: 'APPROVE_CHANGE_REQUEST',
    },
    {
      name: 'not yet',
      by: 'first',
      call: `PUT ${REQUESTS}/1/state`,
      body: { state: 'Applied' },
      status: 409,
      text: 'it can become',
    },
    {
      name: 'the first approves',
      by: 'first',
      call: `PUT ${REQUESTS}/1/state`,
      body: { state: 'Approved' },
      status: 200,
      has: { state: 'In review', approvals: [{ createdBy: { username: 'first' } }] },
      events: ['change-request-approval-added'],
    },
    { name: 'once', by: 'first', call: `PUT ${REQUESTS}/1/state`, body: { state: 'Approved' }, status: 200 },
    {
      name: 'the second approves',
      by: 'second',
      call: `PUT ${REQUESTS}/1/state`,
      body: { state: 'Approved' },
      status: 200,
      has: { state: 'Approved' },
      events: ['change-request-approval-added', 'change-request-approved'],
    },
    {
      name: 'an edit that changes nothing keeps them',
      by: 'author',
      call: `PUT ${REQUESTS}/1/changes/2`,
      body: { action: 'updateEnabled', payload: { enabled: true } },
      status: 204,
      events: [],
    },
    {
      name: 'an edit drops approvals',
      by: 'author',
      call: `PUT ${REQUESTS}/1/changes/2`,
      body: { action: 'updateEnabled', payload: { enabled: false } },
      status: 204,
      events: ['change-edited'],
    },
    {
      name: 'an edit back to the first payload',
      by: 'author',
      call: `PUT ${REQUESTS}/1/changes/2`,
      body: { action: 'updateEnabled', payload: { enabled: true } },
      status: 204,
      events: ['change-edited'],
    },
    {
      name: 'and it is reviewed again',
      by: 'author',
      call: `GET ${REQUESTS}/1`,
      status: 200,
      has: { state: 'In review', approvals: [] },
    },
    ...(['first', 'second'] as const).map((by) => ({
      name: `${by} approves again`,
      by,
      call: `PUT ${REQUESTS}/1/state`,
      body: { state: 'Approved' },
      status: 200,
      events: ['change-request-approval-added', ...(by === 'second' ? ['change-request-approved'] : [])],
    })),
    {
      name: 'who may not apply does not',
      by: 'author',
      call: `PUT ${REQUESTS}/1/state`,
      body: { state: 'Applied' },
      status: 403,
      text: 'APPLY_CHANGE_REQUEST',
    },
    {
      name: 'all of it is applied',
      by: 'second',
      call: `PUT ${REQUESTS}/1/state`,
      body: { state: 'Applied' },
      status: 200,
      has: { state: 'Applied', appliedBy: { username: 'second' } },
      events: ['feature-strategy-add', 'feature-environment-enabled', 'change-request-applied'],
    },
    {
      name: 'an applied request still shows the state before',
      by: 'author',
      call: `GET ${REQUESTS}/1`,
      status: 200,
      has: { features: [{ name: 'one', previous: { enabled: false, strategies: [], dependencies: [] } }] },
    },
    {
      name: 'the flag is on for half',
      call: `GET ${FEATURES}/one/environments/production`,
      status: 200,
      has: { enabled: true, strategies: [{ title: 'half', parameters: { rollout: '50' } }] },
    },
    { name: 'never twice', by: 'first', call: `PUT ${REQUESTS}/1/state`, body: { state: 'Applied' }, status: 409 },
    { name: 'it changes no more', by: 'author', call: `DELETE ${REQUESTS}/1/changes/1`, status: 409 },
    { name: 'nor goes', by: 'author', call: `DELETE ${REQUESTS}/1`, status: 409 },
  ])
})

describe('a flag that moves on', () => {
  play([
    {
      name: 'a draft',
      by: 'author',
      call: PROPOSE,
      body: [{ ...ON, feature: 'two' }, ADD],
      status: 200,
      has: { id: 2 },
      events: ['change-request-created', 'change-added', 'change-added'],
    },
    {
      name: 'to review',
      by: 'author',
      call: `PUT ${REQUESTS}/2/state`,
      body: { state: 'In review' },
      status: 200,
      events: ['change-request-sent-to-review'],
    },
    ...(['first', 'second'] as const).map((by) => ({
      name: `${by} approves`,
      by,
      call: `PUT ${REQUESTS}/2/state`,
      body: { state: 'Approved' },
      status: 200,
      events: ['change-request-approval-added', ...(by === 'second' ? ['change-request-approved'] : [])],
    })),
    {
      name: 'an administrator skips, with an event',
      call: `POST ${FEATURES}/one/environments/production/off`,
      status: 200,
      events: ['feature-environment-disabled', 'change-request-skipped'],
    },
    {
      name: 'nothing is applied, with the reason',
      by: 'first',
      call: `PUT ${REQUESTS}/2/state`,
      body: { state: 'Applied' },
      status: 409,
      has: {
        details: [
          { message: expect.stringContaining('it was turned off'), path: expect.stringMatching(/^changes\/\d+$/) },
        ],
      },
    },
    {
      name: 'nor is it scheduled',
      by: 'first',
      call: `PUT ${REQUESTS}/2/state`,
      body: { state: 'Scheduled', scheduledAt: '2999-01-01T00:00:00Z' },
      status: 409,
    },
    {
      name: 'the other flag is unchanged',
      call: `GET ${FEATURES}/two/environments/production`,
      status: 200,
      has: { enabled: false },
    },
    {
      name: 'the conflict is shown',
      by: 'author',
      call: `GET ${REQUESTS}/2`,
      status: 200,
      has: { features: [{ name: 'two' }, { name: 'one', conflict: expect.stringContaining('turned off') }] },
    },
    {
      name: 'a reviewer rejects it',
      by: 'first',
      call: `PUT ${REQUESTS}/2/state`,
      body: { state: 'Rejected' },
      status: 200,
      has: { state: 'Rejected', rejections: [{ createdBy: { username: 'first' } }] },
      events: ['change-request-rejected'],
    },
    { name: 'for good', by: 'author', call: `PUT ${REQUESTS}/2/state`, body: { state: 'Draft' }, status: 409 },
  ])
})

describe('lists', () => {
  play([
    {
      name: 'a draft',
      by: 'author',
      call: PROPOSE,
      body: ON,
      status: 200,
      has: { id: 3 },
      events: ['change-request-created', 'change-added'],
    },
    {
      name: 'all except drafts of other users',
      by: 'first',
      call: `GET ${REQUESTS}`,
      status: 200,
      has: [{ id: 2 }, { id: 1 }],
    },
    {
      name: 'one’s own among them',
      by: 'author',
      call: `GET ${REQUESTS}`,
      status: 200,
      has: [{ id: 3 }, { id: 2 }, { id: 1 }],
    },
    { name: 'own open ones', by: 'author', call: `GET ${REQUESTS}/pending`, status: 200, has: [{ id: 3 }] },
    { name: 'of a flag', by: 'author', call: `GET ${REQUESTS}/pending/one`, status: 200, has: [{ id: 3 }] },
    { name: 'of a flag without one', by: 'author', call: `GET ${REQUESTS}/pending/two`, status: 200, has: [] },
    {
      name: 'to review',
      by: 'author',
      call: `PUT ${REQUESTS}/3/state`,
      body: { state: 'In review' },
      status: 200,
      events: ['change-request-sent-to-review'],
    },
    { name: 'open ones', by: 'first', call: `GET ${REQUESTS}/open`, status: 200, has: [{ id: 3 }] },
    {
      name: 'requests that wait for the caller',
      by: 'first',
      call: `GET ${REQUESTS}/actionable`,
      status: 200,
      has: { total: 1 },
    },
    {
      name: 'nothing for who made it',
      by: 'author',
      call: `GET ${REQUESTS}/actionable`,
      status: 200,
      has: { total: 0 },
    },
    {
      name: 'counts',
      call: `GET ${REQUESTS}/count`,
      status: 200,
      has: { total: 3, applied: 1, rejected: 1, reviewRequired: 1, approved: 0, scheduled: 0 },
    },
    {
      name: 'a search by state',
      call: 'GET /api/admin/search/change-requests?state=IS_ANY_OF:Applied,Rejected&limit=1',
      status: 200,
      has: { total: 2, changeRequests: [{ id: 2, features: ['two', 'one'], state: 'Rejected' }] },
    },
    { name: 'a condition that is none', call: 'GET /api/admin/search/change-requests?state=Applied', status: 400 },
    {
      name: 'who may approve',
      by: 'author',
      call: `GET ${REQUESTS}/available-reviewers/production`,
      status: 200,
      text: '"username":"second"',
    },
    {
      name: 'no reviewer is requested yet',
      by: 'author',
      call: `GET ${REQUESTS}/3/approvers`,
      status: 200,
      has: { reviewers: [] },
    },
    {
      name: 'unknown users cannot be requested',
      by: 'author',
      call: `PUT ${REQUESTS}/3/approvers`,
      body: { reviewers: [999_999] },
      status: 400,
    },
    {
      name: 'a comment',
      by: 'member',
      call: `POST ${REQUESTS}/3/comments`,
      body: { text: 'why?' },
      status: 204,
      events: ['change-request-comment-added'],
    },
    {
      name: 'it is taken back',
      by: 'author',
      call: `PUT ${REQUESTS}/3/state`,
      body: { state: 'Cancelled' },
      status: 200,
      has: { state: 'Cancelled' },
      events: ['change-request-cancelled'],
    },
    {
      name: 'and removed',
      by: 'author',
      call: `DELETE ${REQUESTS}/3`,
      status: 200,
      events: ['change-request-discarded'],
    },
    { name: 'for good', by: 'author', call: `GET ${REQUESTS}/3`, status: 404 },
  ])

  test('filter by requested approver', async () => {
    const made = await server.call({ call: PROPOSE, body: ON, ...people.as.author })
    const { id } = made.json()
    const body = { reviewers: [people.ids.first] }
    const asked = await server.call({ call: `PUT ${REQUESTS}/${id}/approvers`, body, ...people.as.author })
    expect(asked.statusCode).toBe(204)
    await server.call({ call: `PUT ${REQUESTS}/${id}/state`, body: { state: 'In review' }, ...people.as.author })
    const query = `requestedApproverId=IS:${people.ids.first}`
    const found = await server.admin(`GET /api/admin/search/change-requests?${query}`)
    expect(found.changeRequests.map((one: { id: number }) => one.id)).toEqual([id])
    const { reviewers } = await server.admin(`GET ${REQUESTS}/${id}/approvers`)
    expect(reviewers).toMatchObject([{ id: people.ids.first, status: 'unknown' }])
  })
})

describe('segments and parents', () => {
  scenarios(
    () => server,
    [
      {
        name: 'a segment',
        as: 'admin',
        call: 'POST /api/admin/segments',
        body: { name: 'staff', constraints: [] },
        status: 201,
        events: ['segment-created'],
      },
    ],
  )
  play([
    {
      name: 'a segment’s change is proposed',
      by: 'author',
      call: PROPOSE,
      body: {
        action: 'updateSegment',
        payload: { id: 1, name: 'staff', constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }] },
      },
      status: 200,
      has: { segments: [{ name: 'staff', action: 'updateSegment' }] },
      events: ['change-request-created', 'change-added'],
    },
    {
      name: 'one that is not there',
      by: 'author',
      call: PROPOSE,
      body: { action: 'deleteSegment', payload: { id: 99 } },
      status: 404,
    },
    {
      name: 'a parent is proposed',
      by: 'author',
      call: PROPOSE,
      body: { feature: 'two', action: 'addDependency', payload: { feature: 'one' } },
      status: 200,
      events: ['change-added'],
    },
    {
      name: 'a parent that cannot be one',
      by: 'author',
      call: PROPOSE,
      body: { feature: 'two', action: 'addDependency', payload: { feature: 'two' } },
      status: 403,
    },
  ])
})

describe('turning on a flag', () => {
  const about = async (...changes: readonly object[]) => {
    const reply = await server.call({ call: PROPOSE, body: changes, ...people.as.member })
    expect(reply.statusCode, reply.body).toBe(200)
    const { id, features } = reply.json()
    await server.call({ call: `DELETE ${REQUESTS}/${id}`, ...people.as.member })
    return features[0].defaultChange
  }
  const on = { feature: 'bare', action: 'updateEnabled', payload: { enabled: true } }
  const add = (disabled: boolean) => ({ feature: 'bare', action: 'addStrategy', payload: { ...ROLLOUT, disabled } })

  test('adds the default strategy if no strategy would be enabled', async () => {
    await server.admin(`POST ${FEATURES}`, { name: 'bare' })
    const everybody = { action: 'addStrategy', payload: { name: 'flexibleRollout', parameters: { rollout: '100' } } }
    expect(await about(on)).toEqual(everybody)
    expect(await about(add(true), on)).toEqual(everybody)
    expect(await about(add(false), on)).toBeUndefined()
    const activating = { ...on, payload: { enabled: true, shouldActivateDisabledStrategies: true } }
    expect(await about(add(true), activating)).toBeUndefined()
    await server.admin(`POST ${PROJECT}/environments/production/default-strategy`, ROLLOUT)
    expect(await about(on)).toMatchObject({ action: 'addStrategy', payload: ROLLOUT })
  })

  const DEVELOPMENT = `${PROJECT}/environments/development/change-requests`
  const part = (rollout: string, disabled = false) => ({
    action: 'addStrategy',
    payload: { name: 'flexibleRollout', parameters: { rollout }, disabled },
  })
  const turn = (enabled: boolean, shouldActivateDisabledStrategies = false) => ({
    action: 'updateEnabled',
    payload: { enabled, shouldActivateDisabledStrategies },
  })
  const kept = (disabled: boolean) => ({ action: 'updateStrategy', payload: { id: 'kept', name: 'default', disabled } })
  const drop = { action: 'deleteStrategy', payload: { id: 'kept' } }
  const TURNED: readonly (readonly [string, readonly object[], string])[] = [
    ['a strategy that comes after it', [turn(true), part('10')], 'kept off, 10 on: on'],
    ['its own, enabled by it, and one that comes', [turn(true, true), part('10')], 'kept on, 10 on: on'],
    ['one after a disabled one', [drop, turn(true, true), part('5', true), part('10')], '5 off, 10 on: on'],
    ['only a disabled one', [turn(true), part('10', true)], 'kept off, 100 on, 10 off: on'],
    ['its own, enabled after it', [turn(true), kept(false)], 'kept on: on'],
    ['its own, disabled before it', [kept(false), kept(true), turn(true)], 'kept off, 100 on: on'],
    ['its own, removed after it', [turn(true), kept(false), drop], ': off'],
    [
      'turned on, and off before there is a strategy',
      [turn(true), turn(false), part('10')],
      'kept off, 100 on, 10 on: off',
    ],
    ['turned on twice', [turn(true), turn(true)], 'kept off, 100 on: on'],
    ['nothing that is not turned on', [turn(false), part('10')], 'kept off, 10 on: off'],
  ]
  test.each(TURNED)('applies the strategies as listed: %s', async (name, changes, expected) => {
    const feature = `turned-${TURNED.findIndex(([one]) => one === name)}`
    await server.admin(`POST ${FEATURES}`, { name: feature })
    const here = `${FEATURES}/${feature}/environments/development`
    const { id: own } = await server.admin(`POST ${here}/strategies`, { name: 'default', disabled: true })
    const named = changes.map((change) => ({ ...change, feature }))
    const body = JSON.parse(JSON.stringify(named).replaceAll('"kept"', `"${own}"`))
    const reply = await server.call({ call: `POST ${DEVELOPMENT}`, body, ...people.as.author })
    expect(reply.statusCode, reply.body).toBe(200)
    const made = reply.json()
    expect(made.features[0]?.defaultChange !== undefined).toBe(expected.includes('100 on'))
    const take = (by: Person, state: string) =>
      server.call({ call: `PUT ${REQUESTS}/${made.id}/state`, body: { state }, ...people.as[by] })
    await take('author', 'In review')
    await take('first', 'Approved')
    const applied = await take('first', 'Applied')
    expect(applied.statusCode, applied.body).toBe(200)
    const { enabled, strategies } = await server.admin(`GET ${here}`)
    const said = strategies.map((one: { id: string; disabled: boolean; parameters: { rollout?: string } }) => {
      return `${one.id === own ? 'kept' : one.parameters.rollout} ${one.disabled ? 'off' : 'on'}`
    })
    expect(`${said.join(', ')}: ${enabled ? 'on' : 'off'}`).toBe(expected)
  })
})

describe('lists', () => {
  const made = async (environment: string) => {
    const request = await server.db.row(
      `insert into change_requests (project, environment, title, state, state_times, created_by_user_id, created_by,
        created_at, scheduled_at, schedule_status) values ('default', ?, 't', 'Scheduled', '{}', 1, 'x', 1, ?, 'pending')
        returning id`,
      environment,
      Date.now() + 1_000_000,
    )
    for (const feature of ['one', 'two', 'one']) {
      await server.db.rows(
        `insert into change_request_changes (request_id, feature_name, action, payload, base, created_by_user_id,
          created_by, created_at) values (?, ?, 'updateEnabled', '{"enabled":true}', '{}', 1, 'x', 1)`,
        Number(request?.id),
        feature,
      )
    }
  }

  test('take as many queries for many change requests as for one, and read neither payloads nor base states', async () => {
    const urls = [REQUESTS, `${REQUESTS}/open`, `${REQUESTS}/scheduled`, '/api/admin/search/change-requests']
    const cost = async () => {
      asked.length = 0
      const spent: number[] = []
      for (const url of urls) spent.push(await counter.count(() => server.admin(`GET ${url}`)))
      expect(asked.filter((text) => /change_request_changes/.test(text) && /payload|base|\*/.test(text))).toEqual([])
      return spent
    }
    await made('production')
    const few = await cost()
    for (let n = 0; n < 20; n += 1) await made(n % 2 === 0 ? 'production' : 'development')
    expect(await cost()).toEqual(few)
    const listed = (await server.admin(`GET ${REQUESTS}/open`)).at(0)
    expect(listed.features.map((one: { name: string; changes: object[] }) => [one.name, one.changes.length])).toEqual([
      ['one', 2],
      ['two', 1],
    ])
    expect(Object.keys(listed.features[0].changes[0])).not.toContain('payload')
    expect((await server.admin('GET /api/admin/search/change-requests')).changeRequests[0].features).toEqual([
      'one',
      'two',
    ])
    await server.db.rows("delete from change_requests where created_by = 'x'")
  })

  test('contain at most five million characters, the newest requests', async () => {
    const state = "'{}', ?, 'author', 1, 't') returning id"
    const request =
      'insert into change_requests (project, environment, state, state_times, created_by_user_id, created_by, created_at, title)'
    const ids: number[] = []
    for (let index = 0; index < 4; index += 1) {
      const row = await server.db.row(
        `${request} values ('default', 'production', 'In review', ${state}`,
        people.ids.author,
      )
      ids.unshift(Number(row?.id))
      await server.db.rows(
        `insert into change_request_changes (request_id, feature_name, action, payload, base, created_by_user_id,
          created_by, created_at) values (?, 'two', 'patchVariant', ?, '{}', 1, 'x', 1)`,
        Number(row?.id),
        JSON.stringify({ variants: 'v'.repeat(1_900_000) }),
      )
    }
    for (const url of [`${REQUESTS}/pending`, `${REQUESTS}/pending/two`]) {
      const reply = await server.call({ call: `GET ${url}`, ...people.as.author })
      expect(reply.json().map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2))
    }
    await server.db.rows('delete from change_requests where id >= ?', ids.at(-1) as number)
  })

  test('limit comments to 200,000 characters', async () => {
    const made = await server.call({ call: PROPOSE, body: { ...ON, feature: 'two' }, ...people.as.member })
    const { id } = made.json()
    const comment = { call: `POST ${REQUESTS}/${id}/comments`, body: { text: 'c'.repeat(5000) }, ...people.as.member }
    const said = 'insert into change_request_comments (request_id, text, created_by_user_id, created_by, created_at)'
    await server.db.rows(`${said} values (?, ?, 1, 'x', 1)`, id, 'c'.repeat(195_000))
    expect((await server.call(comment)).statusCode).toBe(204)
    const reply = await server.call(comment)
    expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining('200000 characters')])
    await server.call({ call: `DELETE ${REQUESTS}/${id}`, ...people.as.member })
  })
})

test('events of a draft omit its changes, events of a reviewed request contain them', async () => {
  const call = (by: Person, line: string, body?: unknown) => server.call({ call: line, body, ...people.as[by] })
  await server.admin(`POST ${FEATURES}`, { name: 'quiet' })
  const made = await call('member', PROPOSE, [
    { ...ADD, feature: 'quiet' },
    { feature: 'quiet', action: 'archiveFeature', payload: { secret: 'never kept' } },
  ])
  expect(made.statusCode, made.body).toBe(200)
  const { id, features } = made.json()
  const [first, second] = features[0].changes
  expect(second.payload).toBeNull()
  const edit = (payload: object) =>
    call('member', `PUT ${REQUESTS}/${id}/changes/${first.id}`, { action: 'addStrategy', payload })
  const last = async () => (await server.admin('GET /api/admin/events/quiet')).events
  await edit({ ...ROLLOUT, title: 'titled' })
  await call('member', `DELETE ${REQUESTS}/${id}/changes/${second.id}`)
  const events = await last()
  expect(JSON.stringify(events)).not.toMatch(/payload|rollout|never kept/)
  expect(events[1]).toMatchObject({
    type: 'change-edited',
    data: { changeId: first.id, action: 'addStrategy' },
    preData: { changeId: first.id, action: 'addStrategy' },
  })
  await call('member', `PUT ${REQUESTS}/${id}/state`, { state: 'In review' })
  await edit(ROLLOUT)
  expect((await last())[0]).toMatchObject({ type: 'change-edited', data: { payload: ROLLOUT } })
  await call('member', `PUT ${REQUESTS}/${id}/state`, { state: 'Cancelled' })
  await call('member', `DELETE ${REQUESTS}/${id}`)
})
