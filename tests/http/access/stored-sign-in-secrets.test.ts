import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { addSession, startServer, type TestServer } from '../scenario.ts'

/**
 * Secrets of invite links are stored as digests, and ID tokens are encrypted. The test covers secrets that earlier
 * versions stored.
 */
const LINKS = '/api/admin/invite-link/tokens'
const [first, second] = ['1', '2'].map((digit) => digit.repeat(64)) as [string, string]
const OLD = 'an-old-secret-of-an-invite-link'
const ID_TOKEN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl'
let place: EmptyPlace
let server: TestServer

const start = async (given: object) => {
  server = await startServer(given, Date.now, { place: { ...place, remove: async () => {} } })
}
const end = async () => {
  await server.db.rows("delete from users where username in ('editor', 'viewer')")
  await server.close()
}
const make = async () =>
  server.admin(`POST ${LINKS}`, { name: 'inv', expiresAt: new Date(Date.now() + 86_400_000).toISOString() })
const listed = async (): Promise<{ id: number; secret: string; url: string }[]> =>
  (await server.admin(`GET ${LINKS}`)).tokens
const validate = async (secret: string) => (await server.call({ call: `GET /invite/${secret}/validate` })).statusCode
/** Returns the complete text of the tables, and of the files of an embedded database. */
const stored = async () => {
  const rows = [
    await server.db.rows('select * from invite_links'),
    await server.db.rows('select * from sessions'),
    await server.db.rows('select * from events'),
  ]
  const { dataDir } = place.options as { readonly dataDir?: string }
  const files = dataDir === undefined ? [] : readdirSync(dataDir, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`, 'latin1'))
  return JSON.stringify(rows) + texts.join('')
}
const sealedUnder = async () => {
  const [link] = await server.db.rows('select sealed_secret as text from invite_links order by id')
  return /^v1\.([0-9a-f]{12})\./.exec(String(link?.text))?.[1]
}

beforeAll(async () => {
  place = await readyPlace()
  await start({ secretKey: first })
})
afterAll(async () => {
  await server.close()
  await place.remove()
})

test('the secret of an invite link is not in the database, and lists show it', async () => {
  const { secret, id } = await make()
  expect(await stored()).not.toContain(secret)
  expect((await listed()).find((link) => link.id === id)?.secret).toBe(secret)
  expect(await validate(secret)).toBe(200)
})

describe('secrets that an earlier version stored as text', () => {
  test('get encrypted at the start, and links still work', async () => {
    const { id } = await make()
    await server.db.rows(`update invite_links set secret = '${OLD}', sealed_secret = null where id = ${id}`)
    await addSession(
      server.db,
      'old-session',
      Number((await server.db.row("select id from users where username = 'admin'"))?.id),
      Date.now(),
    )
    await server.db.rows(`update sessions set id_token = '${ID_TOKEN}'`)
    await end()
    await start({ secretKey: first })
    const rows = JSON.stringify([
      await server.db.rows('select * from invite_links'),
      await server.db.rows('select * from sessions'),
    ])
    expect([rows.includes(OLD), rows.includes(ID_TOKEN)]).toEqual([false, false])
    const [session] = await server.db.rows('select id_token from sessions where id_token is not null')
    expect(String(session?.id_token)).toMatch(/^v1\./)
    expect((await listed()).find((link) => link.id === id)?.secret).toBe(OLD)
    expect([await validate(OLD), await validate('other')]).toEqual([200, 400])
  })

  test('get re-encrypted once another key is set', async () => {
    const before = await sealedUnder()
    const secrets = (await listed()).map(({ secret }) => secret)
    await end()
    await start({ secretKey: second, secretKeyPrevious: [first] })
    expect(await sealedUnder()).toMatch(/^[0-9a-f]{12}$/)
    expect(await sealedUnder()).not.toBe(before)
    expect((await listed()).map(({ secret }) => secret)).toEqual(secrets)
  })
})

test('a link whose secret cannot be decrypted is listed by its digest, which changes it but admits no one', async () => {
  const { secret, id } = await make()
  await server.db.rows(`update invite_links set sealed_secret = null where id = ${id}`)
  const found = (await listed()).find((link) => link.id === id)
  expect(found).toMatchObject({ secret: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), url: '' })
  const digest = String(found?.secret)
  expect([await validate(secret), await validate(digest)]).toEqual([200, 400])
  await server.admin(`PUT ${LINKS}/${digest}`, { enabled: false })
  expect(await validate(secret)).toBe(400)
})
