import type { Installation } from '@burgee/import/model/installation'
import { createUnleashApiSource } from '@burgee/import/unleash/api/unleash-api-source'
import { compareDecisions } from '@burgee/import/verify/compare-decisions'
import { listDefinitionDifferences } from '@burgee/import/verify/definition-difference'
import { buildSourceDocument } from '@burgee/import/verify/source-document'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

let server: TestServer
let url: string
let read: Installation

const FEATURES = '/api/admin/projects/default/features'
const NAMES = { a: 'served', b: 'read' }

beforeAll(async () => {
  server = await startServer()
  ;({ url } = await server.server.listen())
  const { admin } = server
  await admin('POST /api/admin/context', { name: 'age' })
  await admin('POST /api/admin/segments', {
    name: 'eu',
    constraints: [{ contextName: 'country', operator: 'IN', values: ['DE'] }],
  })
  const { segments } = (await admin('GET /api/admin/segments')) as { segments: { id: number }[] }
  for (const name of ['parent', 'child', 'gone'])
    await admin(`POST ${FEATURES}`, { name, impressionData: name === 'child' })
  const variants = [
    { name: 'red', weight: 300, weightType: 'fix', stickiness: 'default', payload: { type: 'string', value: 'r' } },
    { name: 'blue', weight: 700, weightType: 'variable', stickiness: 'default' },
  ]
  const rollout = { name: 'flexibleRollout', parameters: { rollout: '40', groupId: 'parent', stickiness: 'default' } }
  const place = (name: string) => `${FEATURES}/${name}/environments/development`
  await admin(`POST ${place('parent')}/strategies`, {
    ...rollout,
    variants,
    segments: [segments[0]?.id],
    title: 'some',
    constraints: [{ contextName: 'age', operator: 'NUM_GTE', value: '18' }],
  })
  await admin(`POST ${place('parent')}/strategies`, {
    name: 'userWithId',
    parameters: { userIds: '1,2' },
    disabled: true,
  })
  await admin(`POST ${place('child')}/strategies`, { name: 'default' })
  for (const name of ['parent', 'child']) await admin(`POST ${place(name)}/on`)
  await admin(`POST ${FEATURES}/child/dependencies`, { feature: 'parent', variants: ['red'] })
  await admin('POST /api/admin/tags', { type: 'simple', value: 'blue' })
  await admin('POST /api/admin/features/child/tags', { type: 'simple', value: 'blue' })
  await admin(`DELETE ${FEATURES}/gone`)
  read = await source(TOKENS.admin).read()
})
afterAll(() => server.close())

function source(token: string, address = url) {
  return createUnleashApiSource({ url: address, token, pauseMs: 0 }, () => 5)
}

describe('an installation over its API', () => {
  test('its flags equal those of the SDK download', async () => {
    const reply = await server.call({
      as: 'client',
      call: 'GET /api/client/features',
      headers: { 'unleash-client-spec': '5.2.0' },
    })
    const served = reply.json()
    const documents = { a: served, b: buildSourceDocument(read, 'development') }
    expect(served.features).toHaveLength(2)
    expect(listDefinitionDifferences(documents, NAMES)).toEqual([])
    expect(compareDecisions(documents, { contexts: 100, seed: 1, nowMs: 0 }).differences).toEqual([])
  })

  test('includes what the download omits', () => {
    const [parent, child, gone] = ['parent', 'child', 'gone'].map((name) =>
      read.flags.find((flag) => flag.name === name),
    )
    const strategies = parent?.states.find(({ environment }) => environment === 'development')?.strategies
    expect(strategies?.map(({ name, title, disabled }) => ({ name, title, disabled }))).toEqual([
      { name: 'flexibleRollout', title: 'some', disabled: false },
      { name: 'userWithId', title: null, disabled: true },
    ])
    expect(child).toMatchObject({ impressionData: true, tags: [{ type: 'simple', value: 'blue' }] })
    expect(gone).toMatchObject({ states: [], archivedAt: expect.any(Number) })
    expect(read.projects.map(({ id, environments }) => [id, environments.length > 0])).toEqual([['default', true]])
    expect(read.contextFields.map(({ name }) => name)).toContain('age')
    expect(read.users.every(({ password }) => password.kind === 'unknown')).toBe(true)
    expect(read.users.length).toBeGreaterThan(1)
  })

  test('tokens whose secrets are hashed are named, not made up', () => {
    expect(read.tokens).toEqual([])
    const said = read.notes.filter(({ kind }) => kind === 'token')
    expect(said.length).toBeGreaterThanOrEqual(3)
    expect(said.every(({ fidelity }) => fidelity === 'not carried')).toBe(true)
    expect(JSON.stringify(read)).not.toContain('-secret')
  })

  test('reports what the API does not expose', () => {
    const names = read.notes.filter(({ fidelity }) => fidelity === 'not carried').map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['stages of flags', 'history of logins']))
  })

  test('uses readable tokens, if there are any, to compare SDK downloads', async () => {
    const shown = await startServer({ apiTokenSecrets: 'readable', secretKey: Buffer.alloc(32, 7).toString('base64') })
    const { url: address } = await shown.server.listen()
    const token = { type: 'client', environment: 'development', projects: ['default'] }
    await shown.admin('POST /api/admin/api-tokens', { ...token, tokenName: 'some' })
    await shown.admin(`POST ${FEATURES}`, { name: 'one' })
    const asked = source(TOKENS.admin, address)
    await asked.read()
    const served = await asked.served?.('development')
    expect(served?.document.features.map(({ name }) => name)).toEqual(['one'])
    expect(served?.projects).toEqual(['default'])
    expect(await asked.served?.('nowhere')).toBeUndefined()
    await shown.close()
  })

  test('events by growing id, all of them or those after one', async () => {
    const ids = async (wish: object) => {
      const found: number[] = []
      for await (const page of read.events(wish)) found.push(...page.map(({ id }) => id))
      return found
    }
    const all = await ids({})
    expect(all).toEqual([...all].sort((a, b) => a - b))
    expect(all.at(-1)).toBe(await server.lastEventId())
    expect(read.origin.lastEventId).toBe(all.at(-1))
    expect(await read.amounts.events({})).toBe(all.length)
    expect(await ids({ afterId: all.at(-3) })).toEqual(all.slice(-2))
  })

  test.each<[what: string, token: () => string, address: () => string, says: RegExp]>([
    ['a token that may not', () => TOKENS.client, () => url, /answered 40[13]: give an admin token/],
    ['nothing listening', () => TOKENS.admin, () => 'http://127.0.0.1:9', /cannot be reached/],
    ['another server', () => TOKENS.admin, () => `${url}/elsewhere`, /is it an Unleash server|answered 40[13]/],
  ])('%s', async (_, token, address, says) => {
    const error = await source(token(), address())
      .read()
      .catch((one: Error) => one.message)
    expect(error).toMatch(says)
    expect(error).not.toContain('-secret')
  })
})
