import type { AgentAccess, AgentLimit } from '@burgee/protocol/administration/agent'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import {
  type AgentLimitRow,
  deleteAgentLimit,
  listAgentLimits,
  putAgentLimit,
} from '@burgee/storage/queries/agents/agent-limits'
import { toEnvironmentState } from '@burgee/storage/queries/projects/environments'
import type { Change } from '../../core/execute.ts'
import { requireEnvironment } from '../projects/environments.ts'

/**
 * Environment types for which agents may make changes by default. A type is free text, so for any other type, such as
 * `prod` or `live`, agents may only propose changes.
 */
const WRITABLE_TYPES: readonly string[] = ['development', 'test', 'preproduction']

/** Access levels in ascending order. */
const LEVELS: readonly AgentAccess[] = ['read', 'propose', 'write']

/** Returns the default agent limit for an environment. */
export function getDefaultAccess(type: string): AgentAccess {
  return WRITABLE_TYPES.includes(type) ? 'write' : 'propose'
}

function toLimit({ name, type, access }: AgentLimitRow): AgentLimit {
  return { environment: name, type, access: access ?? getDefaultAccess(type), isDefault: access === null }
}

/** Returns the agent limits of all environments. */
export async function readAgentLimits(reader: Reader): Promise<AgentLimit[]> {
  return (await listAgentLimits(reader)).map(toLimit)
}

/** Returns the access level of agents in an environment. An unknown environment counts as read-only. */
export async function readAgentAccess(reader: Reader, environment: string): Promise<AgentAccess> {
  const limit = (await readAgentLimits(reader)).find((one) => one.environment === environment)
  return limit?.access ?? 'read'
}

/** Throws NoAccessError if agents have less access to the environment than required. */
export function requireAgentAccess(environment: string, access: AgentAccess, needed: AgentAccess): void {
  if (LEVELS.indexOf(access) >= LEVELS.indexOf(needed)) return
  const allowed = access === 'read' ? 'only read' : 'only propose changes'
  throw new Problem('NoAccessError', `Agents may ${allowed} in the environment "${environment}".`)
}

/**
 * Sets the agent limit of an environment. A limit equal to the default is not stored, so that it keeps following the
 * type of the environment. An unchanged limit creates no event. Throws NotFoundError.
 */
export const setAgentLimit: Change<{ environment: string; access: AgentAccess }, AgentLimit> = async (
  tx,
  { environment, access },
) => {
  const row = await requireEnvironment(tx, environment)
  const stored = (await listAgentLimits(tx)).find(({ name }) => name === environment)
  const defaultAccess = getDefaultAccess(row.type)
  const before = stored?.access ?? defaultAccess
  const isDefault = access === defaultAccess
  const result = { environment, type: row.type, access, isDefault }
  if (isDefault) await deleteAgentLimit(tx, environment)
  else await putAgentLimit(tx, environment, access)
  if (before === access) return { result, events: [] }
  const state = toEnvironmentState(row)
  const states = { data: { ...state, agentAccess: access }, preData: { ...state, agentAccess: before } }
  return { result, events: [{ type: 'environment-updated', environment, ...states }] }
}
