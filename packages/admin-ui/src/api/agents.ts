import type { AgentAccess, AgentLimit, AgentLimits, AgentWrites } from '@burgee/protocol/administration/agent'
import { buildPath, call } from './http.ts'

const AGENTS = '/api/admin/agents'

/** Query for the access that agents have in each environment. */
export const AGENT_LIMITS = {
  queryKey: ['agent-limits'],
  queryFn: () => call<AgentLimits>('GET', `${AGENTS}/limits`),
} as const

/** Query for the latest changes by agents. */
export const AGENT_WRITES = {
  queryKey: ['agent-writes'],
  queryFn: () => call<AgentWrites>('GET', `${AGENTS}/writes`),
} as const

/** Sets the access that agents have in an environment. */
export const setAgentLimit = (environment: string, access: AgentAccess) =>
  call<AgentLimit>('PUT', `${AGENTS}/limits${buildPath(environment)}`, { access })
