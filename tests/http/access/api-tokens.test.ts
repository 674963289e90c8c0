import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
let now = 1_800_000_000_000
const as = 'admin'
const T = '/api/admin/api-tokens'
beforeAll(async () => {
  server = await startServer({}, () => now)
})
afterAll(() => server.close())

const at = (time: number) => new Date(time).toISOString()

async function make(extra: object = {}): Promise<{ id: string; secret: string }> {
  const body = { type: 'client', tokenName: 'app', environment: 'development', ...extra }
  return (await server.call({ as, call: `POST ${T}`, body })).json()
}

async function use(secret: string): Promise<number> {
  return (await server.call({ as: secret, call: 'GET /api/client/features' })).statusCode
}

describe('a token that is named as lists show it', () => {
  const remove = (shown: string) => server.call({ as, call: `DELETE ${T}/${encodeURIComponent(shown)}` })

  test('a unique one gets removed', async () => {
    const token = await make()
    const [row] = await server.db.rows('select masked from api_tokens where id = ?', token.id)
    const last = await server.lastEventId()
    expect((await remove(String(row?.masked))).statusCode).toBe(200)
    expect(await server.eventsAfter(last)).toEqual(['api-token-deleted'])
    expect(await use(token.secret)).toBe(401)
  })

  test('several that look the same return 409, and all of them remain', async () => {
    const tokens = [await make(), await make(), await make()]
    for (const { id } of tokens) {
      await server.db.rows("update api_tokens set masked = '*:development.same…' where id = ?", id)
    }
    const last = await server.lastEventId()
    const reply = await remove('*:development.same…')
    expect([reply.statusCode, reply.json().name]).toEqual([409, 'ConflictError'])
    expect(reply.body).toContain('3 tokens have this masked form in lists')
    expect(await server.eventsAfter(last)).toEqual([])
    for (const { secret } of tokens) expect(await use(secret)).toBe(200)
    expect((await remove('*:development.same')).statusCode).toBe(200)
    expect(await server.eventsAfter(last)).toEqual([])
  })
})

describe('the expiry of a token', () => {
  const body = { expiresAt: at(now + 1000) }
  scenarios(() => server, [
    { name: 'anonymous', call: `PUT ${T}/x`, body, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `PUT ${T}/x`, body, status: 403, text: 'UPDATE_CLIENT_API_TOKEN' },
    { name: 'an editor', as: 'editor', call: `PUT ${T}/x`, body, status: 403 },
    { name: 'a client token', as: 'client', call: `PUT ${T}/x`, body, status: 403 },
    { name: 'an unknown token', as, call: `PUT ${T}/nope`, body, status: 404, has: { name: 'NotFoundError' } },
    { name: 'no time', as, call: `PUT ${T}/x`, body: {}, status: 400, text: '`expiresAt`' },
  ] satisfies Scenario[])

  test('an unknown token is not repeated in the reply', async () => {
    const reply = await server.call({ as, call: `PUT ${T}/*:development.secret-part`, body })
    expect(reply.statusCode).toBe(404)
    expect(reply.body).not.toContain('secret-part')
  })

  test.each(['id', 'secret'] as const)('can be set by its %s: in the future, moved, now, and never', async (by) => {
    const token = await make()
    const name = encodeURIComponent(token[by])
    const last = await server.lastEventId()
    const set = (expiresAt: string | null) => server.call({ as, call: `PUT ${T}/${name}`, body: { expiresAt } })
    const first = await set(at(now + 1000))
    expect([first.statusCode, first.body]).toEqual([200, ''])
    expect(await use(token.secret)).toBe(200)
    now += 1000
    expect(await use(token.secret)).toBe(401)
    await set(at(now + 1000))
    expect(await use(token.secret)).toBe(200)
    await set(at(now - 1000))
    expect(await use(token.secret)).toBe(401)
    await set(null)
    expect(await use(token.secret)).toBe(200)
    expect((await set(null)).statusCode).toBe(200)
    expect((await set('tomorrow')).statusCode).toBe(400)
    expect(await server.eventsAfter(last)).toEqual(Array.from({ length: 4 }, () => 'api-token-updated'))
    const row = await server.db.row('select * from events order by id desc limit 1')
    const state = { id: token.id, tokenName: 'app', environment: 'development', projects: ['*'] }
    expect(JSON.parse(String(row?.data))).toMatchObject({ ...state, expiresAt: null })
    expect(JSON.parse(String(row?.pre_data))).toMatchObject({ ...state, expiresAt: at(now - 1000) })
    expect(JSON.stringify(row)).not.toContain(token.secret)
  })
})

describe('tokens of a name', () => {
  test('include all tokens of that name that the caller may see, without secrets', async () => {
    const secrets = [
      await make({ tokenName: 'a b/c' }),
      await make({ tokenName: 'a b/c', type: 'admin', environment: '*' }),
    ]
    const seen = async (who: string) => {
      const reply = await server.call({ as: who, call: `GET ${T}/a%20b%2Fc` })
      for (const { secret } of secrets) expect(reply.body).not.toContain(secret)
      return reply.json().tokens.map((one: { type: string }) => one.type)
    }
    expect((await seen('admin')).sort()).toEqual(['admin', 'client'])
    expect(await seen('editor')).toEqual(['client'])
  })
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${T}/app`, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `GET ${T}/app`, status: 403 },
    { name: 'no such name', as, call: `GET ${T}/nope`, status: 200, has: { tokens: [] } },
  ] satisfies Scenario[])
})
