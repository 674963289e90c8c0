import { createLogger } from '@burgee/kit/log/logger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccount, modernRequest, ROLES } from '../agents/agent.ts'
import { configOf } from '../config/config-project.ts'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * The address of a caller behind a proxy is the same in every form in which proxies send it, in the security log and in
 * events, whichever part of the server handles the request.
 */
const FORMS: readonly (readonly [sent: string, address: string])[] = [
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  [' 203.0.113.7 ', '203.0.113.7'],
]
let server: TestServer
let agent = ''
let lines: string[] = []
let made = 0

beforeAll(async () => {
  const write = (line: string) => void lines.push(line)
  const securityLogger = createLogger({ json: true, secrets: () => [], write, clock: Date.now, level: 'info' })
  server = await startServer({ trustProxy: ['loopback'], simpleLoginLimitPerMinute: 1000 }, Date.now, {
    securityLogger,
  })
  agent = (await addAccount(server, 'robot', { rootRole: ROLES.editor })).secret
  await server.admin('POST /api/admin/projects/default/features', { name: 'f' })
  await server.admin('PUT /api/admin/agents/limits/development', { access: 'read' })
})
afterAll(() => server.close())

/** Calls that are refused, and therefore written to the security log. */
const REFUSED: readonly (readonly [
  what: string,
  send: (headers: Readonly<Record<string, string>>) => Promise<unknown>,
])[] = [
  [
    'a login',
    (headers) =>
      server.call({ call: 'POST /auth/simple/login', headers, body: { username: 'admin', password: 'wrong' } }),
  ],
  [
    'a change',
    (headers) => server.call({ as: 'viewer', call: 'POST /api/admin/projects', headers, body: { id: 'x', name: 'x' } }),
  ],
  [
    'an apply of files',
    (headers) =>
      server.call({ as: 'viewer', call: `POST ${configOf('default')}/apply`, headers, body: { files: [], plan: 'x' } }),
  ],
  [
    'a change of a release template',
    (headers) =>
      server.call({ as: 'viewer', call: 'POST /api/admin/release-plan-templates', headers, body: { name: 'x' } }),
  ],
  [
    'a tool of an agent',
    (headers) => {
      const given = { featureName: 'f', environment: 'development', enabled: true, reason: 'a test' }
      const { body, headers: own } = modernRequest('tools/call', { name: 'toggle_flag_environment', arguments: given })
      return server.call({ as: `Bearer ${agent}`, call: 'POST /mcp', headers: { ...own, ...headers }, body })
    },
  ],
]

describe.each(REFUSED)('the security log of %s', (_what, send) => {
  test.each(FORMS)('has the address of X-Forwarded-For: %s', async (sent, address) => {
    lines = []
    await send({ 'x-forwarded-for': sent })
    expect(lines.map((line) => JSON.parse(line).address)).toEqual([address])
  })
})

test.each(FORMS)('the event of an apply of files has the address of X-Forwarded-For: %s', async (sent, address) => {
  made += 1
  const files = [{ path: 'a.yaml', content: `kind: Flag\nname: filed-${made}\n` }]
  const { plan } = await server.admin(`POST ${configOf('default')}/plan`, { files })
  const headers = { 'x-forwarded-for': sent }
  const call = `POST ${configOf('default')}/apply`
  const reply = await server.call({ as: 'admin', call, headers, body: { files, plan } })
  expect(reply.statusCode, reply.body).toBe(200)
  const rows = await server.db.rows('select distinct address from events where feature_name = ?', `filed-${made}`)
  expect(rows).toEqual([{ address }])
})
