import { afterAll, beforeAll, expect, test } from 'vitest'
import { endServerClients, serverClient } from '../../support/openfeature.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/**
 * OpenFeature's official server SDK and provider against the server. The flag names of this provider need no URL
 * encoding.
 */
const P = '/api/admin/projects/default/features'
let server: TestServer
let url: string
beforeAll(async () => {
  server = await startServer()
  ;({ url } = await server.server.listen())
  for (const name of ['plain', 'object']) {
    await server.admin(`POST ${P}`, { name })
    await server.admin(`POST ${P}/${name}/environments/development/on`)
  }
  const variants = [{ name: 'one', weight: 1000, payload: { type: 'json', value: '{"a":1}' } }]
  const parameters = { rollout: '100', stickiness: 'default', groupId: 'g' }
  const strategy = { name: 'flexibleRollout', parameters, variants }
  await server.admin(`PUT ${P}/object/environments/development/variants`, [
    { ...variants[0], weightType: 'variable', stickiness: 'default' },
  ])
  await server.admin(`POST ${P}/object/environments/development/strategies`, strategy)
})
afterAll(async () => {
  await endServerClients()
  await server.close()
})

test.each([
  ['a client token', () => url, { authorization: TOKENS.client }],
  ['a frontend token', () => url, { authorization: TOKENS.frontend }],
  ['Bearer, and a slash at the end', () => `${url}/`, { authorization: `Bearer ${TOKENS.client}` }],
  ['X-API-Key', () => url, { 'x-api-key': TOKENS.client }],
])('gets its values with %s', async (_how, address, headers) => {
  const client = await serverClient(address(), headers)
  const seven = { targetingKey: '7' }
  expect(await client.getBooleanDetails('plain', false, seven)).toMatchObject({ value: true, reason: 'STATIC' })
  expect(await client.getObjectDetails('object', {}, seven)).toMatchObject({ value: { a: 1 }, variant: 'one' })
  expect(await client.getStringDetails('object', 'x', seven)).toMatchObject({ value: 'x', errorCode: 'TYPE_MISMATCH' })
  for (const key of ['nope', 'a b', 'a/b', '100%', 'größe'])
    expect(await client.getBooleanDetails(key, true, seven)).toMatchObject({ value: true, errorCode: 'FLAG_NOT_FOUND' })
})

test('a wrong token is an error, and the default counts', async () => {
  const client = await serverClient(url, { authorization: 'default:development.wrong' })
  expect(await client.getBooleanDetails('plain', true)).toMatchObject({ value: true, errorCode: 'GENERAL' })
})
