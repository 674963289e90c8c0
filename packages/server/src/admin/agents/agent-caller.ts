import type { EventAgent } from '@burgee/protocol/administration/agent'
import { Problem } from '@burgee/protocol/problem'
import type { Actor } from '../../core/access/rights/rights.ts'
import type { RequestAct } from '../change-requests/request-ref.ts'

/** Program that calls the tools, under the name that it gives itself. */
export interface AgentClient {
  readonly name: string
  readonly version: string
}

/** Account whose token an agent uses, and the agent's program. */
export interface AgentCaller {
  readonly actor: RequestAct['actor']
  /** Id of the personal token. */
  readonly token: number
  readonly client: AgentClient
}

/**
 * Returns the caller that a personal token or a service account's token belongs to. Throws AuthenticationRequired for
 * other credentials: sessions are for browsers, and an API token has no account that could propose changes.
 */
export function requireAgentCaller(actor: Actor, client: AgentClient): AgentCaller {
  const { user, personalToken: token } = actor
  if (user === undefined || token === undefined) {
    throw new Problem('AuthenticationRequired', 'Agents need a personal token or a token of a service account.')
  }
  return { actor: { ...actor, user }, token, client }
}

/** Returns the author under whose name a tool call makes changes; the events name the agent. */
export function toAgentAuthor({ actor, client }: AgentCaller, tool: string, reason: string): RequestAct['actor'] {
  const agent: EventAgent = { via: 'mcp', client: client.name, version: client.version, tool, reason }
  return { ...actor, agent }
}
