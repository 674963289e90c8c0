import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Secrets of API tokens, which are shown once or in lists, depending on API_TOKEN_SECRETS. */
const A = '/api/admin'
const key = () => randomBytes(32).toString('base64')
const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

async function start(...args: Parameters<typeof startServer>): Promise<TestServer> {
  const server = await startServer(...args)
  running.push(server)
  return server
}

const make = (server: TestServer, tokenName: string) =>
  server.admin(`POST ${A}/api-tokens`, { tokenName, type: 'client', environment: 'development', projects: ['default'] })

async function listed(server: TestServer, path = 'api-tokens'): Promise<Record<string, string>> {
  const { tokens } = await server.admin(`GET ${A}/${path}`)
  return Object.fromEntries(tokens.map((one: { tokenName: string; secret: string }) => [one.tokenName, one.secret]))
}

/** Removes the test users and stops the server. The next server that uses this database creates them again. */
async function withoutUsers(server: TestServer): Promise<void> {
  await server.db.rows("delete from users where username in ('editor', 'viewer')")
  await server.close()
}

test('hashed, the default: lists show a part, and nothing of the rest is stored', async () => {
  const server = await start()
  const { secret } = await make(server, 'one')
  expect((await listed(server)).one).toMatch(/^default:development\.[0-9a-f]{4}…$/)
  expect(await server.db.rows('select * from api_token_secrets')).toEqual([])
  expect(secret).toMatch(/^default:development\.[0-9a-f]{56}$/)
})

describe('readable', () => {
  const given = () => ({ apiTokenSecrets: 'readable', secretKey: key() })

  test('lists show secrets to callers who may read tokens; the database holds them encrypted, events in part', async () => {
    const server = await start(given())
    const { secret } = await make(server, 'one')
    for (const path of ['api-tokens', 'api-tokens/one', 'projects/default/api-tokens']) {
      expect([path, (await listed(server, path)).one]).toEqual([path, secret])
    }
    const stored = JSON.stringify(await server.db.rows('select * from api_token_secrets'))
    expect(stored).not.toContain(secret.split('.')[1])
    expect(JSON.stringify(await server.db.rows('select * from events'))).not.toContain(secret.split('.')[1])
    expect((await server.call({ as: 'viewer', call: `GET ${A}/api-tokens` })).statusCode).toBe(403)
    const count = 'select count(*) as count from api_token_secrets'
    const before = Number((await server.db.row(count))?.count)
    await server.admin(`DELETE ${A}/api-tokens/${encodeURIComponent(secret)}`)
    expect(Number((await server.db.row(count))?.count)).toBe(before - 1)
  })

  test('secrets of tokens that reach hidden projects are not shown', async () => {
    const server = await start(given())
    const { secret } = await make(server, 'own')
    const more = { type: 'client', environment: 'development' }
    await server.admin(`POST ${A}/projects`, { id: 'hidden', name: 'Hidden' })
    await server.admin(`POST ${A}/api-tokens`, { ...more, tokenName: 'all', projects: ['*'] })
    await server.admin(`POST ${A}/api-tokens`, { ...more, tokenName: 'both', projects: ['default', 'hidden'] })
    const seen = async (path: string, name: string) => {
      const reply = await server.call({ as: 'editor', call: `GET ${A}/${path}` })
      const own: string = reply.json().tokens.find((one: { tokenName: string }) => one.tokenName === name)?.secret ?? ''
      return own !== '' && !own.includes('…')
    }
    const asked = [
      ...([
        ['api-tokens', 'all'],
        ['api-tokens/all', 'all'],
        ['projects/default/api-tokens', 'both'],
      ] as const),
    ]
    const answers = () => Promise.all(asked.map(([path, name]) => seen(path, name)))
    expect(await answers()).toEqual([true, true, true])
    await server.admin(`PUT ${A}/projects/hidden`, { name: 'Hidden', mode: 'private' })
    expect(await answers()).toEqual([false, false, false])
    expect(await seen('api-tokens', 'own')).toBe(true)
    expect((await listed(server)).own).toBe(secret)
  })

  test('under another key lists show a part and the log names the variable; with the key all is there again', async () => {
    const place = await readyPlace()
    const options = given()
    const first = await startServer(options, Date.now, { place: { ...place, remove: async () => {} } })
    const { secret } = await make(first, 'one')
    await withoutUsers(first)
    const again = { defaultAdminPassword: undefined }
    const other = await startServer({ ...options, ...again, secretKey: key() }, Date.now, {
      place: { ...place, remove: async () => {} },
    })
    expect((await listed(other)).one).toContain('…')
    expect(other.logged.join()).toMatch(/encrypted with the key [0-9a-f]{12}.*BURGEE_SECRET_KEY/)
    await withoutUsers(other)
    const third = await start({ ...options, ...again }, Date.now, { place })
    expect((await listed(third)).one).toBe(secret)
  })

  test.runIf(inject('driver') === 'postgres')('on PostgreSQL no server starts without a key', async () => {
    const place = await readyPlace()
    await expect(startServer({ apiTokenSecrets: 'readable' }, Date.now, { place })).rejects.toThrow(/BURGEE_SECRET_KEY/)
    await place.remove()
  })
})

test('the tokens of a project include those for all projects on request, without their secrets', async () => {
  const server = await start({ apiTokenSecrets: 'readable', secretKey: key() })
  await make(server, 'named')
  const all = { tokenName: 'all', type: 'client', environment: 'development', projects: ['*'] }
  const { secret } = await server.admin(`POST ${A}/api-tokens`, all)
  const path = 'projects/default/api-tokens'
  expect(Object.keys(await listed(server, path))).not.toContain('all')
  expect(Object.keys(await listed(server, `${path}?wildcard=false`))).not.toContain('all')
  const tokens = await listed(server, `${path}?wildcard=true`)
  expect(Object.keys(tokens)).toEqual(expect.arrayContaining(['named', 'all']))
  expect([tokens.all, Object.values(tokens).includes(secret)]).toEqual([expect.stringMatching(/…$/), false])
  const { tokens: rows } = await server.admin(`GET ${A}/${path}?wildcard=true`)
  expect(rows.map(({ type }: { type: string }) => type)).not.toContain('admin')
  const wrong = await server.call({ as: 'admin', call: `GET ${A}/${path}?wildcard=perhaps` })
  expect([wrong.statusCode, wrong.json().name]).toEqual([400, 'ValidationError'])
})
