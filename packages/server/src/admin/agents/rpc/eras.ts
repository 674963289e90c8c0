import type { Caller } from '@burgee/kit/http/route'
import type { AgentClient } from '../agent-caller.ts'
import { isObject, RPC_CODES, RpcError, type RpcMessage } from './rpc-messages.ts'

/** Protocol versions without a handshake: each request names its version and client. */
export const MODERN_VERSIONS = ['2026-07-28'] as const
/** Protocol versions with the `initialize` handshake, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo'
const MODERN_SINCE = '2026-07-28'
const DATE = /^\d{4}-\d\d-\d\d$/

/** Generation of the protocol that a message uses. */
export type Era = 'modern' | 'legacy'

/**
 * Returns the protocol generation of a message, from the version in its body or header. Throws RpcError for an
 * unsupported version, and for headers that differ from the body.
 */
export function readEra({ method, params }: RpcMessage, { headers }: Pick<Caller, 'headers'>): Era {
  const meta = isObject(params._meta) ? params._meta : {}
  const named = meta[VERSION_KEY]
  const header = headers['mcp-protocol-version']
  if (typeof named !== 'string') {
    if (typeof header !== 'string' || isLegacy(header) || method === 'initialize') return 'legacy'
    if (isModern(header)) throw createMismatch('MCP-Protocol-Version', 'is not named in the body')
    throw createUnsupported(header)
  }
  if (header !== named) throw createMismatch('MCP-Protocol-Version', 'differs from the body')
  if (!isModern(named)) throw createUnsupported(named)
  requireHeader(headers['mcp-method'], method, 'Mcp-Method')
  const name = method === 'tools/call' ? params.name : method === 'resources/read' ? params.uri : undefined
  if (typeof name === 'string') requireHeader(decodeHeader(headers['mcp-name']), name, 'Mcp-Name')
  return 'modern'
}

function isLegacy(version: string): boolean {
  return LEGACY_VERSIONS.some((one) => one === version) || (DATE.test(version) && version < MODERN_SINCE)
}

function isModern(version: string): boolean {
  return MODERN_VERSIONS.some((one) => one === version)
}

function requireHeader(sent: unknown, expected: string, header: string): void {
  if (sent !== expected) throw createMismatch(header, 'is missing or differs from the body')
}

const ENCODED = /^=\?base64\?(.*)\?=$/

/** Decodes a header value that a client has encoded because it contains characters that headers do not allow. */
function decodeHeader(value: unknown): unknown {
  const encoded = typeof value === 'string' ? ENCODED.exec(value)?.[1] : undefined
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}

function createMismatch(header: string, problem: string): RpcError {
  return new RpcError(RPC_CODES.headerMismatch, `The header ${header} ${problem}`, { status: 400 })
}

function createUnsupported(requested: string): RpcError {
  const data = { supported: [...MODERN_VERSIONS, ...LEGACY_VERSIONS], requested }
  return new RpcError(RPC_CODES.unsupportedVersion, 'Unsupported protocol version', { status: 400, data })
}

const MAX_NAME = 100

/** Returns the client that a modern request or an `initialize` names; undefined if it names none. */
export function findClient({ method, params }: RpcMessage): AgentClient | undefined {
  const meta = isObject(params._meta) ? params._meta : {}
  const info = method === 'initialize' ? params.clientInfo : meta[CLIENT_KEY]
  if (!isObject(info) || typeof info.name !== 'string') return undefined
  return toClient(info.name, typeof info.version === 'string' ? info.version : '')
}

/** Returns the client that a User-Agent header names. */
export function readUserAgent({ headers }: Pick<Caller, 'headers'>): AgentClient {
  const [name = '', version = ''] = (headers['user-agent'] ?? '').split(/[\s;]/, 1)[0]?.split('/') ?? []
  return toClient(name === '' ? 'unknown' : name, version)
}

function toClient(name: string, version: string): AgentClient {
  return { name: clean(name), version: clean(version) }
}

/** Removes characters that a log or a database cannot store. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, MAX_NAME)
    .toWellFormed()
}
