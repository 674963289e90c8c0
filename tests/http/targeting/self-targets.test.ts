import { MAX_SELF_TARGETS } from '@burgee/protocol/administration/self-target'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Overrides that give one user a flag, or one of its variants, for a limited time. */
const FEATURES = '/api/admin/projects/default/features'
const START = Date.parse('2030-01-01T00:00:00Z')
const MINUTE = 60_000
let now = START
let server: TestServer
let count = 0
let development = ''

beforeAll(async () => {
  server = await startServer({}, () => now)
  await server.server.listen()
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  const name = `flag-${count}`
  await server.admin(`POST ${FEATURES}`, { name })
  development = `${FEATURES}/${name}/environments/development`
  const variants = [
    { name: 'a', weight: 500, stickiness: 'default' },
    { name: 'b', weight: 500, stickiness: 'default', payload: { type: 'string', value: 'blue' } },
  ]
  await server.admin(`POST ${development}/strategies`, {
    name: 'flexibleRollout',
    parameters: { rollout: '0', stickiness: 'default', groupId: name },
    variants,
  })
  await server.admin(`POST ${development}/on`)
})

const overrides = () => `${development}/self-targeting`
/** Evaluates the flag as a page of a user does. */
async function evaluate(userId: string, at = now): Promise<object | undefined> {
  const query = `userId=${userId}&currentTime=${new Date(at).toISOString()}`
  const { toggles } = (await server.call({ as: 'frontend', call: `GET /api/frontend?${query}` })).json()
  return toggles.find(({ name }: { name: string }) => name === `flag-${count}`)?.variant
}

describe('an override', () => {
  test('gives the variant with its payload to its user alone, until its end', async () => {
    const last = await server.lastEventId()
    const reply = await server.call({
      as: 'admin',
      call: `POST ${overrides()}`,
      body: { userId: 'ada', variant: 'b', minutes: 30 },
    })
    expect(reply.statusCode).toBe(201)
    const override = reply.json()
    expect(override).toMatchObject({
      userId: 'ada',
      variant: 'b',
      expiresAt: new Date(now + 30 * MINUTE).toISOString(),
    })
    expect(await server.eventsAfter(last)).toEqual(['feature-strategy-add'])
    expect(await server.admin(`GET ${overrides()}`)).toEqual([override])
    expect(await evaluate('ada')).toMatchObject({ name: 'b', payload: { type: 'string', value: 'blue' } })
    expect(await evaluate('bob')).toBeUndefined()
    // SDKs end the override by themselves, even if the server no longer removes it
    expect(await evaluate('ada', now + 31 * MINUTE)).toBeUndefined()
  })

  test('comes before all other strategies, so that none of them decides about its user', async () => {
    await server.admin(`POST ${development}/strategies`, {
      name: 'default',
      sortOrder: -5,
      variants: [{ name: 'a', weight: 1000, stickiness: 'default' }],
    })
    await server.admin(`POST ${overrides()}`, { userId: 'ada', variant: 'b' })
    expect(await evaluate('ada')).toMatchObject({ name: 'b' })
    expect(await evaluate('bob')).toMatchObject({ name: 'a' })
  })

  test('expires, and the server removes its strategy with one event', async () => {
    await server.admin(`POST ${overrides()}`, { userId: 'ada', minutes: 5 })
    const last = await server.lastEventId()
    now += 5 * MINUTE
    // any change of a strategy makes the schedule look at the time again
    await server.admin(`POST ${development}/strategies`, { name: 'default', disabled: true })
    await expect.poll(() => server.eventsAfter(last)).toEqual(['feature-strategy-add', 'feature-strategy-remove'])
    expect(await server.admin(`GET ${overrides()}`)).toEqual([])
    const [row] = await server.db.rows('select created_by_user_id from events where id > ? order by id desc', last)
    expect(Number(row?.created_by_user_id)).toBeLessThan(0)
  })

  test('replaces an earlier override of the same user', async () => {
    await server.admin(`POST ${overrides()}`, { userId: 'ada', variant: 'a' })
    const last = await server.lastEventId()
    await server.admin(`POST ${overrides()}`, { userId: 'ada', variant: 'b' })
    expect(await server.eventsAfter(last)).toEqual(['feature-strategy-remove', 'feature-strategy-add'])
    expect(await server.admin(`GET ${overrides()}`)).toMatchObject([{ userId: 'ada', variant: 'b' }])
  })

  test('ends early, together with its strategy', async () => {
    const { id } = await server.admin(`POST ${overrides()}`, { userId: 'ada' })
    expect((await server.call({ as: 'admin', call: `DELETE ${overrides()}/${id}` })).statusCode).toBe(204)
    expect(await evaluate('ada')).toBeUndefined()
    expect((await server.call({ as: 'admin', call: `DELETE ${overrides()}/${id}` })).statusCode).toBe(404)
    const strategies = await server.admin(`GET ${development}/strategies`)
    expect(strategies).toHaveLength(1)
    const other = await server.call({ as: 'admin', call: `DELETE ${overrides()}/${strategies[0].id}` })
    expect(other.statusCode).toBe(404)
  })

  test('fails where the flag is off, because other users would get it too', async () => {
    await server.admin(`POST ${development}/off`)
    const last = await server.lastEventId()
    const reply = await server.call({ as: 'admin', call: `POST ${overrides()}`, body: { userId: 'ada' } })
    expect([reply.statusCode, reply.json().name]).toEqual([409, 'ConflictError'])
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test('needs an approval where changes do', async () => {
    const config = '/api/admin/projects/default/environments/development/change-requests/config'
    await server.admin(`PUT ${config}`, { changeRequestsEnabled: true, requiredApprovals: 1 })
    const last = await server.lastEventId()
    const reply = await server.call({ as: 'editor', call: `POST ${overrides()}`, body: { userId: 'ada' } })
    expect(reply.statusCode).toBe(403)
    expect(await server.eventsAfter(last)).toEqual([])
    await server.admin(`PUT ${config}`, { changeRequestsEnabled: false, requiredApprovals: 1 })
  })

  test('counts toward a limit', async () => {
    for (let index = 0; index < MAX_SELF_TARGETS; index += 1)
      await server.admin(`POST ${overrides()}`, { userId: `user-${index}` })
    const reply = await server.call({ as: 'admin', call: `POST ${overrides()}`, body: { userId: 'ada' } })
    expect([reply.statusCode, reply.json().name]).toEqual([403, 'InvalidOperationError'])
    expect(
      (await server.call({ as: 'admin', call: `POST ${overrides()}`, body: { userId: 'user-0' } })).statusCode,
    ).toBe(201)
  })
})

const NONE = `${FEATURES}/none/environments/development/self-targeting`
scenarios(
  () => server,
  [
    ...[{}, { userId: '' }, { userId: 'ada', minutes: 0 }, { userId: 'ada', minutes: 1441 }, { userId: ['ada'] }].map(
      (body) => ({ name: `${JSON.stringify(body)} fails`, as: 'admin', call: `POST ${NONE}`, body, status: 400 }),
    ),
    { name: 'no override of an unknown flag', as: 'admin', call: `POST ${NONE}`, body: { userId: 'ada' }, status: 404 },
    { name: 'no override by a viewer', as: 'viewer', call: `POST ${NONE}`, body: { userId: 'ada' }, status: 403 },
  ],
)

test('an unknown variant fails with the names of the known ones', async () => {
  const reply = await server.call({ as: 'admin', call: `POST ${overrides()}`, body: { userId: 'ada', variant: 'c' } })
  expect(reply.statusCode).toBe(400)
  expect(reply.json().details[0].message).toBe('"variant" is unknown: it must be one of a, b')
})

describe('copies and files', () => {
  const PROJECT = '/api/admin/projects/default'

  test('leave overrides out, and applying files keeps them', async () => {
    const name = `flag-${count}`
    const exported = async (): Promise<{ path: string; content: string }[]> =>
      (await server.admin(`GET ${PROJECT}/config/export?flag=${name}`)).files
    const before = await exported()
    const { id } = await server.admin(`POST ${overrides()}`, { userId: 'ada', variant: 'b' })
    expect(await exported()).toEqual(before)
    expect((await server.admin(`POST ${PROJECT}/config/plan`, { files: before })).changes).toEqual([])

    const files = before.map((file) => ({ ...file, content: file.content.replace('rollout: "0"', 'rollout: "1"') }))
    const { plan } = await server.admin(`POST ${PROJECT}/config/plan`, { files })
    expect(await server.admin(`POST ${PROJECT}/config/apply`, { files, plan })).toMatchObject({ applied: 1 })
    const ids = (await server.admin(`GET ${development}/strategies`)).map((one: { id: string }) => one.id)
    expect(ids[0]).toBe(id)
    expect(ids).toHaveLength(2)

    await server.admin(`POST ${FEATURES}/${name}/clone`, { name: `${name}-copy` })
    expect(await server.admin(`GET ${FEATURES}/${name}-copy/environments/development/strategies`)).toHaveLength(1)

    await server.admin('POST /api/admin/environments/development/clone', { name: `env-${count}`, type: 'test' })
    expect(await server.admin(`GET ${FEATURES}/${name}/environments/env-${count}/strategies`)).toHaveLength(1)

    const promotion = { from: 'development', features: [name], parts: ['enabled', 'strategies'] }
    const preview = await server.admin(`POST ${PROJECT}/environments/production/promotions/plan`, promotion)
    expect(JSON.stringify(preview)).not.toContain('ada')
  })
})
