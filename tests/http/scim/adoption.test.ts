import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** A directory claims an account that someone else may have created with the user's email address. */
const A = '/api/admin'
const S = '/scim/v2'
const PASSWORD = 'a password nobody guesses'
const SECOND = 'another one nobody guesses'

let server: TestServer
let token: string
let invite: string
beforeAll(async () => {
  server = await startServer({ simpleLoginLimitPerMinute: 1000, createUserRateLimitPerMinute: 1000 })
  await server.admin(`POST ${A}/scim-settings`, { enabled: true })
  token = (await server.admin(`POST ${A}/scim-settings/generate-new-token`)).token
  const link = { name: 'all', expiresAt: new Date(Date.now() + 86_400_000).toISOString() }
  invite = (await server.admin(`POST ${A}/invite-link/tokens`, link)).secret
})
afterAll(() => server.close())

const scim = async (call: string, body?: unknown) => {
  const headers = { 'content-type': 'application/scim+json' }
  const reply = await server.call({ as: `Bearer ${token}`, call, headers, ...(body === undefined ? {} : { body }) })
  return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() }
}
const signUp = (body: object) =>
  server.call({ call: `POST /invite/${invite}/signup`, body: { password: PASSWORD, ...body } })
const login = (username: string) =>
  server.call({ call: 'POST /auth/simple/login', body: { username, password: PASSWORD } })

/** Logs in and creates a personal token. The result contains a function that checks all three kinds of access. */
async function enter(username: string) {
  const reply = await login(username)
  expect(reply.statusCode, reply.body).toBe(200)
  const cookie = String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
  const body = { description: `mine as ${username}`, expiresAt: new Date(Date.now() + 86_400_000).toISOString() }
  const made = await server.call({ call: `POST ${A}/user/tokens`, headers: { cookie }, body })
  const { secret } = made.json()
  const get = async (headers: Record<string, string>) =>
    (await server.call({ call: `GET ${A}/user`, headers })).statusCode
  const ways = async () => [
    await get({ cookie }),
    await get({ authorization: secret }),
    (await login(username)).statusCode,
  ]
  expect(await ways()).toEqual([200, 200, 200])
  return { cookie, ways }
}

async function find(userName: string): Promise<{ id: string; userName: string }> {
  const filter = encodeURIComponent(`userName eq "${userName}"`)
  const { Resources } = (await scim(`GET ${S}/Users?filter=${filter}`)).body
  expect(Resources).toHaveLength(1)
  return Resources[0]
}

/** Requests by which a directory claims an account for one of its users. */
const CLAIMS: Readonly<Record<string, (id: string, userName: string) => Promise<{ status: number }>>> = {
  'replaces the person': (id, userName) =>
    scim(`PUT ${S}/Users/${id}`, { userName, externalId: `x-${id}`, active: true }),
  'changes one attribute': (id) =>
    scim(`PATCH ${S}/Users/${id}`, { Operations: [{ op: 'add', path: 'externalId', value: `y-${id}` }] }),
  'creates a group with the person': (id) =>
    scim(`POST ${S}/Groups`, { displayName: `made of ${id}`, members: [{ value: id }] }),
  'adds the person to a group': async (id) => {
    const { body } = await scim(`POST ${S}/Groups`, { displayName: `grown of ${id}` })
    return scim(`PATCH ${S}/Groups/${body.id}`, {
      Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }],
    })
  },
  'replaces a group': async (id) => {
    const { body } = await scim(`POST ${S}/Groups`, { displayName: `other of ${id}` })
    return scim(`PUT ${S}/Groups/${body.id}`, { displayName: `other of ${id}`, members: [{ value: id }] })
  },
}

describe.each(Object.entries(CLAIMS))('a directory that %s', (claim, apply) => {
  const tag = claim.replaceAll(' ', '-')

  test('ends the credentials of an account from an invite link', async () => {
    const email = `ceo-${tag}@corp.example`
    expect((await signUp({ email, name: 'Unlock it at https://evil.example' })).statusCode).toBe(201)
    const { ways } = await enter(email)
    const { id } = await find(email)
    expect((await apply(id, email)).status).toBeLessThan(300)
    expect(await ways()).toEqual([401, 401, 401])
    const { users } = await server.admin(`GET ${A}/user-admin`)
    const user = users.find((one: { email?: string }) => one.email === email)
    expect(user).toBeDefined()
    expect(user).not.toHaveProperty('name')
  })

  test('ends the credentials of an account whose username is an address, and drops its own address', async () => {
    const [email, username] = [`evil-${tag}@evil.example`, `cfo-${tag}@corp.example`]
    expect((await signUp({ email, username: `cfo-${tag}` })).statusCode).toBe(201)
    // earlier versions accepted such usernames at sign-up
    await server.db.rows(`update users set username = '${username}' where username = 'cfo-${tag}' returning id`)
    const { ways } = await enter(username)
    const { id } = await find(username)
    expect((await apply(id, username)).status).toBeLessThan(300)
    expect(await ways()).toEqual([401, 401, 401])
    const { users } = await server.admin(`GET ${A}/user-admin`)
    const emails = users.map((one: { email?: string }) => one.email)
    expect([emails.includes(email), emails.includes(username)]).toEqual([false, true])
  })

  test('ends the credentials of an account with an address that its holder entered', async () => {
    const [before, email] = [`eve-${tag}@corp.example`, `coo-${tag}@corp.example`]
    await server.admin(`POST ${A}/user-admin`, { email: before, rootRole: 3, password: PASSWORD })
    const { cookie } = await enter(before)
    const body = { email, currentPassword: PASSWORD }
    const moved = await server.call({ call: `PUT ${A}/user/profile`, headers: { cookie }, body })
    expect(moved.statusCode, moved.body).toBe(200)
    const { ways } = await enter(email)
    const { id } = await find(email)
    expect((await apply(id, email)).status).toBeLessThan(300)
    expect(await ways()).toEqual([401, 401, 401])
  })

  test('leaves the credentials of an account that an administrator created', async () => {
    const email = `dora-${tag}@corp.example`
    await server.admin(`POST ${A}/user-admin`, { email, rootRole: 3, password: PASSWORD })
    const { ways } = await enter(email)
    const { id } = await find(email)
    expect((await apply(id, email)).status).toBeLessThan(300)
    expect(await ways()).toEqual([200, 200, 200])
  })
})

test('a directory ends the credentials once: a password that is set afterwards stays', async () => {
  const email = 'later@corp.example'
  await signUp({ email })
  const { id } = await find(email)
  const before = await server.lastEventId()
  await scim(`POST ${S}/Groups`, { displayName: 'once', members: [{ value: id }] })
  expect(await server.eventsAfter(before)).toEqual(['group-created', 'group-user-added', 'user-updated'])
  await server.admin(`POST ${A}/user-admin/${id}/change-password`, { password: SECOND })
  await scim(`POST ${S}/Groups`, { displayName: 'twice', members: [{ value: id }] })
  await scim(`PUT ${S}/Users/${id}`, { userName: email, externalId: 'later' })
  const again = { username: email, password: SECOND }
  expect((await server.call({ call: 'POST /auth/simple/login', body: again })).statusCode).toBe(200)
})

test('group members that the directory does not name retain their credentials', async () => {
  const email = 'bystander@corp.example'
  await signUp({ email })
  const { ways } = await enter(email)
  const { id } = await find(email)
  const group = await server.admin(`POST ${A}/groups`, { name: 'mixed', users: [{ user: { id: Number(id) } }] })
  const other = (await scim(`POST ${S}/Users`, { userName: 'named@corp.example' })).body.id
  const steps = { Operations: [{ op: 'add', path: 'members', value: [{ value: other }] }] }
  expect((await scim(`PATCH ${S}/Groups/${group.id}`, steps)).status).toBe(200)
  expect(await ways()).toEqual([200, 200, 200])
})

test('a username that looks like an e-mail address is refused at sign-up', async () => {
  const before = await server.lastEventId()
  const reply = await signUp({ email: 'mine@evil.example', username: 'dora@corp.example' })
  expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining('username')])
  expect(await server.eventsAfter(before)).toEqual([])
})
