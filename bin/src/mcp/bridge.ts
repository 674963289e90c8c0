import { fetchAnyPort } from '@burgee/serving/upstream/fetch-any-port'

/** Address of the MCP endpoint, and the token to send. */
export interface BridgeTarget {
  readonly url: string
  readonly token: string
}

const MAX_LINE_LENGTH = 1024 * 1024
const LIMIT_MS = 60_000
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const INTERNAL_ERROR = -32_603
const PARSE_ERROR = -32_700

/**
 * Forwards messages between an agent and the endpoint until the agent's input ends: one message per line, in order.
 * Network failures become JSON-RPC errors. Throws an Error if a line is too long.
 */
export async function runBridge(
  input: AsyncIterable<Buffer | string>,
  write: (line: string) => void,
  target: BridgeTarget,
): Promise<void> {
  const session: Session = { version: undefined }
  for await (const line of splitLines(input)) {
    if (line.trim() === '') continue
    const answer = await forward(line, session, target)
    if (answer !== undefined) write(answer)
  }
}

/** Protocol version that the server agreed to; in the older protocol, later requests repeat it in a header. */
interface Session {
  version: string | undefined
}

async function* splitLines(input: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of input) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_LENGTH) throw new Error(`A message is longer than ${MAX_LINE_LENGTH} characters`)
    yield* lines
  }
  yield rest
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: Readonly<Record<string, unknown>>
}

async function forward(line: string, session: Session, { url, token }: BridgeTarget): Promise<string | undefined> {
  const message = parseMessage(line)
  if (message === undefined) return formatError(null, PARSE_ERROR, 'The message is not JSON')
  try {
    const headers = { authorization: `Bearer ${token}`, ...toHeaders(message, session) }
    const signal = AbortSignal.timeout(LIMIT_MS)
    const response = await fetchAnyPort(url, { method: 'POST', headers, body: line, signal })
    return readAnswer(message, session, await response.text(), response.status)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    const reason = error instanceof Error ? `${error.message}${cause}` : String(error)
    return isNotification(message) ? undefined : formatError(message.id ?? null, INTERNAL_ERROR, `${url}: ${reason}`)
  }
}

function parseMessage(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the headers that repeat parts of a message, as the HTTP transport requires. */
function toHeaders({ method, params }: Message, session: Session): Record<string, string> {
  const type = { 'content-type': 'application/json', accept: 'application/json' }
  const meta = params?._meta as Readonly<Record<string, unknown>> | undefined
  const version = meta?.[VERSION_KEY]
  if (typeof version !== 'string') {
    return session.version === undefined ? type : { ...type, 'mcp-protocol-version': session.version }
  }
  const name = method === 'tools/call' ? params?.name : method === 'resources/read' ? params?.uri : undefined
  return {
    ...type,
    'mcp-protocol-version': version,
    'mcp-method': encodeHeader(String(method)),
    ...(typeof name === 'string' ? { 'mcp-name': encodeHeader(name) } : {}),
  }
}

function encodeHeader(value: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?')
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

/** Returns true for a message that needs no reply. A batch has no id itself, but the requests in it do. */
function isNotification(message: Message): boolean {
  return message.id === undefined && !Array.isArray(message)
}

function readAnswer(message: Message, session: Session, text: string, status: number): string | undefined {
  if (isNotification(message)) return undefined
  const answer = parseMessage(text) as { readonly jsonrpc?: unknown; readonly message?: unknown } | undefined
  const isRpc = answer !== undefined && (Array.isArray(answer) || answer.jsonrpc === '2.0')
  if (isRpc) {
    if (message.method === 'initialize') session.version = findVersion(answer)
    return JSON.stringify(answer)
  }
  const reason = typeof answer?.message === 'string' ? `: ${answer.message}` : ''
  return formatError(message.id ?? null, INTERNAL_ERROR, `The server returned ${status}${reason}`)
}

function findVersion(answer: object): string | undefined {
  const { result } = answer as { readonly result?: { readonly protocolVersion?: unknown } }
  return typeof result?.protocolVersion === 'string' ? result.protocolVersion : undefined
}

function formatError(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}
