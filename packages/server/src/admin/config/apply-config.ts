import type { ConfigApplyResult, ConfigSource } from '@burgee/protocol/administration/config-plan'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { requirePermission } from '../../core/access/rights/rights.ts'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { applyProposedChange } from '../change-requests/change-actions.ts'
import { type PlanOrder, planConfig } from './config-plan.ts'
import { type ConfigStep, type CreatedIds, resolveIds } from './config-steps.ts'
import { proposeSteps } from './propose-config.ts'
import { reviewSteps } from './step-reviews.ts'
import { storeOrigins } from './store-origins.ts'

/** Files to apply, and the hash of the plan that the actor has seen. */
export interface ApplyOrder extends PlanOrder {
  readonly plan: string
  readonly source: ConfigSource | undefined
}

/**
 * Applies the plan for the files atomically (all steps or none). Steps that affect a protected environment become a
 * change request, unless the actor may skip the review. If the source of the files is known, they manage the objects
 * that they describe, also objects that do not change. Throws ConflictError if the project has changed since the plan
 * was made, ValidationError for mistakes in the files, NoAccessError, and the errors of the steps.
 */
export const applyConfig: Change<ApplyOrder, ConfigApplyResult> = async (tx, order, context) => {
  const { actor, project } = order
  const plan = await planConfig(tx, order)
  if (plan.hash !== order.plan) throw createMovedOn(plan.revision)
  const direct: ConfigStep[] = []
  const proposed = new Map<string, ConfigStep[]>()
  for (const { step, environment } of await reviewSteps(tx, { ...plan, actor, project })) {
    if (environment === undefined) direct.push(step)
    else proposed.set(environment, [...(proposed.get(environment) ?? []), step])
  }
  for (const { permissions } of direct) for (const needed of permissions) requirePermission(actor, needed.name, needed)
  const ids: CreatedIds = { segments: new Map(), templates: new Map() }
  const events = await makeSteps(tx, { steps: direct, project, ids }, context)
  const requests = await proposeSteps(tx, { ...order, proposed, ids }, context)
  events.push(...requests.events)
  const changeRequests = requests.result
  const isAdopted =
    order.source !== undefined &&
    (await storeOrigins(tx, { ...order, source: order.source, described: plan.objects }, context.now))
  if (events.length === 0 && !isAdopted) return { result: { applied: 0, changeRequests }, events: [] }
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

interface DirectSteps {
  readonly steps: readonly ConfigStep[]
  readonly project: string
  readonly ids: CreatedIds
}

/** Makes the steps of a plan in their order, without checking permissions. Returns their events. */
export async function makeSteps(tx: Tx, { steps, ...more }: DirectSteps, context: ChangeContext): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const step of steps) events.push(...(await makeStep(tx, { ...more, step }, context)))
  return events
}

interface DirectStep extends Omit<DirectSteps, 'steps'> {
  readonly step: ConfigStep
}

/** Makes a step. Prefixes errors with the name of the object. */
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
