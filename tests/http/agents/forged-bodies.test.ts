import { createRandom } from '@burgee/kit/seeded-random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { type Account, addAccount, modernRequest, ROLES } from './agent.ts'

/** Forged bodies get a status below 500, and write nothing. */
const COUNT = 1000
let server: TestServer
let admin: Account
beforeAll(async () => {
  server = await startServer()
  admin = await addAccount(server, 'forger', { rootRole: ROLES.admin })
  await server.admin('POST /api/admin/projects/default/features', { name: 'flag' })
})
afterAll(() => server.close())

/** Returns a generator of numbers below a limit, whose sequence is always the same. */
function createNumbers(seed: number): (below: number) => number {
  const random = createRandom(seed)
  return (below) => Math.floor(random() * below)
}

const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)])
const VALUES: readonly unknown[] = [
  ...[null, true, -1, 1e308, 0.5, '', ' ', 'flag', 'production', 'default', '*', '__proto__', 'constructor'],
  ...[
    '\u0000',
    '\ud800',
    '../../etc/passwd',
    "'; drop table events; --",
    'x'.repeat(5000),
    '{"a":1}',
    'burgee://',
    '%',
  ],
  ...[[], {}, [1, 2], { enabled: true }, { toString: 1 }, { length: 3 }, nest(40), JSON.parse('{"__proto__":{"a":1}}')],
]
const METHODS = [
  'tools/call',
  'tools/list',
  'resources/read',
  'resources/list',
  'initialize',
  'server/discover',
  'x',
  '',
]
const TOOLS = [
  ...['list_flags', 'get_flag_state', 'detect_flag', 'create_flag', 'set_flag_rollout', 'toggle_flag_environment'],
  ...['remove_flag_strategy', 'explain_decision', 'preview_change', 'list_stale_flags', 'check_removal_readiness'],
  ...['cleanup_flag', 'release_control', 'nothing', 'toString'],
]
const ARGUMENTS = [
  ...['projectId', 'featureName', 'environment', 'enabled', 'dryRun', 'rolloutPercentage', 'strategyId', 'context'],
  ...['change', 'contexts', 'at', 'query', 'limit', 'offset', 'cursor', 'action', 'name', 'description', 'constraints'],
]

/**
 * Creates a body that resembles a request. The body never contains a valid reason for the change, so no tool may write
 * anything.
 */
function forge(below: (limit: number) => number): { body: unknown; headers: Record<string, string> } {
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const given = Object.fromEntries(ARGUMENTS.filter(() => below(3) === 0).map((name) => [name, pick(VALUES)]))
  const names = below(2) === 0 ? { featureName: 'flag', environment: 'production' } : {}
  const params = {
    name: below(8) === 0 ? pick(VALUES) : pick(TOOLS),
    uri: pick(VALUES),
    arguments:
      below(6) === 0 ? pick(VALUES) : { ...given, ...names, ...(below(4) === 0 ? { reason: pick(['', ' ', 1]) } : {}) },
  }
  const { headers, body } = modernRequest(pick(METHODS), params)
  const kind = below(6)
  if (kind === 0) return { body: pick(VALUES), headers: {} }
  if (kind === 1) return { body: { ...body, [pick(['jsonrpc', 'id', 'method', 'params'])]: pick(VALUES) }, headers: {} }
  if (kind === 2) return { body: { ...body, params }, headers: {} }
  if (kind === 3) return { body: [{ ...body, params }, pick(VALUES)], headers: {} }
  const isOfName = typeof headers['mcp-name'] === 'string' && /[^\x20-\x7e]/.test(headers['mcp-name'])
  return { body, headers: isOfName || headers['mcp-method'] === '' ? {} : (headers as Record<string, string>) }
}

test(`${COUNT} forged bodies cause neither an error of the server nor a write`, async () => {
  const below = createNumbers(20_260_728)
  const last = await server.lastEventId()
  for (let count = 0; count < COUNT; count += 1) {
    const { body, headers } = forge(below)
    const reply = await server.call({ as: admin.secret, call: 'POST /mcp', headers, raw: JSON.stringify(body) })
    expect(reply.statusCode, JSON.stringify(body)).toBeLessThan(500)
  }
  expect(await server.eventsAfter(last)).toEqual([])
  expect(await server.db.rows('select * from agent_writes')).toEqual([])
  expect(server.logged.filter((line) => line.startsWith('error'))).toEqual([])
})

test.each(['', '{', '[[', '\u0000', '"', 'null', '[]', `${'['.repeat(600)}${']'.repeat(600)}`])(
  'the text %j gets an answer below 500',
  async (raw) => {
    const reply = await server.call({ as: admin.secret, call: 'POST /mcp', raw })
    expect(reply.statusCode).toBe(400)
  },
)

test('a body that is too long is rejected', async () => {
  const raw = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { long: 'x'.repeat(200_000) } })
  expect((await server.call({ as: admin.secret, call: 'POST /mcp', raw })).statusCode).toBe(413)
})
