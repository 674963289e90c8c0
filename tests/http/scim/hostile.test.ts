import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queryCounter } from '../../support/queries.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** A directory sends long lists, long texts, and numbers in other spellings. */
const A = '/api/admin'
const S = '/scim/v2'

const counter = queryCounter()
let server: TestServer
let token: string
let group: string
beforeAll(async () => {
  server = await startServer({}, Date.now, { onQuery: counter.onQuery })
  await server.admin(`POST ${A}/scim-settings`, { enabled: true })
  token = (await server.admin(`POST ${A}/scim-settings/generate-new-token`)).token
  group = (await scim(`POST ${S}/Groups`, { displayName: 'Hostile' })).body.id
})
afterAll(() => server.close())

const scim = async (call: string, body?: unknown) => {
  const headers = { 'content-type': 'application/scim+json' }
  const reply = await server.call({ as: `Bearer ${token}`, call, headers, ...(body === undefined ? {} : { body }) })
  return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() }
}
const patch = (...Operations: object[]) => ({ Operations })
const name = (ids: readonly string[]) => ids.map((value) => ({ value }))
const invented = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`)

/** Inserts accounts with an address that nobody has verified, and returns their SCIM ids. */
async function insertUnverified(tag: string, count: number): Promise<string[]> {
  const rows = Array.from(
    { length: count },
    (_, index) =>
      `('${tag}${index}@example.com', '${tag} ${index}', 'hash', 3, ${index % 2 === 0 ? `'${tag}${index}'` : 'null'}, 0, 0, 0, 0)`,
  )
  const columns =
    'email, name, password_hash, root_role, username, must_change_password, login_attempts, created_at, address_verified'
  await server.db.rows(`insert into users (${columns}) values ${rows.join(', ')}`)
  const users = await server.db.rows(`select id from users where email like '${tag}%@example.com' order by id`)
  return users.map(({ id }) => String(id))
}

describe('members of a group', () => {
  /** Requests that name members, by the ids that they name. */
  const REQUESTS: Readonly<Record<string, (ids: readonly string[]) => Promise<{ status: number; body: unknown }>>> = {
    'creates a group': (ids) => scim(`POST ${S}/Groups`, { displayName: `New ${ids.length}`, members: name(ids) }),
    'replaces a group': (ids) => scim(`PUT ${S}/Groups/${group}`, { displayName: 'Hostile', members: name(ids) }),
    'adds members': (ids) =>
      scim(`PATCH ${S}/Groups/${group}`, patch({ op: 'add', path: 'members', value: name(ids) })),
    'replaces members': (ids) =>
      scim(`PATCH ${S}/Groups/${group}`, patch({ op: 'replace', value: { members: name(ids) } })),
    'adds members in many operations': (ids) =>
      scim(
        `PATCH ${S}/Groups/${group}`,
        patch(...chunk(ids, 20).map((part) => ({ op: 'add', path: 'members', value: name(part) }))),
      ),
    'removes members': (ids) =>
      scim(`PATCH ${S}/Groups/${group}`, patch({ op: 'remove', path: 'members', value: name(ids) })),
  }
  const chunk = (ids: readonly string[], size: number) =>
    Array.from({ length: Math.ceil(ids.length / size) }, (_, part) => ids.slice(part * size, (part + 1) * size))

  test.each(Object.keys(REQUESTS))('a request that %s runs few queries for 10,000 unknown ids', async (request) => {
    const queries = await counter.count(() => (REQUESTS[request] as (typeof REQUESTS)[string])(invented(10_000)))
    expect(queries).toBeLessThan(60)
  })

  test.each(Object.keys(REQUESTS))('a request that %s with 10,001 ids gets a 400', async (request) => {
    const { status, body } = await (REQUESTS[request] as (typeof REQUESTS)[string])(invented(10_001))
    expect([status, body]).toEqual([
      400,
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '400',
        scimType: 'invalidValue',
        detail: expect.stringMatching(/members.*10000|10000.*members/),
      },
    ])
  })

  test('can be added, sorted and removed by the thousand in few queries, and are adopted', async () => {
    const ids = await insertUnverified('many', 2000)
    const read = async () =>
      (await scim(`GET ${S}/Groups/${group}`)).body.members.map(({ value }: { value: string }) => value)
    const put = async (list: readonly string[]) => {
      let status = 0
      const queries = await counter.count(async () => {
        status = (await scim(`PUT ${S}/Groups/${group}`, { displayName: 'Hostile', members: name(list) })).status
      })
      expect([status, queries < 100, queries]).toEqual([200, true, queries])
    }
    await put(ids)
    expect(await read()).toEqual(ids)
    const accounts = await server.db.rows(
      "select username, email, name, password_hash, address_verified from users where email like 'many%@example.com' or username like 'many%' order by id",
    )
    expect(accounts.slice(0, 2)).toEqual([
      { username: 'many0', email: null, name: null, password_hash: '', address_verified: 1 },
      { username: null, email: 'many1@example.com', name: null, password_hash: '', address_verified: 1 },
    ])
    expect(accounts.every(({ address_verified }) => address_verified === 1)).toBe(true)
    await put(ids.toReversed())
    expect(await read()).toEqual(ids.toReversed())
    await put([])
    expect(await read()).toEqual([])
  })
})

describe('ids', () => {
  const spell = (id: string) => [`0${id}`, ` ${id}`, `${id} `, `+${id}`, `${id}.0`, `${id}e0`, `0x${id}`, `${id}\t`]

  test('find an account only in their canonical form', async () => {
    const { id } = await server.admin(`POST ${A}/user-admin`, { username: 'spelled', rootRole: 3 })
    const of = async (path: string) => (await scim(`GET ${S}/Users/${encodeURIComponent(path)}`)).status
    expect(await of(String(id))).toBe(200)
    for (const path of spell(String(id))) expect([path, await of(path)]).toEqual([path, 404])
    for (const value of spell(String(id))) {
      const { status } = await scim(`PUT ${S}/Groups/${group}`, { displayName: 'Hostile', members: name([value]) })
      expect([value, status]).toEqual([value, 400])
    }
  })

  test('find a group only in their canonical form', async () => {
    const { id } = await server.admin(`POST ${A}/groups`, { name: 'Spelled', users: [] })
    const of = async (path: string) => (await scim(`GET ${S}/Groups/${encodeURIComponent(path)}`)).status
    expect(await of(String(id))).toBe(200)
    for (const path of spell(String(id))) expect([path, await of(path)]).toEqual([path, 404])
  })

  test.each(['99999999999999999999', '2147483648', '999999999', '-1', '0', '0x1'])(
    'an id that no account has (%j) gets a 404',
    async (id) => {
      for (const list of ['Users', 'Groups']) {
        expect((await scim(`GET ${S}/${list}/${encodeURIComponent(id)}`)).status).toBe(404)
      }
    },
  )
})

describe('numeric ids in paths of the admin API', () => {
  test.each(['user-admin', 'groups', 'roles', 'segments', 'addons', 'service-account'])(
    '%s are compared in their canonical form',
    async (list) => {
      for (const id of ['01', '001', ' 1', '1 ', '+1', '1.0', '1e0', '0x1', '99999999999999999999', '2147483648']) {
        const reply = await server.call({ as: 'admin', call: `GET ${A}/${list}/${encodeURIComponent(id)}` })
        expect([list, id, [400, 404, 405].includes(reply.statusCode), reply.statusCode]).toEqual([
          list,
          id,
          true,
          reply.statusCode,
        ])
      }
    },
  )
})

describe('pages', () => {
  const HUGE = '99999999999999999999'
  test.each([
    [`startIndex=${HUGE}`, { startIndex: 2_147_483_647, itemsPerPage: 0 }],
    [`startIndex=-${HUGE}`, { startIndex: 1 }],
    ['startIndex=2147483648', { startIndex: 2_147_483_647, itemsPerPage: 0 }],
    ['startIndex=9007199254740993', { startIndex: 2_147_483_647, itemsPerPage: 0 }],
    [`count=${HUGE}`, { startIndex: 1 }],
    [`count=-${HUGE}`, { startIndex: 1, itemsPerPage: 0 }],
    [`startIndex=${HUGE}&count=${HUGE}`, { itemsPerPage: 0 }],
  ])('a list clamps %s', async (query, has) => {
    for (const list of ['Users', 'Groups']) {
      const { status, body } = await scim(`GET ${S}/${list}?${query}`)
      expect([list, status]).toEqual([list, 200])
      expect(body).toMatchObject(has)
    }
  })

  test.each(['startIndex=1e400', 'startIndex=NaN', 'count=x', 'startIndex=1.5'])(
    'a list rejects %s with 400',
    async (query) => {
      for (const list of ['Users', 'Groups']) expect((await scim(`GET ${S}/${list}?${query}`)).status).toBe(400)
    },
  )
})

describe('texts', () => {
  const long = 'x'.repeat(256)
  const most = 'x'.repeat(255)
  /** Operations that set a text, for each kind of resource. */
  const TEXTS: readonly [list: string, attribute: string, longest: number][] = [
    ['Groups', 'externalId', 255],
    ['Groups', 'displayName', 100],
    ['Users', 'externalId', 255],
    ['Users', 'displayName', 200],
    ['Users', 'name.formatted', 200],
    ['Users', 'userName', 100],
    ['Users', 'emails[type eq "work"].value', 0],
  ]
  test.each(TEXTS)('a patch of %s limits the length of %s to %i', async (list, path, longest) => {
    const body = list === 'Groups' ? { displayName: `T ${path}` } : { userName: `t-${path.slice(0, 6)}` }
    const { id } = (await scim(`POST ${S}/${list}`, body)).body
    const set = async (value: unknown) =>
      (await scim(`PATCH ${S}/${list}/${id}`, patch({ op: 'replace', path, value }))).status
    if (longest > 0) expect(await set('x'.repeat(longest))).toBe(200)
    expect(await set('x'.repeat(longest + 1))).toBe(400)
    expect(await set('x'.repeat(500_000))).toBe(400)
    expect(await set({ nested: 'x' })).toBe(400)
    expect(await set(7)).toBe(400)
  })

  test('replacing a group limits the length of its external id as well', async () => {
    const put = async (externalId: string) =>
      (await scim(`PUT ${S}/Groups/${group}`, { displayName: 'Hostile', externalId })).status
    expect([await put(most), await put(long)]).toEqual([200, 400])
  })

  test('a group cannot have a blank name', async () => {
    expect((await scim(`POST ${S}/Groups`, { displayName: ' ' })).status).toBe(400)
    expect((await scim(`PUT ${S}/Groups/${group}`, { displayName: ' ' })).status).toBe(400)
  })
})
