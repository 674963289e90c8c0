import { InvalidRequest } from '@burgee/kit/input/validation'
import { toOneLine } from '@burgee/kit/one-line'
import { Problem } from '@burgee/protocol/problem'
import { classifyDbError } from '@burgee/storage/errors'
import { listInvalidDetails } from '../../../core/http/errors.ts'
import type { Tool, ToolContext } from './tool.ts'

/** Result of `tools/call`. */
export interface CallResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: unknown
  readonly isError: boolean
}

const DENIAL_STATUSES = new Set([403, 429])

/**
 * Runs a tool. The caller's errors become a tool result, so that the agent can react to them. Rejects with all errors
 * that are not the caller's. Denials are written to the security log.
 */
export async function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<CallResult> {
  try {
    const { content, text } = await tool.run(input, context)
    return { content: [{ type: 'text', text }], structuredContent: content, isError: false }
  } catch (error) {
    if (error instanceof Problem) {
      auditDenial(error, tool, context)
      return toFailure(`${error.name}: ${error.message}`)
    }
    if (error instanceof InvalidRequest) return toFailure(`ValidationError: ${describeInvalid(error)}`)
    if (classifyDbError(error) === 'unstorable') return toFailure('ValidationError: A value cannot be stored.')
    throw error
  }
}

/** Error messages quote text from users, which must not look to the agent like separate lines. */
function toFailure(text: string): CallResult {
  return { content: [{ type: 'text', text: toOneLine(text) }], isError: true }
}

const MAX_SHOWN = 5

function describeInvalid(error: InvalidRequest): string {
  return listInvalidDetails(error, MAX_SHOWN)
    .map(({ path, message }) => `${path}: ${message}`)
    .join(' ')
}

function auditDenial({ status, name: reason }: Problem, tool: Tool, { world, caller }: ToolContext): void {
  if (!DENIAL_STATUSES.has(status)) return
  const { name: actor, userId: actorId, address } = caller.actor
  const via = { method: 'POST', route: '/mcp' }
  const details = { tool: tool.name, token: String(caller.token) }
  world.security?.record({ event: 'refused', result: 'refused', status, reason, actor, actorId, address, via, details })
}
