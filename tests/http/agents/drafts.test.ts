import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { type Account, addAccount, callTool, ROLES, use } from './agent.ts'

/** Proposals of agents extend the draft of the user who owns the agent's token. */
const PROJECT = '/api/admin/projects/default'
const FLAG = { featureName: 'draft-flag', environment: 'development', reason: 'a test' }
let server: TestServer
let agent: Account
let made = 0

beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${PROJECT}/features`, { name: FLAG.featureName })
})
beforeEach(async () => {
  await server.admin('PUT /api/admin/agents/limits/development', { access: 'propose' })
  made += 1
  agent = await addAccount(server, `drafter-${made}`, { rootRole: ROLES.editor })
})
afterAll(() => server.close())

const toggle = (enabled: boolean) => use(server, agent.secret, 'toggle_flag_environment', { ...FLAG, enabled })
const setRollout = (rolloutPercentage: number) =>
  callTool(server, agent.secret, 'set_flag_rollout', { ...FLAG, rolloutPercentage })

/** Returns the changes of the draft. */
async function readDraft(id: number): Promise<{ action: string; payload: object }[]> {
  const reply = await server.call({ as: agent.secret, call: `GET ${PROJECT}/change-requests/${id}` })
  return reply.json().features[0].changes.map(({ action, payload }: { action: string; payload: object }) => ({
    action,
    payload,
  }))
}

test('a second new strategy of the same flag is rejected with the name of the draft', async () => {
  const first = (await setRollout(10)).structuredContent
  expect(first).toMatchObject({ outcome: 'proposed' })
  const last = await server.lastEventId()
  const second = await setRollout(20)
  const { id } = first.changeRequest
  expect([second.isError, second.content[0]?.text]).toEqual([
    true,
    expect.stringContaining(`ConflictError: The draft "Change request #${id}" (${id}) already adds a strategy`),
  ])
  expect(await server.eventsAfter(last)).toEqual([])
  expect(await readDraft(id)).toHaveLength(1)
})

test('a proposal that would exceed a limit is rejected when it is made', async () => {
  const own = await startServer({ featureEnvironmentStrategiesLimit: 1 })
  await own.admin(`POST ${PROJECT}/features`, { name: FLAG.featureName })
  const place = `${PROJECT}/features/${FLAG.featureName}/environments/production`
  await own.admin(`POST ${place}/strategies`, { name: 'default' })
  const { secret } = await addAccount(own, 'proposer', { rootRole: ROLES.editor })
  const last = await own.lastEventId()
  const given = { ...FLAG, environment: 'production', rolloutPercentage: 10 }
  const reply = await callTool(own, secret, 'set_flag_rollout', given)
  expect([reply.isError, reply.content[0]?.text]).toEqual([true, expect.stringContaining('more than 1 strategies')])
  expect(await own.eventsAfter(last)).toEqual([])
  await own.close()
})

describe('a return to the stored state', () => {
  test('replaces a switch of the draft', async () => {
    const { changeRequest } = await toggle(true)
    expect(await toggle(false)).toMatchObject({ outcome: 'proposed', changeRequest })
    expect(await readDraft(changeRequest.id)).toEqual([{ action: 'updateEnabled', payload: { enabled: false } }])
    expect(await toggle(false)).toMatchObject({ outcome: 'unchanged', changeRequest })
  })
  test('replaces a rollout of the draft', async () => {
    const strategies = `${PROJECT}/features/${FLAG.featureName}/environments/development/strategies`
    const parameters = { rollout: '10', stickiness: 'default', groupId: FLAG.featureName }
    const strategy = { name: 'flexibleRollout', parameters }
    const { id } = await server.admin(`POST ${strategies}`, strategy)
    const { changeRequest } = (await setRollout(50)).structuredContent
    expect((await setRollout(10)).structuredContent).toMatchObject({ outcome: 'proposed', changeRequest })
    expect(await readDraft(changeRequest.id)).toMatchObject([{ action: 'updateStrategy', payload: { id, parameters } }])
    await server.admin(`DELETE ${strategies}/${id}`)
  })
  test('changes nothing if there is no draft', async () => {
    expect(await toggle(false)).toMatchObject({ outcome: 'unchanged', changeRequest: null })
  })
  test('changes nothing where changes are applied', async () => {
    await toggle(true)
    await server.admin('PUT /api/admin/agents/limits/development', { access: 'write' })
    expect(await toggle(false)).toMatchObject({ outcome: 'unchanged', changeRequest: null })
  })
})
