import { Refusal } from '@burgee/kit/http/refusal'
import { type Caller, Reply } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import { MCP } from '../../core/http/mcp-path.ts'
import type { publicUrl } from '../../core/http/public-url.ts'
import { describeMcpLogin } from './mcp-routes.ts'
import { RPC_CODES, RpcError, toErrorReply } from './rpc/rpc-messages.ts'

type Render = (error: unknown, caller: Caller) => Reply

/**
 * Wraps an error renderer for the MCP endpoint: 401 replies name the metadata document that describes the login, and
 * bodies that are not JSON get a JSON-RPC error.
 */
export function withMcpFailures(render: Render, options: Parameters<typeof publicUrl>[0]): Render {
  return (error, caller) => {
    const path = getPath(caller.url).toLowerCase().replace(/\/+$/, '')
    if (path !== `${options.baseUriPath}${MCP}`.toLowerCase()) return render(error, caller)
    if (error instanceof Refusal && error.reason === 'syntax') {
      return toErrorReply(null, new RpcError(RPC_CODES.parse, 'The body is not JSON', { status: 400 }))
    }
    const reply = render(error, caller)
    if (reply.status !== 401) return reply
    const headers = { ...reply.headers, 'www-authenticate': describeMcpLogin(options) }
    return new Reply(reply.status, reply.body, headers)
  }
}
