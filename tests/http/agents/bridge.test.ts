import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBridge } from '../../../bin/src/mcp/bridge.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { type Account, addAccount, modernRequest, ROLES } from './agent.ts'

/** `burgee mcp` forwards lines of standard input to the endpoint. */
let server: TestServer
let admin: Account
let url = ''
beforeAll(async () => {
  server = await startServer()
  ;({ url } = await server.server.listen())
  admin = await addAccount(server, 'bridge', { rootRole: ROLES.admin })
})
afterAll(() => server.close())

/** Sends strings split into the given pieces. Returns the answers. */
async function exchange(pieces: readonly string[], target = { url: `${url}/mcp`, token: admin.secret }) {
  async function* input() {
    yield* pieces
  }
  const lines: string[] = []
  await runBridge(input(), (line) => lines.push(line), target)
  return lines.map((line) => JSON.parse(line))
}

const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'stdio', version: '1' } }
const toLine = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`

test('forwards a session of the protocol with a handshake', async () => {
  const answers = await exchange([
    toLine({ id: 1, method: 'initialize', params: initialize }),
    toLine({ method: 'notifications/initialized' }),
    toLine({ id: 2, method: 'tools/list' }),
  ])
  expect(answers.map(({ id }) => id)).toEqual([1, 2])
  expect(answers[1].result.tools).toHaveLength(13)
})

test('forwards a request without a handshake that arrives in pieces', async () => {
  const line = toLine(modernRequest('tools/call', { name: 'list_flags', arguments: {} }).body)
  const [answer] = await exchange([line.slice(0, 20), line.slice(20)])
  expect(answer.result.structuredContent).toEqual({ flags: [], total: 0 })
})

test('answers invalid lines and failures with errors', async () => {
  expect(await exchange(['{\n'])).toMatchObject([{ id: null, error: { code: -32_700 } }])
  const ping = toLine({ id: 'a', method: 'ping' })
  const refused = await exchange([ping], { url: `${url}/mcp`, token: 'user:wrong' })
  expect(refused).toMatchObject([{ id: 'a', error: { message: expect.stringContaining('401') } }])
  const gone = await exchange([ping], { url: 'http://127.0.0.1:1/mcp', token: admin.secret })
  expect(gone).toMatchObject([{ id: 'a', error: { code: -32_603 } }])
  const batch = await exchange([`[${ping.trim()}]\n`], { url: 'http://127.0.0.1:1/mcp', token: admin.secret })
  expect(batch).toMatchObject([{ id: null, error: { code: -32_603 } }])
})

test('rejects a line that is too long', async () => {
  await expect(exchange(['x'.repeat(1024 * 1024 + 1)])).rejects.toThrow('longer than')
})
