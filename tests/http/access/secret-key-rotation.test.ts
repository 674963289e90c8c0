import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * Rotation of the key for stored secrets: with BURGEE_SECRET_KEY_PREVIOUS every secret is preserved, and without it
 * nothing is overwritten.
 */
const A = '/api/admin'
const [first, second, third] = [1, 2, 3].map(() => randomBytes(32).toString('hex')) as [string, string, string]
const STORED = `select 'token' as what, sealed from api_token_secrets
  union all select 'integration', cast(sealed_parameters as text) from integrations
  union all select 'sign-in', value from settings where name = 'auth.oidc'`

let place: EmptyPlace
let secret: string
let server: TestServer
const start = async (given: object) => {
  server = await startServer({ apiTokenSecrets: 'readable', ...given }, Date.now, {
    place: { ...place, remove: async () => {} },
  })
}
/** Stops the server. The next server on this database creates its test users again. */
const end = async () => {
  await server.db.rows("delete from users where username in ('editor', 'viewer')")
  await server.close()
}
/** Returns the ids of the keys with which secrets are encrypted, by kind of secret. */
const keys = async () =>
  Object.fromEntries(
    (await server.db.rows(STORED)).map(({ what, sealed }) => [
      String(what),
      /v1\.([0-9a-f]{12})\./.exec(String(sealed))?.[1],
    ]),
  )
const listed = async () => (await server.admin(`GET ${A}/api-tokens/kept`)).tokens[0].secret
const url = 'https://receiver.example/hook'

beforeAll(async () => {
  place = await readyPlace()
  await start({ secretKey: first })
  const token = { tokenName: 'kept', type: 'client', environment: 'development', projects: ['default'] }
  secret = (await server.admin(`POST ${A}/api-tokens`, token)).secret
  const parameters = { url, authorization: 'hush' }
  await server.admin(`POST ${A}/addons`, {
    provider: 'webhook',
    enabled: false,
    parameters,
    events: ['feature-created'],
  })
  const client = { discoverUrl: 'https://id.example', clientId: 'flags', secret: 'hush' }
  await server.admin(`POST ${A}/auth/oidc/settings`, { enabled: false, ...client })
})
afterAll(async () => {
  await server.close()
  await place.remove()
})

describe('a replaced key', () => {
  let before: Record<string, string | undefined>

  test('re-encrypts all secrets under the new key if the previous one is set', async () => {
    before = await keys()
    expect(new Set(Object.values(before)).size).toBe(1)
    expect(Object.keys(before).toSorted()).toEqual(['integration', 'sign-in', 'token'])
    await end()
    await start({ secretKey: second, secretKeyPrevious: [third, first] })
    const after = await keys()
    expect(new Set(Object.values(after)).size).toBe(1)
    expect(after.token).not.toBe(before.token)
    expect(await listed()).toBe(secret)
    expect(server.logged.join('\n')).toMatch(/with the key [0-9a-f]{12} now: \d+ were re-encrypted/)
    before = after
  })

  test('the one of before is not needed any more, and a start does nothing', async () => {
    await end()
    await start({ secretKey: second })
    expect(await listed()).toBe(secret)
    expect(await keys()).toEqual(before)
    expect(server.logged.filter((line) => line.includes('tored secrets'))).toEqual([])
  })

  test('loses nothing if the previous key is missing, and the log names it', async () => {
    await end()
    await start({ secretKey: third })
    expect(await keys()).toEqual(before)
    expect(server.logged.join('\n')).toContain(
      `their keys are missing (${before.token}); see BURGEE_SECRET_KEY_PREVIOUS`,
    )
    await end()
    await start({ secretKey: third, secretKeyPrevious: [second] })
    expect(await listed()).toBe(secret)
    expect(await keys()).not.toEqual(before)
  })
})
