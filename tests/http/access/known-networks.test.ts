import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * Password guessing from a thousand networks must not prevent the account's owner from logging in from a network used
 * before.
 */
const LOGIN = 'POST /auth/simple/login'
const OWNER = { username: 'admin', password: 'a good password' }
const WRONG = { ...OWNER, password: 'wrong' }
const NOW = 1_800_000_000_000
const OPTIONS = { simpleLoginLimitPerMinute: 2, trustProxy: true }
/** With these options, the maximum number of logins per account and minute from all unknown networks together. */
const ANYWHERE = 20

async function login(server: TestServer, address: string, { username, password } = OWNER) {
  const body = { username, password }
  const reply = await server.call({ call: LOGIN, body, headers: { 'x-forwarded-for': address } })
  return reply.statusCode
}

/**
 * Exhausts an account's limit for logins from unknown networks, using networks outside the documentation ranges below.
 */
async function attack(server: TestServer, body = WRONG) {
  for (let count = 0; count < ANYWHERE + 1; count += 1) await login(server, `10.0.${count}.1`, body)
  expect(await login(server, '10.1.0.1', body)).toBe(429)
}

const clock = { now: NOW }
let server: TestServer
let accounts = 0
beforeAll(async () => {
  server = await startServer(OPTIONS, () => clock.now)
})
afterAll(() => server.close())
/** Moves the clock so that each test has a separate minute. */
beforeEach(() => {
  clock.now += 60_000
})

/** Adds an account that has not logged in from any network yet. */
async function newAccount() {
  const username = `ann-${++accounts}`
  const account = { username, email: `${username}@example.org`, password: 'a password of hers' }
  const { id } = await server.admin('POST /api/admin/user-admin', { ...account, rootRole: 3 })
  return { ...account, id: Number(id), wrong: { username, password: 'wrong' } }
}

describe('the owner of an account that is being guessed', () => {
  test.each([
    ['from the same address', '192.0.2.1', '192.0.2.1', 200],
    ['from the same address, mapped', '192.0.2.1', '::ffff:192.0.2.1', 200],
    ['from the same address, mapped in hex', '::ffff:c000:201', '192.0.2.1', 200],
    ['from another IPv6 address of the network', '2001:db8:1:2::1', '2001:db8:1:2:aaaa::9', 200],
    ['from another IPv6 network', '2001:db8:1:2::1', '2001:db8:1:3::1', 429],
    ['from another address', '192.0.2.1', '192.0.2.2', 429],
  ])('%s: %s, then %s → %s', async (_where, before, after, status) => {
    const ann = await newAccount()
    expect(await login(server, before, ann)).toBe(200)
    await attack(server, ann.wrong)
    expect(await login(server, after, ann)).toBe(status)
  })

  test('logs in by username and by e-mail address, in any case', async () => {
    const ann = await newAccount()
    expect(await login(server, '192.0.2.1', ann)).toBe(200)
    for (const username of [ann.username, ann.email.toUpperCase()]) {
      clock.now += 60_000
      await attack(server, { username, password: 'wrong' })
      expect(await login(server, '192.0.2.1', { ...ann, username })).toBe(200)
    }
  })

  test('has no more tries from there than from anywhere', async () => {
    const ann = await newAccount()
    expect(await login(server, '192.0.2.1', ann)).toBe(200)
    clock.now += 60_000
    await attack(server, ann.wrong)
    const seen = []
    for (const body of [ann.wrong, ann.wrong, ann]) seen.push(await login(server, '192.0.2.1', body))
    expect(seen).toEqual([401, 401, 429])
  })

  test('has as many tries from one /64 as from one address', async () => {
    const ann = await newAccount()
    const seen = []
    for (let host = 1; host <= 4; host += 1) seen.push(await login(server, `2001:db8:1:2::${host}`, ann.wrong))
    expect(seen).toEqual([401, 401, 429, 429])
    expect(await login(server, '192.0.2.1', ann)).toBe(200)
  })
})

describe('only a login makes a network known', () => {
  const known = ({ id }: { readonly id: number }) =>
    server.db.rows('select network_hash from known_networks where user_id = ?', id)

  test('neither by wrong passwords nor by their own account', async () => {
    const [ann, other] = [await newAccount(), await newAccount()]
    expect(await login(server, '198.51.100.1', ann.wrong)).toBe(401)
    expect(await login(server, '198.51.100.1', other)).toBe(200)
    clock.now += 60_000
    await attack(server, ann.wrong)
    expect(await login(server, '198.51.100.1', ann)).toBe(429)
    expect([await known(ann), await known(other)]).toEqual([[], [expect.anything()]])
  })

  test('the database stores hashes of the last ten networks', async () => {
    const ann = await newAccount()
    for (let count = 0; count < 12; count += 1) {
      clock.now += 60_000
      expect(await login(server, `192.0.2.${count}`, ann)).toBe(200)
    }
    const rows = await known(ann)
    expect(rows).toHaveLength(10)
    for (const { network_hash } of rows) expect(network_hash).toMatch(/^[0-9a-f]{64}$/)
    clock.now += 60_000
    await attack(server, ann.wrong)
    expect([await login(server, '192.0.2.0', ann), await login(server, '192.0.2.11', ann)]).toEqual([429, 200])
  })

  test('a password that an administrator sets forgets them', async () => {
    const ann = await newAccount()
    expect(await login(server, '192.0.2.1', ann)).toBe(200)
    const password = 'another password of hers'
    await server.admin(`POST /api/admin/user-admin/${ann.id}/change-password`, { password })
    expect(await known(ann)).toEqual([])
  })
})

test('another server on the same database, or the same after a restart, knows them', async () => {
  const place = await readyPlace()
  const open = () => startServer(OPTIONS, () => NOW, { place: { ...place, remove: async () => {} } })
  const first = await open()
  expect(await login(first, '192.0.2.1')).toBe(200)
  await first.db.rows('delete from sessions')
  await first.db.rows("delete from users where username in ('editor', 'viewer')")
  await first.close()
  const second = await open()
  await attack(second)
  expect([await login(second, '192.0.2.1'), await login(second, '192.0.2.2')]).toEqual([200, 429])
  await second.close()
  await place.remove()
})

test('addresses are read for records and rules alone: whatever counts takes a network', () => {
  const root = new URL('../../../packages/', import.meta.url).pathname
  const reads = globSync('{kit,serving,storage,server,edge,proxy}/src/**/*.ts', { cwd: root })
    .filter(
      (name) =>
        !name.endsWith('.test.ts') &&
        /getAddress\(caller|[aA]ddressReader\(|\.remoteAddress\b/.test(readFileSync(join(root, name), 'utf8')),
    )
    .map((name) => name.replaceAll('\\', '/'))
  expect(reads.sort()).toEqual([
    'edge/src/http/address-rules.ts',
    // a connection has a network even before its first request
    'kit/src/http/connections.ts',
    'kit/src/http/direct-connection.ts',
    'kit/src/http/forwarded.ts',
    // there is no request before the handshake
    'kit/src/http/pending-handshakes.ts',
    'kit/src/http/request-dispatcher.ts',
    // there is no request before a worker has received the connection
    'kit/src/workers/connection-dispatcher.ts',
    'proxy/src/http/network-reader.ts',
    'server/src/admin/access/login-routes.ts',
    'server/src/admin/access/reset-routes.ts',
    'server/src/admin/invitations/invite-link-routes.ts',
    'server/src/admin/scim/scim-routes.ts',
    'server/src/admin/sso/oidc-routes.ts',
    'server/src/core/access/auth.ts',
    'server/src/core/http/callers.ts',
    'server/src/core/http/denial-audit.ts',
    'server/src/delivery/routes/client-routes.ts',
    'server/src/delivery/routes/sdk-report-routes.ts',
    'serving/src/evaluation/context-reader.ts',
  ])
})
