import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  deleteStrategy,
  insertStrategy,
  listStrategies,
  readAppendPosition,
  type StrategyRow,
} from '@burgee/storage/queries/flags/strategies'
import type { PlanRow } from '@burgee/storage/queries/releases/release-plans'
import type { ChangeContext } from '../../core/execute.ts'
import type { FeatureEnvironmentRef } from '../flags/feature-ref.ts'
import { toAdminStrategy } from '../flags/feature-views.ts'
import { buildStrategyEvent } from '../flags/strategies.ts'
import { requireMilestone } from './milestones.ts'

/**
 * Adds the strategies of the active milestone to the flag, after its existing strategies. SDKs evaluate them like all
 * other strategies. Returns the events.
 */
export async function addActiveStrategies(
  tx: Tx,
  ref: FeatureEnvironmentRef,
  plan: PlanRow,
  { now }: Pick<ChangeContext, 'now'>,
): Promise<NewEvent[]> {
  const { strategies } = requireMilestone(plan.milestones, plan.active_milestone_id)
  const { sortOrder, earliest } = await readAppendPosition(tx, ref)
  const events: NewEvent[] = []
  for (const [index, { id, strategyName: name, title, ...rest }] of strategies.entries()) {
    const { parameters, constraints, variants, segments } = rest
    const row: StrategyRow = {
      id,
      feature_name: ref.feature,
      environment: ref.environment,
      name,
      title,
      disabled: 0,
      parameters,
      constraints,
      variants: variants as StrategyRow['variants'],
      segments,
      sort_order: sortOrder + index,
      created_at: now,
    }
    await insertStrategy(tx, row, earliest + index)
    events.push(buildStrategyEvent('feature-strategy-add', ref, { data: toAdminStrategy(row) }))
  }
  return events
}

/** Removes the strategies of the active milestone from the strategies of the flag. Returns the events. */
export async function removeActiveStrategies(tx: Tx, ref: FeatureEnvironmentRef, plan: PlanRow): Promise<NewEvent[]> {
  const { strategies } = requireMilestone(plan.milestones, plan.active_milestone_id)
  const own = new Set(strategies.map(({ id }) => id))
  const left = await listStrategies(tx, ref.feature, ref.environment)
  const events: NewEvent[] = []
  for (const row of left.filter(({ id }) => own.has(id))) {
    const index = left.indexOf(row)
    left.splice(index, 1)
    await deleteStrategy(tx, row.id)
    const [preData, undo] = [toAdminStrategy(row), { index }]
    events.push(buildStrategyEvent('feature-strategy-remove', ref, { preData, undo }))
  }
  return events
}
