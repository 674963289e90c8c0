import { examine } from '@burgee/server/boot/operator/doctor'
import { hash } from 'bcryptjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { optionsOf, startServer, type TestServer } from '../scenario.ts'
import { importInto, type UnleashDatabase, unleashDatabase } from './unleash-source.ts'

/**
 * Imported users with Unleash's default password, with a password that is too weak here, or with a deceptive username.
 */
const KEY = { secretKey: Buffer.alloc(32, 7).toString('base64') }
const LOGIN = 'POST /auth/simple/login'
const CHEAP_ROUNDS = 4

let source: UnleashDatabase
let server: TestServer
let notes: readonly { readonly kind: string; readonly name: string; readonly words: string }[]
let diagnosis: readonly { readonly name: string; readonly status: string; readonly detail: string }[]

beforeAll(async () => {
  source = await unleashDatabase()
  const [byDefault, weak] = await Promise.all([hash('unleash4all', CHEAP_ROUNDS), hash('summer2024', CHEAP_ROUNDS)])
  await source.run(`update users set password_hash = '${byDefault}' where id = 1`)
  await source.run(`update users set password_hash = '${weak}' where id = 3`)
  await source.run(
    `update users set password_hash = (select '${await hash('tRee-7-glass-Orbit', CHEAP_ROUNDS)}') where id = 5`,
  )
  await source.run(`update users set username = 'аdmin' where id = 5`)
  const place = await readyPlace()
  notes = (await importInto({ ...place.options, ...KEY }, source.url)).notes
  diagnosis = await examine({ options: optionsOf({ ...place.options, ...KEY }), env: {}, clock: Date.now })
  server = await startServer(KEY, Date.now, { place })
})
afterAll(async () => {
  await server.close()
  await source.remove()
})

const login = async (username: string, password: string) => {
  const reply = await server.call({ call: LOGIN, body: { username, password } })
  return { status: reply.statusCode, mustChange: reply.json().mustChangePassword as boolean | undefined }
}

test('the report names the account with the default password', () => {
  const named = notes.filter(({ kind, words }) => kind === 'user' && words.includes('well-known default'))
  expect(named.map(({ name }) => name)).toEqual(['admin'])
})

test('doctor fails while such an account exists', () => {
  const found = diagnosis.find(({ name }) => name === 'default passwords of other servers')
  expect(found).toMatchObject({ status: 'fail', detail: expect.stringContaining('"admin"') })
})

test('the report and doctor name the account with a deceptive username, which is imported', async () => {
  const named = notes.filter(({ words }) => words.includes('must not mix letters of several alphabets'))
  expect(named).toMatchObject([{ kind: 'user', name: 'аdmin', fidelity: 'exact' }])
  const found = diagnosis.find(({ name }) => name === 'usernames')
  expect(found).toMatchObject({ status: 'warn', detail: expect.stringContaining('"аdmin" must not mix letters') })
})

test.each([
  ['the default password', 'admin', 'unleash4all', true],
  ['a password that is too weak here', 'long@example.com', 'summer2024', true],
  ['the same again, by the hash of this server', 'long@example.com', 'summer2024', true],
  ['a good password', 'sso@example.com', 'tRee-7-glass-Orbit', false],
])('%s must be changed at the first login: %s', async (_, username, password, mustChange) => {
  expect(await login(username, password)).toEqual({ status: 200, mustChange })
})
