import type { AgentAccess, AgentOutcome } from '@burgee/protocol/administration/agent'
import type { Generated } from 'kysely'
import type { Millis } from '../../columns.ts'

/** Tables of agents that use the server through MCP. */
export interface AgentTables {
  /** Environments for which the limit differs from the default for their type. */
  agent_limits: { environment: string; access: AgentAccess }
  /** Writes by agents, from which the hourly limit and the overview are computed. Old rows are deleted regularly. */
  agent_writes: {
    id: Generated<number>
    /** Personal token that was used; it may have been deleted since. */
    token_id: number
    user_id: number
    tool: string
    outcome: AgentOutcome
    project: string
    /** Environment that was changed; null for a new flag, which is not enabled in any environment. */
    environment: string | null
    feature_name: string
    client_name: string
    client_version: string
    created_at: Millis
  }
}
