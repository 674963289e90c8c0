import type { ConfigApplyResult, ConfigSource } from '@burgee/protocol/administration/config-plan'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { listGuardedEnvironments } from '@burgee/storage/queries/change-requests/change-request-settings'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { listEnvironmentsUsingSegment } from '@burgee/storage/queries/targeting/segments'
import { type Actor, hasPermission, requirePermission } from '../../core/access/rights/rights.ts'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { applyProposedChange } from '../change-requests/change-actions.ts'
import { type PlanOrder, planConfig } from './config-plan.ts'
import { type ConfigStep, type CreatedIds, resolveIds } from './config-steps.ts'
import { proposeSteps } from './propose-config.ts'

/** Files to apply, with the hash of the plan that the actor has seen. */
export interface ApplyOrder extends PlanOrder {
  readonly actor: Actor
  readonly plan: string
  readonly source: ConfigSource | undefined
}

/**
 * Applies a plan, atomically (all steps or none). Steps that affect a protected environment become a change request,
 * unless the actor may skip the review. Throws ConflictError if the project has changed since the plan, ValidationError
 * for mistakes in the files, NoAccessError, and the errors of the steps.
 */
export const applyConfig: Change<ApplyOrder, ConfigApplyResult> = async (tx, order, context) => {
  const { actor, project } = order
  const plan = await planConfig(tx, order)
  if (plan.hash !== order.plan) throw createMovedOn(plan.revision)
  const guarded = await listGuards(tx, actor, project)
  const direct: ConfigStep[] = []
  const proposed = new Map<string, ConfigStep[]>()
  for (const step of plan.steps) {
    const environment = await findReview(tx, step, guarded)
    if (environment === undefined) direct.push(step)
    else proposed.set(environment, [...(proposed.get(environment) ?? []), step])
  }
  for (const { permissions } of direct) for (const needed of permissions) requirePermission(actor, needed.name, needed)
  const ids: CreatedIds = { segments: new Map(), templates: new Map() }
  const events: NewEvent[] = []
  for (const step of direct) events.push(...(await makeStep(tx, { step, project, ids }, context)))
  const requests = await proposeSteps(tx, { ...order, proposed, ids }, context)
  events.push(...requests.events)
  const changeRequests = requests.result
  if (events.length === 0) return { result: { applied: 0, changeRequests }, events: [] }
  const data = {
    plan: plan.hash,
    ...order.source,
    count: direct.length,
    changeRequests: changeRequests.map(({ id }) => id),
  }
  events.push({ type: 'config-applied', project, data })
  return { result: { applied: direct.length, changeRequests }, events, stores: requests.stores ?? 0 }
}

function createMovedOn(revision: number): Problem {
  const message = `Nothing was applied, because the plan is out of date: the files, the options or the project have changed since it was made (the project is at revision ${revision}). Run the plan again.`
  return new Problem('ConflictError', message, { details: [{ message, path: 'body/plan' }], extra: { revision } })
}

/** Returns the protected environments of a project in which the actor needs a change request. */
export async function listGuards(reader: Reader, actor: Actor, project: string): Promise<readonly string[]> {
  const guarded = await listGuardedEnvironments(reader, [project])
  return guarded
    .filter((place) => place.isUsed && !hasPermission(actor, 'SKIP_CHANGE_REQUEST', place))
    .map(({ environment }) => environment)
}

/** Returns the protected environment whose change request gets a step; undefined if the step needs no request. */
export async function findReview(
  reader: Reader,
  { affects, environment, changes }: ConfigStep,
  guarded: readonly string[],
): Promise<string | undefined> {
  if (affects === 'none' || guarded.length === 0 || changes.length === 0) return undefined
  if (affects === 'environment') return guarded.find((one) => one === environment)
  if (affects === 'project') return guarded[0]
  const used = await listEnvironmentsUsingSegment(reader, affects.segment)
  return guarded.find((one) => used.some((place) => place.environment === one))
}

interface DirectStep {
  readonly step: ConfigStep
  readonly project: string
  readonly ids: CreatedIds
}

/** Makes a step. Adds the name of the object to errors. */
async function makeStep(tx: Tx, { step, project, ids }: DirectStep, context: ChangeContext): Promise<NewEvent[]> {
  try {
    if (step.run !== undefined) return [...(await step.run(tx, context, ids))]
    const ref = { project, environment: step.environment ?? '', feature: step.flag ?? '' }
    const events: NewEvent[] = []
    for (const change of step.changes) {
      events.push(...(await applyProposedChange(tx, { ref, ...resolveIds(change, ids) }, context)))
    }
    return events
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { details = [], name, extra } = error
    throw new Problem(name, `"${step.name}": ${error.message}`, { details, extra, cause: error })
  }
}
