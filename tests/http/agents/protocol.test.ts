import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { type Account, addAccount, modernRequest, ROLES, send } from './agent.ts'

/** The MCP endpoint: both versions of the protocol, credentials, bounds and errors. */
let server: TestServer
let admin: Account
let viewer: Account
beforeAll(async () => {
  server = await startServer()
  admin = await addAccount(server, 'agent-admin', { rootRole: ROLES.admin })
  viewer = await addAccount(server, 'agent-viewer', { rootRole: ROLES.viewer })
})
afterAll(() => server.close())

const legacy = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
  server.call({
    as: admin.secret,
    call: 'POST /mcp',
    headers,
    body: { jsonrpc: '2.0', id: 7, method, params },
  })

describe('credentials', () => {
  test('a request without a token gets 401 with the address of the metadata', async () => {
    const reply = await server.call({ call: 'POST /mcp', body: {} })
    expect(reply.statusCode).toBe(401)
    const header = String(reply.headers['www-authenticate'])
    expect(header).toContain('/.well-known/oauth-protected-resource')
    const metadata = await server.call({ call: 'GET /.well-known/oauth-protected-resource' })
    expect(metadata.json()).toMatchObject({ bearer_methods_supported: ['header'] })
  })
  test.each([
    ['user:wrong', 401],
    ['editor', 401],
    ['client', 403],
    ['admin', 401],
  ])('the credentials of %s are rejected', async (as, status) => {
    const reply = await server.call({ as, call: 'POST /mcp', ...modernRequest('tools/list') })
    expect(reply.statusCode).toBe(status)
  })
  test('a page of another origin gets 403', async () => {
    const { headers, body } = modernRequest('tools/list')
    const origin = 'https://evil.example'
    const reply = await server.call({ as: admin.secret, call: 'POST /mcp', headers: { ...headers, origin }, body })
    expect(reply.statusCode).toBe(403)
  })
  test.each(['GET', 'DELETE'])('%s is not allowed', async (method) => {
    const reply = await server.call({ as: admin.secret, call: `${method} /mcp` })
    expect([reply.statusCode, reply.headers.allow]).toEqual([405, 'POST'])
  })
  test('the list of tools depends on the token', async () => {
    const names = async ({ secret }: Account) => {
      const reply = await send(server, secret, 'tools/list')
      return reply.json().result.tools.map(({ name }: { name: string }) => name)
    }
    expect(await names(admin)).toHaveLength(13)
    expect(await names(viewer)).toEqual([
      'list_flags',
      'get_flag_state',
      'detect_flag',
      'list_stale_flags',
      'explain_decision',
      'preview_change',
      'check_removal_readiness',
      'cleanup_flag',
    ])
  })
})

describe('the protocol without a handshake', () => {
  test('discovers the server', async () => {
    const reply = await send(server, admin.secret, 'server/discover')
    expect(reply.json().result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {} },
      cacheScope: 'private',
    })
  })
  test.each([
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-method', 'tools/call'],
    ['mcp-method', ''],
  ])('rejects a header %s that differs from the body', async (header, value) => {
    const { headers, body } = modernRequest('tools/list')
    const reply = await server.call({
      as: admin.secret,
      call: 'POST /mcp',
      headers: { ...headers, [header]: value },
      body,
    })
    expect([reply.statusCode, reply.json().error.code]).toEqual([400, -32_020])
  })
  test('rejects another tool name in the header', async () => {
    const { headers, body } = modernRequest('tools/call', { name: 'list_flags', arguments: {} })
    const sent = { ...headers, 'mcp-name': 'get_flag_state' }
    const reply = await server.call({ as: admin.secret, call: 'POST /mcp', headers: sent, body })
    expect([reply.statusCode, reply.json().error.code]).toEqual([400, -32_020])
  })
  test('names the supported versions', async () => {
    const { headers, body } = modernRequest('tools/list')
    const text = JSON.stringify(body).replace('2026-07-28', '2030-01-01')
    const sent = { ...headers, 'mcp-protocol-version': '2030-01-01' }
    const reply = await server.call({ as: admin.secret, call: 'POST /mcp', headers: sent, raw: text })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error).toMatchObject({ code: -32_022, data: { requested: '2030-01-01' } })
  })
  test('answers 404 for an unknown method', async () => {
    const reply = await send(server, admin.secret, 'tools/burn')
    expect([reply.statusCode, reply.json().error.code]).toEqual([404, -32_601])
  })
})

describe('the protocol with a handshake', () => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26'])('agrees on version %s', async (protocolVersion) => {
    const info = { name: 'old', version: '1' }
    const reply = await legacy('initialize', { protocolVersion, capabilities: {}, clientInfo: info })
    expect(reply.json()).toMatchObject({ id: 7, result: { protocolVersion, serverInfo: { name: 'burgee' } } })
    expect(reply.headers['mcp-session-id']).toBeUndefined()
  })
  test('offers its newest version for an unknown one', async () => {
    const reply = await legacy('initialize', { protocolVersion: '1999-01-01' })
    expect(reply.json().result.protocolVersion).toBe('2025-11-25')
  })
  test('accepts notifications without an answer', async () => {
    const body = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const reply = await server.call({ as: admin.secret, call: 'POST /mcp', body })
    expect([reply.statusCode, reply.body]).toEqual([202, ''])
  })
  test('answers a batch, and rejects a long one', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const both = await server.call({ as: admin.secret, call: 'POST /mcp', body: [ping, { ...ping, id: 2 }] })
    expect(both.json().map(({ id }: { id: number }) => id)).toEqual([1, 2])
    const long = await server.call({ as: admin.secret, call: 'POST /mcp', body: Array(21).fill(ping) })
    expect(long.statusCode).toBe(400)
  })
})

describe('resources', () => {
  test('flags are resources', async () => {
    await server.admin('POST /api/admin/projects/default/features', { name: 'resource-flag' })
    const list = (await send(server, viewer.secret, 'resources/list')).json().result
    const uri = 'burgee://projects/default/flags/resource-flag'
    expect(list.resources).toContainEqual({ uri, name: 'resource-flag', mimeType: 'application/json' })
    const read = (await send(server, viewer.secret, 'resources/read', { uri })).json().result
    expect(JSON.parse(read.contents[0].text)).toMatchObject({ name: 'resource-flag', project: 'default' })
  })
  test.each([
    'burgee://projects/default/flags/%00',
    'burgee://projects/%ED%A0%80/flags/x',
    'burgee://projects/%00/flags/x',
  ])('%s cannot be stored, and is not found', async (uri) => {
    const reply = await send(server, viewer.secret, 'resources/read', { uri })
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { id: 1, error: { code: -32_002 } }])
  })
  test.each(['burgee://projects/default/flags/none', 'burgee://projects/%/flags/x', 'file:///etc/passwd'])(
    '%s is not found',
    async (uri) => {
      expect((await send(server, viewer.secret, 'resources/read', { uri })).json().error.code).toBe(-32_002)
    },
  )
})

describe('a batch whose later message fails', () => {
  const call = (id: number, name: string, given: object) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: given },
  })
  const create = (id: number, name: string) =>
    call(id, 'create_flag', { projectId: 'default', name, description: 'x', reason: 'a test' })

  test('keeps the answers of applied changes', async () => {
    const own = await startServer()
    const { secret } = await addAccount(own, 'batcher', { rootRole: ROLES.admin })
    const failing = call(2, 'release_control', {
      featureName: 'one',
      environment: 'development',
      action: 'pause',
      reason: 'a test',
    })
    await own.db.rows('alter table release_plans rename to missing_plans')
    const body = [create(1, 'one'), failing, create(3, 'three')]
    const reply = await own.call({ as: secret, call: 'POST /mcp', body })
    expect([reply.statusCode, reply.json()]).toMatchObject([
      200,
      [
        { id: 1, result: { structuredContent: { outcome: 'applied' } } },
        { id: 2, error: { code: -32_603, message: expect.stringContaining('Something went wrong') } },
        { id: 3, result: { structuredContent: { outcome: 'applied' } } },
      ],
    ])
    expect(reply.body).not.toContain('release_plans')
    expect(own.logged.filter((line) => line.startsWith('error'))).toEqual([
      expect.stringContaining('A message of a batch to /mcp failed'),
    ])
    await own.close()
  })
})

describe('the event loop', () => {
  /** Makes a call, and returns how often the server yielded to other work during it. */
  async function countYields(call: () => PromiseLike<unknown>): Promise<number> {
    const wait = timers.setImmediate
    const counted = vi.spyOn(timers, 'setImmediate').mockImplementation(wait)
    syncBuiltinESMExports()
    await call()
    const { length } = counted.mock.calls
    counted.mockRestore()
    syncBuiltinESMExports()
    return length
  }

  test('other work runs between the messages of a batch', async () => {
    const body = Array(20).fill({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(await countYields(() => server.call({ as: viewer.secret, call: 'POST /mcp', body }))).toBe(20)
  })
  test('other work runs between the words of detect_flag', async () => {
    const given = { description: 'alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima' }
    const call = () => send(server, viewer.secret, 'tools/call', { name: 'detect_flag', arguments: given })
    expect(await countYields(call)).toBe(12)
  })
})
