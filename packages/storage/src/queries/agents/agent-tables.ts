import type { AgentAccess, AgentOutcome } from '@burgee/protocol/administration/agent'
import type { Generated } from 'kysely'
import type { Millis } from '../../columns.ts'

/** Tables of agents that use the server through MCP. */
export interface AgentTables {
  /** Environments whose limit differs from the default of their type. */
  agent_limits: { environment: string; access: AgentAccess }
  /** Writes of agents, for the hourly bound and the overview. Old rows are deleted. */
  agent_writes: {
    id: Generated<number>
    /** Personal token, which may have been deleted since. */
    token_id: number
    user_id: number
    tool: string
    outcome: AgentOutcome
    project: string
    /** Null for a new flag, which is in no environment. */
    environment: string | null
    feature_name: string
    client_name: string
    client_version: string
    created_at: Millis
  }
}
