import type { CreateFeature } from '@burgee/protocol/admin-feature'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { listProjectEnvironmentNames } from '@burgee/storage/queries/flags/features'
import { requirePermission } from '../../core/access/rights/rights.ts'
import type { Change } from '../../core/execute.ts'
import { noProject } from '../../core/project-ref.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import type { FeatureRef } from '../flags/feature-ref.ts'
import { createFeature } from '../flags/features.ts'
import { type AgentCaller, toAgentAuthor } from './agent-caller.ts'
import { type AgentIntent, type AgentResult, recordWrite, runAsAgent } from './agent-changes.ts'
import { readAgentLimits } from './agent-limits.ts'

/** Flag that an agent creates. */
interface AgentFlag extends AgentIntent, FeatureRef {
  readonly body: CreateFeature
}

/**
 * Creates a flag for an agent, off in every environment. Throws the errors of `createFeature`, NoAccessError if agents
 * have read-only access in every environment of the project, and RateLimitError.
 */
export async function createFlagAsAgent(
  world: ServerWorld,
  caller: AgentCaller,
  write: AgentFlag,
): Promise<AgentResult> {
  const { actor } = caller
  const { project } = write
  // checks the permission as if no project were hidden, so that the error does not reveal that the project exists
  requirePermission({ grants: actor.grants, hidden: [] }, 'CREATE_FEATURE', { project })
  if (actor.hidden.includes(project)) throw noProject(project)
  const author = toAgentAuthor(caller, write.tool, write.reason)
  return runAsAgent(world, { caller: { ...caller, actor: author }, write }, createWithRecord)
}

const createWithRecord: Change<{ caller: AgentCaller; write: AgentFlag }, AgentResult> = async (
  tx,
  { caller, write },
  context,
) => {
  const { events } = await createFeature(tx, write, context)
  await requireWritableProject(tx, write.project)
  return recordWrite(tx, { caller, write, outcome: 'applied', events, changeRequest: null }, context.now)
}

/** Throws NoAccessError if agents have read-only access in every environment of a project. */
async function requireWritableProject(reader: Reader, project: string): Promise<void> {
  const names = await listProjectEnvironmentNames(reader, project)
  const limits = await readAgentLimits(reader)
  if (limits.some(({ environment, access }) => names.includes(environment) && access !== 'read')) return
  throw new Problem('NoAccessError', `Agents may only read in the environments of the project "${project}".`)
}
