import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryCounter } from '../../support/queries.ts'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * Requests that name many objects. The writer lock is held while a change runs, so a request must not run many
 * statements for each object that it names, and none whose number grows faster than the objects.
 */
const counter = queryCounter()
let server: TestServer
const FEW = 10
const MANY = 40
/** Statements per object of requests that run one statement for many objects. */
const STATEMENTS_OF_PARTS = 0.25
const P = '/api/admin/projects/default'

beforeAll(async () => {
  server = await startServer({}, Date.now, { onQuery: counter.onQuery })
  await server.admin('POST /api/admin/projects', { id: 'full', name: 'full' })
  for (let index = 0; index < FEW + MANY; index++) {
    await server.admin(`POST ${P}/features`, { name: flagAt(index) })
    const into = 'insert into users (username, password_hash, root_role, created_at)'
    const row = await server.db.row(`${into} values (?, '', 3, 1) returning id`, `u${index}`)
    ids.push(Number(row?.id))
    await server.admin('POST /api/admin/groups', { name: `g${index}` })
  }
  await server.admin('POST /api/admin/groups', { name: 'crowd' })
}, 60_000)
afterAll(() => server.close())

/** Ids of the users, by their index. */
const ids: number[] = []
const flagAt = (index: number) => `f${index}`
/** Returns items for two disjoint sets of objects: the first FEW, or the MANY after them. */
const pick = <T>(count: number, at: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => at(count === FEW ? index : FEW + index))
const flags = (count: number) => ({ features: pick(count, flagAt) })
const users = (count: number) => pick(count, (index) => ids[index] ?? 0)
const groups = (count: number) => pick(count, (index) => 1 + index)
const permissions = (count: number) =>
  pick(count, (index) => ({
    name: 'UPDATE_FEATURE_ENVIRONMENT',
    environment: index % 2 ? 'development' : 'production',
  }))

interface Row {
  readonly name: string
  readonly call: string
  readonly body?: (count: number) => unknown
  /** Returns the query, for reads. */
  readonly query?: (count: number) => string
  /**
   * Maximum number of additional statements for each additional object. 0 allows one for every few dozen, because
   * events are stored in parts.
   */
  readonly each: number
}

const tag = (count: number) => ({
  ...flags(count),
  tags: { addedTags: [{ type: 'simple', value: 'bulk' }], removedTags: [] },
})
const tagsOf = (count: number) => ({
  features: ['f0'],
  tags: { addedTags: pick(count, (index) => ({ type: 'simple', value: `tag${index}` })), removedTags: [] },
})

const ROWS: readonly Row[] = [
  {
    name: 'roles of many users and groups',
    call: `POST ${P}/access`,
    body: (count) => ({ roles: [5], users: users(count), groups: groups(count) }),
    each: 0,
  },
  {
    name: 'all roles in a project',
    call: 'PUT /api/admin/projects/full/access',
    body: (count) => ({ roles: [{ id: 4, users: users(count), groups: groups(count) }] }),
    each: 0,
  },
  {
    name: 'members of a group',
    call: `PUT /api/admin/groups/${FEW + MANY + 1}`,
    body: (count) => ({ name: 'crowd', users: users(count).map((id) => ({ user: { id } })) }),
    each: 0,
  },
  { name: 'permissions of a role', call: 'POST /api/admin/roles', body: roleOf, each: 0 },
  { name: 'tags of many flags', call: `PUT ${P}/tags`, body: tag, each: 3 },
  { name: 'many tags of a flag', call: `PUT ${P}/tags`, body: tagsOf, each: 3 },
  { name: 'stale flags', call: `POST ${P}/stale`, body: (count) => ({ ...flags(count), stale: true }), each: 3 },
  {
    name: 'snoozed flags',
    call: `POST ${P}/snooze`,
    body: (count) => ({ ...flags(count), until: new Date(Date.now() + 86_400_000).toISOString(), reason: 'later' }),
    each: 3,
  },
  {
    name: 'flags that are turned on',
    call: `POST ${P}/bulk_features/environments/development/on`,
    body: flags,
    each: 10,
  },
  { name: 'the check before flags are archived', call: `POST ${P}/archive/validate`, body: flags, each: 0 },
  { name: 'archived flags', call: `POST ${P}/archive`, body: flags, each: 5 },
  { name: 'revived flags', call: `POST ${P}/revive`, body: flags, each: 6 },
  {
    name: 'authors of events',
    call: 'GET /api/admin/search/events',
    query: (count) => `createdBy=IS_ANY_OF:${users(count).join()}`,
    each: 0,
  },
  { name: 'display names', call: 'GET /api/admin/people', query: (count) => `ids=${users(count).join()}`, each: 0 },
  {
    name: 'requested reviewers',
    call: 'GET /api/admin/search/change-requests',
    query: (count) => `requestedApproverId=IS_ANY_OF:${users(count).join()}`,
    each: 0,
  },
]

function roleOf(count: number) {
  return { name: `role${count}`, type: 'custom', permissions: permissions(count) }
}

test.each(ROWS)('runs at most $each statements for each object: $name', async ({ call, body, query, each }) => {
  const run = (count: number) =>
    counter.count(async () => {
      const url = query === undefined ? call : `${call}?${query(count)}`
      const reply = await server.call({ as: 'admin', call: url, ...(body === undefined ? {} : { body: body(count) }) })
      expect(reply.statusCode, reply.body).toBeLessThan(300)
    })
  const few = await run(FEW)
  const many = await run(MANY)
  expect((many - few) / (MANY - FEW)).toBeLessThanOrEqual(each + STATEMENTS_OF_PARTS)
})
