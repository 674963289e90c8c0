import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { TestServer } from '../scenario.ts'

/** Built-in root roles. */
export const ROLES = { admin: 1, editor: 2, viewer: 3 } as const

/** Account with a personal token. */
export interface Account {
  readonly id: number
  readonly tokenId: number
  readonly secret: string
}

interface AccountOptions {
  readonly rootRole: number
  /** True for a service account. */
  readonly isService?: boolean
  readonly now?: number
}

/** Adds an account with a personal token. */
export async function addAccount(
  { db }: Pick<TestServer, 'db'>,
  name: string,
  { rootRole, isService = false, now = Date.now() }: AccountOptions,
): Promise<Account> {
  const user = await db.row(
    "insert into users (username, password_hash, root_role, created_at, is_service) values (?, '', ?, ?, ?) returning id",
    name,
    rootRole,
    now,
    Number(isService),
  )
  const secret = `user:${name}-secret`
  const token = await db.row(
    "insert into personal_tokens (user_id, description, hash, expires_at, created_at) values (?, 'agent', ?, ?, ?) returning id",
    Number(user?.id),
    createHash('sha256').update(secret).digest('hex'),
    now + 86_400_000,
    now,
  )
  return { id: Number(user?.id), tokenId: Number(token?.id), secret }
}

/** Result that a tool returns. */
export interface ToolReply {
  readonly isError: boolean
  readonly content: readonly { readonly type: string; readonly text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: the content of each tool has another type
  readonly structuredContent: any
}

/** Headers and body of a request in the protocol version without a handshake. */
export function modernRequest(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test-agent', version: '1.2.3' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const name = params.name ?? params.uri
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
  }
}

/** Sends a request. Returns the reply. */
export function send(server: TestServer, as: string, method: string, params: Readonly<Record<string, unknown>> = {}) {
  return server.call({ as: `Bearer ${as}`, call: 'POST /mcp', ...modernRequest(method, params) })
}

/** Calls a tool. The HTTP call must succeed, but the tool may fail. */
export async function callTool(server: TestServer, as: string, name: string, args: object = {}): Promise<ToolReply> {
  const reply = await send(server, as, 'tools/call', { name, arguments: args })
  expect(reply.statusCode, reply.body).toBe(200)
  expect(reply.json().error, reply.body).toBeUndefined()
  return reply.json().result
}

/** Calls a tool, which must succeed. Returns the structured content of its result. */
export async function use(server: TestServer, as: string, name: string, args: object = {}) {
  const { isError, content, structuredContent } = await callTool(server, as, name, args)
  expect(isError, content[0]?.text).toBe(false)
  return structuredContent
}
