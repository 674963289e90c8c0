import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { type Account, addAccount, ROLES } from './agent.ts'

/**
 * The official clients of both protocol versions use every tool. They validate the results against the output schemas.
 */
const PROJECT = '/api/admin/projects/default'
const SCRIPT = join(import.meta.dirname, '..', '..', 'support', 'mcp-client.mjs')
/** False in a checkout whose installed dependencies are older than this test. */
const isInstalled = existsSync(join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/client'))
let server: TestServer
let admin: Account
let url = ''
beforeAll(async () => {
  server = await startServer()
  ;({ url } = await server.server.listen())
  admin = await addAccount(server, 'official', { rootRole: ROLES.admin })
  const step = (rollout: string) => ({
    name: rollout,
    strategies: [{ strategyName: 'flexibleRollout', parameters: { rollout } }],
  })
  const body = { name: 'Two steps', milestones: [step('25'), step('100')] }
  const { id: templateId } = await server.admin('POST /api/admin/release-plan-templates', body)
  await server.admin(`POST ${PROJECT}/features`, { name: 'released' })
  await server.admin(`POST ${PROJECT}/features/released/environments/development/release-plans`, { templateId })
})
afterAll(() => server.close())

/** Runs an official client in a separate process. */
function runClient(kind: string) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [SCRIPT, kind, `${url}/mcp`, admin.secret])
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints += text
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    expect(done, complaints).not.toBe(true)
    return JSON.parse(value ?? 'null')
  }
  return {
    next,
    call: (call: object) => {
      child.stdin.write(`${JSON.stringify(call)}\n`)
      return next()
    },
    end: () => child.stdin.end(),
  }
}

test.skipIf(!isInstalled).each(['modern', 'legacy', 'sdk'])('the client %s uses every tool', async (kind) => {
  const client = runClient(kind)
  const tools: string[] = await client.next()
  const called = new Set<string>()
  const call = async (name: string, given: object) => {
    called.add(name)
    const { isError = false, structuredContent, content } = await client.call({ name, arguments: given })
    expect(isError, JSON.stringify(content)).toBe(false)
    return structuredContent
  }
  const featureName = `flag-${kind}`
  const [reason, environment] = ['an official client', 'development']
  const flag = { featureName, environment }
  await call('create_flag', { projectId: 'default', name: featureName, description: 'x', reason })
  await call('detect_flag', { description: featureName })
  await call('list_flags', {})
  await call('set_flag_rollout', { ...flag, rolloutPercentage: 50, stickiness: 'userId', reason })
  await call('toggle_flag_environment', { ...flag, enabled: true, reason })
  await call('explain_decision', { ...flag, context: { userId: '42' } })
  await call('preview_change', { ...flag, change: { enabled: false }, contexts: [{ userId: '42' }] })
  const { environments } = await call('get_flag_state', { featureName })
  const own = environments.find(({ name }: { name: string }) => name === environment)
  await call('remove_flag_strategy', { ...flag, strategyId: own.strategies[0].id, reason })
  await call('release_control', { featureName: 'released', environment, action: 'pause', reason })
  await call('get_flag_state', { featureName: 'released' })
  await call('list_stale_flags', {})
  await call('check_removal_readiness', { featureName })
  await call('cleanup_flag', { featureName })
  expect([...called].sort()).toEqual([...tools].sort())
  expect((await client.call({ name: 'resources' })).resources.length).toBeGreaterThan(0)
  client.end()
})
