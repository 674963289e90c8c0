import { notFound } from '@burgee/kit/input/refusals'
import { findPlan } from '@burgee/storage/queries/releases/release-plans'
import { requirePermission } from '../../core/access/rights/rights.ts'
import type { Change } from '../../core/execute.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from '../flags/feature-ref.ts'
import { pauseProgressions } from '../releases/release-plans.ts'
import { type AgentCaller, toAgentAuthor } from './agent-caller.ts'
import { type AgentIntent, type AgentResult, recordWrite, runAsAgent } from './agent-changes.ts'
import { readAgentAccess, requireAgentAccess } from './agent-limits.ts'

/** Request of an agent to pause a release plan. */
type AgentPause = AgentIntent & FeatureEnvironmentRef

/**
 * Pauses the release plan of a flag for an agent. Needs only the right to propose changes, because a pause changes
 * nothing for users and needs no review. Throws NotFoundError, NoAccessError, RateLimitError.
 */
export function pauseAsAgent(world: ServerWorld, caller: AgentCaller, write: AgentPause): Promise<AgentResult> {
  const author = toAgentAuthor(caller, write.tool, write.reason)
  return runAsAgent(world, { caller: { ...caller, actor: author }, write }, pause)
}

const pause: Change<{ caller: AgentCaller; write: AgentPause }, AgentResult> = async (
  tx,
  { caller, write },
  context,
) => {
  await requireFeatureEnvironment(tx, write)
  requireAgentAccess(write.environment, await readAgentAccess(tx, write.environment), 'propose')
  requirePermission(caller.actor, 'UPDATE_FEATURE_STRATEGY', write)
  const plan = await findPlan(tx, write)
  if (plan === undefined) {
    throw notFound(`The flag "${write.feature}" has no release plan in the environment "${write.environment}".`)
  }
  const { project, feature, environment } = write
  const { events } = await pauseProgressions(tx, { project, feature, environment, planId: plan.id }, context)
  return recordWrite(tx, { caller, write, outcome: 'applied', events, changeRequest: null }, context.now)
}
