import { setImmediate } from 'node:timers/promises'
import { BoundedCache } from '@burgee/kit/bounded-cache'
import { type Caller, Reply } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'
import Type from 'typebox'
import { isFromOtherPage } from '../../core/access/same-origin.ts'
import { MCP } from '../../core/http/mcp-path.ts'
import { publicUrl } from '../../core/http/public-url.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { CallerGone } from '../playground/playground.ts'
import { type AgentCaller, type AgentClient, requireAgentCaller } from './agent-caller.ts'
import { findClient, readEra, readUserAgent } from './rpc/eras.ts'
import { answerRequest } from './rpc/mcp-methods.ts'
import { findId, parseMessage, RPC_CODES, RpcError, type RpcMessage, toErrorReply } from './rpc/rpc-messages.ts'

/** Path of the metadata document that describes how to authenticate. */
const METADATA = '/.well-known/oauth-protected-resource'

const BODY_LIMIT_BYTES = 100 * 1024
const MAX_BATCH = 20
const MAX_CLIENTS = 10_000

const Message = Type.Object({ jsonrpc: Type.Literal('2.0') }, { additionalProperties: true })

/** Parts of a request that the MCP endpoint uses. */
interface McpInput {
  readonly body: unknown
  readonly agent: AgentCaller
  readonly caller: Caller
}

/** Client programs, keyed by token id. Clients that use the older protocol name their program only in `initialize`. */
type KnownClients = BoundedCache<AgentClient, number>

/** Routes of the MCP endpoint. */
export function mcpRoutes(): Routes {
  const clients: KnownClients = new BoundedCache({ entries: MAX_CLIENTS })
  const notAllowed = (['GET', 'DELETE'] as const).map((method) =>
    route({
      method,
      url: MCP,
      permission: 'public',
      tag: 'Agents',
      summary: 'Answers 405: the endpoint has no streams and no sessions.',
      replies: { 405: { description: 'Not allowed' } },
      problems: [],
      handle: () => new Reply(405, undefined, { allow: 'POST' }),
    }),
  )
  return [
    route({
      method: 'POST',
      url: MCP,
      permission: null,
      tag: 'Agents',
      summary: 'Answers requests of agents in the Model Context Protocol (JSON-RPC 2.0).',
      description:
        'Takes a personal token or a token of a service account. Supports the protocol versions 2026-07-28 and, with ' +
        '`initialize`, 2025-11-25, 2025-06-18 and 2025-03-26.',
      body: Type.Unknown(),
      bodyLimitBytes: BODY_LIMIT_BYTES,
      first: refuseOtherOrigins,
      replies: {
        200: { description: 'A response, or a list of responses', schema: Type.Union([Message, Type.Array(Message)]) },
        202: { description: 'Accepted notifications' },
        400: { description: 'The message is not valid', schema: Message },
        404: { description: 'There is no such method', schema: Message },
      },
      problems: ['AuthenticationRequired', 'NoAccessError', 'ContentTypeerror', 'PayloadTooLargeError'],
      handle: ({ body, access, caller }, world) => {
        const agent = requireAgentCaller(access.actor, readUserAgent(caller))
        return answerBody({ body, agent, caller }, world, clients)
      },
    }),
    ...notAllowed,
    route({
      method: 'GET',
      url: METADATA,
      permission: 'public',
      tag: 'Agents',
      summary: 'Describes how agents authenticate: with a token in the authorization header.',
      replies: { 200: { description: 'Metadata of the endpoint', schema: Type.Object({ resource: Type.String() }) } },
      problems: [],
      handle: (_input, { options }) => ({
        resource: `${publicUrl(options)}${MCP}`,
        resource_name: 'Burgee',
        bearer_methods_supported: ['header'],
      }),
    }),
  ]
}

/** Rejects requests from web pages of other origins before the credentials are checked. */
function refuseOtherOrigins(caller: Caller, { callers }: HttpWorld): Record<string, string> {
  if (!isFromOtherPage(caller, callers)) return {}
  throw new Problem('NoAccessError', 'Pages of other origins may not use the MCP endpoint.')
}

/** Returns the `WWW-Authenticate` header for requests without valid credentials. */
export function describeMcpLogin(options: Parameters<typeof publicUrl>[0]): string {
  return `Bearer resource_metadata="${publicUrl(options)}${METADATA}"`
}

async function answerBody({ body, ...input }: McpInput, world: HttpWorld, clients: KnownClients): Promise<Reply> {
  if (!Array.isArray(body)) return answerMessage({ body, ...input }, world, clients)
  if (body.length === 0 || body.length > MAX_BATCH) {
    const message = `A batch must have 1 to ${MAX_BATCH} messages`
    return toErrorReply(null, new RpcError(RPC_CODES.invalidRequest, message, { status: 400 }))
  }
  const answers: string[] = []
  for (const one of body) {
    // let other requests run between the messages of a batch
    await setImmediate()
    const reply = await answerMessage({ body: one, ...input }, world, clients).catch((error) => {
      if (answers.length === 0) throw error
      // the batch must not lose the answers to earlier messages, whose changes may have been applied
      return toInternalError(one, error, world)
    })
    if (typeof reply.body === 'string') answers.push(reply.body)
  }
  if (answers.length === 0) return new Reply(202)
  return new Reply(200, `[${answers.join(',')}]`, { 'content-type': 'application/json; charset=utf-8' })
}

/** Logs the error of one message in a batch. Returns the JSON-RPC reply for the error, without details. */
function toInternalError(message: unknown, error: unknown, { logger }: HttpWorld): Reply {
  const errorId = crypto.randomUUID()
  logger.error(`A message of a batch to ${MCP} failed (${errorId})`, error)
  const text = `Something went wrong. For details, search the server log for the id ${errorId}.`
  return toErrorReply(findId(message), new RpcError(RPC_CODES.internal, text))
}

async function answerMessage(
  { body, agent, caller }: McpInput,
  world: HttpWorld,
  clients: KnownClients,
): Promise<Reply> {
  const id = findId(body)
  try {
    const message = parseMessage(body)
    if (message === undefined) return new Reply(202)
    const era = readEra(message, caller)
    const client = rememberClient(message, agent.token, clients) ?? agent.client
    if (message.id === undefined) return new Reply(202)
    const isGone = () => caller.exit?.isGone === true
    const result = await answerRequest(era, message, { world, caller: { ...agent, client }, isGone })
    return Reply.json(200, { jsonrpc: '2.0', id, result })
  } catch (error) {
    if (error instanceof RpcError) return toErrorReply(id, error)
    if (error instanceof CallerGone) return new Reply(503)
    throw error
  }
}

/** Returns the program that a message names, or else the one named in an earlier `initialize` with the same token. */
function rememberClient(message: RpcMessage, token: number, clients: KnownClients): AgentClient | undefined {
  const named = findClient(message)
  if (message.method === 'initialize' && named !== undefined) clients.set(token, named)
  return named ?? clients.get(token)
}
