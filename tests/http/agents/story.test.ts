import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { type Account, addAccount, ROLES, send, use } from './agent.ts'

/** An agent that knows nothing but the list of tools releases a flag. */
let server: TestServer
let agent: Account
beforeAll(async () => {
  server = await startServer()
  agent = await addAccount(server, 'builder', { rootRole: ROLES.editor, isService: true })
})
afterAll(() => server.close())

test('creates a flag, tries it, proposes it in production, and finds out why user 42 does not get it', async () => {
  const { secret } = agent
  const { tools } = (await send(server, secret, 'tools/list')).json().result
  for (const { name, inputSchema, outputSchema, description } of tools) {
    expect([name, typeof description, inputSchema.type, outputSchema.type]).toEqual([
      name,
      'string',
      'object',
      'object',
    ])
  }
  const found = await use(server, secret, 'detect_flag', { description: 'a faster checkout page' })
  expect(found.candidates).toEqual([])

  const reason = 'Ticket 7: release the faster checkout'
  const flag = { featureName: 'fast-checkout' }
  const created = { projectId: 'default', name: 'fast-checkout', description: 'Faster checkout', reason }
  expect(await use(server, secret, 'create_flag', { ...created, dryRun: true })).toMatchObject({ dryRun: true })
  expect(await use(server, secret, 'create_flag', created)).toMatchObject({ outcome: 'applied' })

  const development = { ...flag, environment: 'development' }
  const constraint = { contextName: 'country', operator: 'IN', values: ['DE'] }
  await use(server, secret, 'set_flag_rollout', {
    ...development,
    rolloutPercentage: 100,
    constraints: [constraint],
    reason,
  })
  await use(server, secret, 'toggle_flag_environment', { ...development, enabled: true, reason })
  const german = { userId: '7', properties: { country: 'DE' } }
  const tried = await use(server, secret, 'explain_decision', { ...development, context: german })
  expect(tried.decisions[0]).toMatchObject({ enabled: true })

  const production = { ...flag, environment: 'production' }
  const preview = await use(server, secret, 'preview_change', {
    ...production,
    change: {
      enabled: true,
      strategy: { name: 'flexibleRollout', parameters: { rollout: '100' }, constraints: [constraint] },
    },
    contexts: [german, { userId: '42', properties: { country: 'FR' } }],
  })
  expect(preview).toMatchObject({
    agentAccess: 'propose',
    contexts: [{ after: { enabled: true } }, { after: { enabled: false } }],
  })
  const rollout = { ...production, rolloutPercentage: 100, constraints: [constraint], reason }
  const proposed = await use(server, secret, 'set_flag_rollout', rollout)
  expect(proposed).toMatchObject({ outcome: 'proposed', changeRequest: { state: 'In review' } })

  const why = { ...production, context: { userId: '42', properties: { country: 'FR' } } }
  const before = await use(server, secret, 'explain_decision', why)
  expect(before.decisions[0]).toMatchObject({ enabled: false, reasons: ['the flag is off in production'] })

  const { id } = proposed.changeRequest
  const url = `/api/admin/projects/default/change-requests/${id}`
  const owner = await addAccount(server, 'owner', { rootRole: ROLES.admin })
  for (const state of ['Approved', 'Applied']) {
    const moved = await server.call({ as: owner.secret, call: `PUT ${url}/state`, body: { state } })
    expect(moved.statusCode, moved.body).toBe(200)
  }
  await server.admin('POST /api/admin/projects/default/features/fast-checkout/environments/production/on')
  const after = await use(server, secret, 'explain_decision', why)
  expect(after.decisions[0].enabled).toBe(false)
  expect(after.decisions[0].reasons.join()).toContain('constraint on country fails')

  expect(await use(server, secret, 'check_removal_readiness', flag)).toMatchObject({ verdict: 'notYet', keep: null })
  expect((await use(server, secret, 'cleanup_flag', flag)).brief).toContain('not ready')
  expect((await use(server, secret, 'list_stale_flags')).flags).toEqual([])
})
