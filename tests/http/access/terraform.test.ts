import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * What the vendor's Terraform provider asks for, resource by resource: it makes one, reads it, finds it again at each refresh,
 * changes it and removes it, and takes no answer in which a key is missing that it decodes. Source: wire protocol
 */
const A = '/api/admin'
let server: TestServer
beforeAll(async () => {
  server = await startServer({ apiTokenSecrets: 'readable', secretKey: '0'.repeat(64) })
})
afterAll(() => server.close())

type Json = Record<string, unknown>
async function call(line: string, body?: object, status?: number): Promise<Json> {
  const [method = '', path = ''] = line.split(' ')
  const reply = await server.call({
    as: 'admin',
    call: `${method} ${A}/${path}`,
    ...(body === undefined ? {} : { body }),
  })
  if (status === undefined) expect([line, reply.statusCode < 300]).toEqual([line, true])
  else expect([line, reply.statusCode]).toEqual([line, status])
  return reply.body === '' || !reply.body.startsWith('{') ? {} : (reply.json() as Json)
}
const listed = (reply: Json, key: string) => reply[key] as Json[]
const has = (value: Json | undefined, ...keys: string[]) =>
  expect(Object.keys(value ?? {})).toEqual(expect.arrayContaining(keys))

test('the version is one that the provider works with', async () => {
  const { version, versionInfo } = await call('GET ui-config')
  const [major = 0, minor = 0] = String(version).split('.').map(Number)
  expect(major > 5 || (major === 5 && minor >= 6)).toBe(true)
  has((versionInfo as { current: Json }).current, 'oss', 'enterprise')
})

test('a user', async () => {
  const made = await call('POST user-admin', { email: 't@example.com', name: 'T', rootRole: 3, sendEmail: false }, 201)
  has(made, 'id', 'name', 'email', 'rootRole')
  has(await call(`GET user-admin/${made.id}`), 'id', 'name', 'email', 'rootRole')
  expect(await call(`PUT user-admin/${made.id}`, { email: 't@example.com', name: 'T2', rootRole: 2 })).toMatchObject({
    name: 'T2',
    rootRole: 2,
  })
  await call(`DELETE user-admin/${made.id}`)
  await call(`GET user-admin/${made.id}`, undefined, 404)
})

test('a project and its settings', async () => {
  await call('POST projects', { id: 'tf', name: 'TF', description: 'd' }, 201)
  const found = listed(await call('GET projects'), 'projects').find(({ id }) => id === 'tf')
  has(found, 'id', 'name', 'description', 'mode')
  await call('PUT projects/tf', { name: 'TF2', description: 'd2' })
  await call('PUT projects/tf/settings', { mode: 'open', featureNaming: {}, linkTemplates: [] })
  expect(listed(await call('GET projects'), 'projects').find(({ id }) => id === 'tf')).toMatchObject({
    name: 'TF2',
    description: 'd2',
  })
})

test('an environment, in a project and out of it', async () => {
  await call('POST environments', { name: 'tf-env', type: 'test' }, 201)
  has(await call('GET environments/tf-env'), 'name', 'type', 'sortOrder', 'enabled', 'protected')
  await call('PUT environments/update/tf-env', { type: 'production' })
  expect(await call('GET environments/tf-env')).toMatchObject({ type: 'production' })
  await call('POST projects/tf/environments', { environment: 'tf-env' })
  const seen = listed(await call('GET environments/project/tf'), 'environments').find(({ name }) => name === 'tf-env')
  expect(seen).toMatchObject({ visible: true })
  await call('DELETE projects/tf/environments/tf-env')
  await call('DELETE environments/tf-env')
  await call('GET environments/tf-env', undefined, 404)
})

test('a context field', async () => {
  const body = { name: 'tf-field', description: 'd', stickiness: true, legalValues: [{ value: 'a' }] }
  await call('POST context', body, 201)
  expect(await call('GET context/tf-field')).toMatchObject(body)
  await call('PUT context/tf-field', { description: 'e', stickiness: false, legalValues: [] })
  expect(await call('GET context/tf-field')).toMatchObject({ description: 'e', stickiness: false, legalValues: [] })
  await call('DELETE context/tf-field')
  await call('GET context/tf-field', undefined, 404)
})

test('an API token is found again by its whole secret, and is not made anew', async () => {
  const body = { tokenName: 'tf-token', type: 'client', environment: 'development', projects: ['tf'] }
  const { secret } = await call('POST api-tokens', body, 201)
  const find = async () => listed(await call('GET api-tokens'), 'tokens').filter((token) => token.secret === secret)
  const [found, ...more] = await find()
  expect([found, more]).toMatchObject([body, []])
  has(found, 'secret', 'username', 'tokenName', 'type', 'environment', 'project', 'projects', 'expiresAt', 'createdAt')
  const expiresAt = '2099-01-01T00:00:00.000Z'
  await call(`PUT api-tokens/${encodeURIComponent(String(secret))}`, { expiresAt })
  expect((await find())[0]).toMatchObject({ expiresAt })
  await call(`DELETE api-tokens/${encodeURIComponent(String(secret))}`)
  expect(await find()).toEqual([])
})

test('a role, a group and a service account', async () => {
  has(await call('GET permissions'), 'permissions')
  const body = { name: 'tf-role', description: 'd', type: 'root-custom', permissions: [{ name: 'CREATE_PROJECT' }] }
  await call('POST roles', body)
  const role = listed(await call('GET roles'), 'roles').find(({ name }) => name === 'tf-role')
  has(role, 'id', 'type', 'name', 'description')
  has(await call(`GET roles/${role?.id}`), 'id', 'name', 'type', 'permissions')
  const { id: group } = await call(
    'POST groups',
    { name: 'tf-group', description: 'd', mappingsSSO: [], users: [] },
    201,
  )
  has(await call(`GET groups/${group}`), 'id', 'name', 'description', 'users')
  const { id: account } = await call('POST service-account', { username: 'tf-bot', name: 'Bot', rootRole: 3 }, 201)
  const token = await call(
    `POST service-account/${account}/token`,
    { description: 'ci', expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString() },
    201,
  )
  has(token, 'id', 'secret', 'description', 'expiresAt')
  for (const path of [
    `service-account/${account}/token/${token.id}`,
    `service-account/${account}`,
    `groups/${group}`,
    `roles/${role?.id}`,
  ]) {
    await call(`DELETE ${path}`)
  }
})

test('the project goes', async () => {
  await call('DELETE projects/tf')
  expect(listed(await call('GET projects'), 'projects').map(({ id }) => id)).not.toContain('tf')
})
