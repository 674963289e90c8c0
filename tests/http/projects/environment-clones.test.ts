import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Cloned environments: what is copied and what is omitted. */
let server: TestServer
const as = 'admin'
const E = '/api/admin/environments'
const P = '/api/admin/projects'
const F = `${P}/default/features`
const CLONE = `POST ${E}/development/clone`
const PARAMETERS = { rollout: '30', stickiness: 'userId', groupId: 'g' }

async function flagIn(environment: string, name = 'on', project = 'default') {
  const flag = await server.admin(`GET ${P}/${project}/features/${name}`)
  return flag.environments.find((one: { name: string }) => one.name === environment)
}

/** Returns the content of a flag in an environment, without the ids that differ in a copy. */
const partsOf = ({ strategies, variants }: { strategies: { id: string }[]; variants: object[] }) => ({
  variants,
  strategies: strategies.map(({ id: _id, ...parts }) => parts),
})

beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${P}`, { id: 'shop', name: 'Shop' })
  await server.admin(`POST ${P}`, { id: 'lonely', name: 'Lonely', environments: ['production'] })
  const { id } = await server.admin('POST /api/admin/segments', { name: 'staff', constraints: [] })
  for (const name of ['on', 'off', 'bare', 'gone']) await server.admin(`POST ${F}`, { name })
  await server.admin(`POST ${P}/shop/features`, { name: 'in-shop' })
  const there = (name: string, project = 'default') => `${P}/${project}/features/${name}/environments/development`
  const rollout = { name: 'flexibleRollout', title: 'some', parameters: PARAMETERS, segments: [id] }
  const only = { contextName: 'userId', operator: 'IN', values: ['7'] }
  await server.admin(`POST ${there('on')}/strategies`, rollout)
  await server.admin(`POST ${there('on')}/strategies`, { name: 'default', constraints: [only], disabled: true })
  await server.admin(`PUT ${there('on')}/variants`, [{ name: 'v', weight: 1000 }])
  await server.admin(`POST ${there('off')}/strategies`, rollout)
  for (const [name, project] of [['on'], ['gone'], ['in-shop', 'shop']]) {
    await server.admin(`POST ${there(name ?? '', project)}/on`)
  }
  await server.admin(`DELETE ${F}/gone`)
  await server.admin(`POST ${P}/default/environments/development/default-strategy`, {
    name: 'flexibleRollout',
    parameters: { rollout: '5' },
  })
})
afterAll(() => server.close())

describe('a clone of an environment', () => {
  const body = { name: 'copy', type: 'test' }
  const added = 'project-environment-added'
  scenarios(() => server, [
    { name: 'anonymous', call: CLONE, body, status: 401 },
    { name: 'by an editor', as: 'editor', call: CLONE, body, status: 403, text: 'ADMIN' },
    { name: 'of an unknown one', as, call: `POST ${E}/nope/clone`, body, status: 404 },
    { name: 'without a name', as, call: CLONE, body: { type: 'test' }, status: 400, text: 'name' },
    { name: 'of a name that is taken', as, call: CLONE, body: { ...body, name: 'production' }, status: 409 },
    { name: 'of a bad name', as, call: CLONE, body: { ...body, name: 'a b' }, status: 400, text: 'body/name' },
    { name: 'for an unknown project', as, call: CLONE, body: { ...body, projects: ['nope'] }, status: 404 },
    {
      name: 'for a project that does not use it',
      as,
      call: CLONE,
      body: { ...body, projects: ['shop', 'lonely'] },
      status: 400,
      text: 'body/projects',
    },
    {
      name: 'on without strategies',
      as,
      call: CLONE,
      body: { ...body, cloneEnabled: true, cloneStrategies: false },
      status: 400,
      text: 'body/cloneEnabled',
    },
    { name: 'nothing was left behind', as, call: `GET ${E}/copy`, status: 404 },
    {
      name: 'with all projects, and off',
      as,
      call: CLONE,
      body,
      status: 200,
      has: { name: 'copy', type: 'test', enabled: true, projectCount: 2, enabledToggleCount: 0 },
      events: ['environment-created', added, 'default-strategy-updated', added],
    },
    {
      name: 'on where it is on there',
      as,
      call: CLONE,
      body: { ...body, name: 'live', cloneEnabled: true, projects: ['*'] },
      status: 200,
      has: { projectCount: 2, enabledToggleCount: 2 },
      events: ['environment-created', added, 'default-strategy-updated', added],
    },
    {
      name: 'of one project',
      as,
      call: CLONE,
      body: { ...body, name: 'shops', projects: ['shop'] },
      status: 200,
      has: { projectCount: 1 },
      events: ['environment-created', added],
    },
    {
      name: 'without strategies',
      as,
      call: CLONE,
      body: { ...body, name: 'empty', cloneStrategies: false },
      status: 200,
      events: ['environment-created', added, 'default-strategy-updated', added],
    },
  ] satisfies Scenario[])

  test('has strategies with segments, variants and default strategies as they are there, each with an id of its own', async () => {
    const original = await flagIn('development')
    expect(original.strategies).toHaveLength(2)
    for (const environment of ['copy', 'live']) {
      const copy = await flagIn(environment)
      expect(partsOf(copy)).toEqual(partsOf(original))
      const ids = [...copy.strategies, ...original.strategies].map((one: { id: string }) => one.id)
      expect(new Set(ids).size).toBe(4)
    }
    expect((await flagIn('empty')).strategies).toEqual([])
    const overview = await server.admin(`GET ${P}/default/overview`)
    const defaults = overview.environments.filter((one: { defaultStrategy?: object }) => one.defaultStrategy)
    expect(defaults.map((one: { environment: string }) => one.environment).sort()).toEqual([
      'copy',
      'development',
      'empty',
      'live',
    ])
  })

  test('turns on only flags that are on in the source and have an enabled strategy', async () => {
    for (const name of ['on', 'off', 'bare'])
      expect([name, (await flagIn('copy', name)).enabled]).toEqual([name, false])
    expect((await flagIn('live', 'on')).enabled).toBe(true)
    expect((await flagIn('live', 'in-shop', 'shop')).enabled).toBe(true)
    for (const name of ['off', 'bare']) expect([name, (await flagIn('live', name)).enabled]).toEqual([name, false])
    // as in data of older versions, which allowed this state
    await server.db.rows(
      "update feature_environments set enabled = 1 where feature_name = 'bare' and environment = 'development'",
    )
    await server.admin(CLONE, { name: 'later', type: 'test', cloneEnabled: true })
    expect((await flagIn('later', 'bare')).enabled).toBe(false)
    expect((await flagIn('later', 'on')).enabled).toBe(true)
  })

  test('reaches SDKs at once, with states and strategies', async () => {
    const token = { tokenName: 't', type: 'client', environment: 'live', projects: ['*'] }
    const { secret } = await server.admin('POST /api/admin/api-tokens', token)
    const { features } = (await server.call({ as: secret, call: 'GET /api/client/features' })).json()
    const served = features.map(({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled])
    expect(served.sort()).toEqual([
      ['bare', false],
      ['in-shop', true],
      ['off', false],
      ['on', true],
    ])
    const on = features.find((one: { name: string }) => one.name === 'on')
    expect(on.strategies).toMatchObject([{ name: 'flexibleRollout', parameters: PARAMETERS }])
  })

  test('reaches SDKs that were there before it', async () => {
    const before = await server.db.row(
      "select data from events where type = 'project-environment-added' order by id limit 1",
    )
    expect(JSON.parse(String(before?.data))).toEqual({
      environment: 'copy',
      clonedFrom: 'development',
      enabledFlags: 0,
    })
    const row = await server.db.row(
      "select data, reach from events where type = 'project-environment-added' and environment = 'live' order by id limit 1",
    )
    expect(row?.reach).toBe('live')
    expect(JSON.parse(String(row?.data))).toMatchObject({ enabledFlags: 1 })
  })

  test('gives roles the same rights there where that is wanted', async () => {
    const made = await server.db.row(
      "insert into roles (name, description, type) values ('Switcher', '', 'custom') returning id",
    )
    const role = Number(made?.id)
    const right = ['UPDATE_FEATURE_ENVIRONMENT', 'development']
    await server.db.rows(
      'insert into role_permissions (role_id, permission, environment) values (?, ?, ?)',
      role,
      ...right,
    )
    await server.admin(CLONE, { name: 'trusted', type: 'test', clonePermissions: true })
    await server.admin(CLONE, { name: 'untrusted', type: 'test' })
    const rows = await server.db.rows(
      'select environment from role_permissions where role_id = ? order by environment',
      role,
    )
    expect(rows.map((row) => row.environment)).toEqual(['development', 'trusted'])
  })
})
