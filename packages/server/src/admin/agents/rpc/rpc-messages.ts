import { Reply } from '@burgee/kit/http/route'

/** Error codes of JSON-RPC 2.0 and of the Model Context Protocol. */
export const RPC_CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  notFound: -32_002,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const

/** Id of a request; null if the id could not be read. */
export type RpcId = string | number | null

/** Request or notification in JSON-RPC form. A notification has no id. */
export interface RpcMessage {
  readonly id: RpcId | undefined
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Error that is reported as a JSON-RPC error with an HTTP status. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly status: number
  readonly data: unknown

  constructor(code: number, message: string, { status = 200, data }: { status?: number; data?: unknown } = {}) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

/** Maximum nesting depth of a message. */
const MAX_DEPTH = 32
const MAX_ID_LENGTH = 200

/**
 * Parses a message; returns undefined for a response from the client, which needs no answer. Throws RpcError if the
 * value is not a JSON-RPC message or nests too deeply.
 */
export function parseMessage(value: unknown): RpcMessage | undefined {
  if (!isObject(value)) throw new RpcError(RPC_CODES.invalidRequest, 'The message is not an object', { status: 400 })
  if (isTooDeep(value)) {
    throw new RpcError(RPC_CODES.invalidRequest, `The message nests deeper than ${MAX_DEPTH} levels`, { status: 400 })
  }
  if (value.jsonrpc !== '2.0') throw new RpcError(RPC_CODES.invalidRequest, '"jsonrpc" must be "2.0"', { status: 400 })
  const { id, method, params = {} } = value
  if (method === undefined && ('result' in value || 'error' in value)) return undefined
  if (typeof method !== 'string')
    throw new RpcError(RPC_CODES.invalidRequest, '"method" must be a string', { status: 400 })
  if (!isObject(params)) throw new RpcError(RPC_CODES.invalidParams, '"params" must be an object', { status: 400 })
  if (id !== undefined && !isId(id)) {
    throw new RpcError(RPC_CODES.invalidRequest, '"id" must be a string or a number', { status: 400 })
  }
  return { id, method, params }
}

/** Returns the id of a value even if the value is not a valid message; null if it has no id. */
export function findId(value: unknown): RpcId {
  return isObject(value) && isId(value.id) ? value.id : null
}

function isId(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_ID_LENGTH)
}

/** Returns true for a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns true if a value nests too deeply. Does not recurse deeper than the maximum. */
function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth >= MAX_DEPTH) return true
  return Object.values(value).some((one) => isTooDeep(one, depth + 1))
}

/** Returns the JSON-RPC form of an error. */
export function toErrorBody(id: RpcId, { code, message, data }: Pick<RpcError, 'code' | 'message' | 'data'>) {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
}

/** Returns the reply for an error. */
export function toErrorReply(id: RpcId, error: RpcError): Reply {
  return Reply.json(error.status, toErrorBody(id, error))
}
