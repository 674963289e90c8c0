import { invalid, notFound } from '@burgee/kit/input/refusals'
import {
  MAX_SAFEGUARDS,
  type Safeguard,
  type SafeguardDefinition,
  type SafeguardInput,
} from '@burgee/protocol/administration/safeguard'
import type { EventType } from '@burgee/protocol/event'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { findPlan } from '@burgee/storage/queries/releases/release-plans'
import {
  countSafeguards,
  deleteSafeguard,
  listSafeguards,
  putSafeguard,
  type SafeguardRow,
} from '@burgee/storage/queries/releases/safeguards'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from '../flags/feature-ref.ts'
import { parseMetricName } from '../impact-metrics/metric-name.ts'
import { requireAggregation } from '../impact-metrics/metric-views.ts'
import { listProjectMetrics } from './project-metrics.ts'

const MINUTE_MS = 60_000

/** Converts a safeguard to its admin API form. */
export function toSafeguardView(row: SafeguardRow): Safeguard {
  const { impactMetric, triggerCondition, action, onNoData } = row.definition
  const waiting = row.held === 1 ? 'waiting' : 'watching'
  return {
    id: row.id,
    featureName: row.feature_name,
    environment: row.environment,
    releasePlanId: row.plan_id,
    impactMetric,
    triggerCondition: triggerCondition ?? null,
    action: { type: action.type, id: action.id ?? row.id },
    onNoData,
    status: row.trip === null ? waiting : 'tripped',
    trip: row.trip,
    createdByUserId: row.created_by_user_id,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** Flag in an environment, with the plan to which the safeguard belongs, if any. */
export interface SafeguardOwner extends FeatureEnvironmentRef {
  readonly planId?: string | undefined
}

/**
 * Creates a safeguard, or replaces the safeguard with the id in the body and arms it again. Only values from the
 * current minute on count. Throws NotFoundError, ValidationError, and InvalidOperationError if there are too many
 * safeguards.
 */
export const setSafeguard: Change<SafeguardOwner & { readonly body: SafeguardInput }, SafeguardRow> = async (
  tx,
  { body: { id, ...definition }, planId, ...ref },
  context,
) => {
  await requireFeatureEnvironment(tx, ref)
  await requireOwner(tx, { ...ref, planId })
  await checkDefinition(tx, ref, { definition, planId })
  const known = await listSafeguards(tx, ref)
  const before = known.find((one) => one.id === id && one.plan_id === (planId ?? null))
  if (id !== undefined && before === undefined) throw createUnknown(id)
  if (before === undefined) await requireRoom(tx, known.length, context)
  const row: SafeguardRow = {
    id: before?.id ?? context.newId(),
    feature_name: ref.feature,
    environment: ref.environment,
    plan_id: planId ?? null,
    created_by_user_id: before?.created_by_user_id ?? context.author.userId,
    created_at: before?.created_at ?? context.now,
    ...arm(definition, context),
  }
  await putSafeguard(tx, row)
  const states = { data: toSafeguardView(row), ...(before && { preData: toSafeguardView(before) }) }
  return { result: row, events: [buildSafeguardEvent('safeguard-changed', ref, states)] }
}

/** Throws InvalidOperationError if the flag or the installation already has the maximum number of safeguards. */
async function requireRoom(
  tx: Tx,
  ofFlag: number,
  { resourceLimits }: Pick<ChangeContext, 'resourceLimits'>,
): Promise<void> {
  if (ofFlag >= MAX_SAFEGUARDS)
    throw new Problem('InvalidOperationError', `The flag has ${ofFlag} safeguards here, the maximum.`)
  const count = await countSafeguards(tx)
  if (count < resourceLimits.safeguards) return
  const reason = `The flags have ${count} safeguards together, the maximum (SAFEGUARDS_LIMIT).`
  throw new Problem('InvalidOperationError', reason)
}

/** Deletes a safeguard. Throws NotFoundError. */
export const removeSafeguard: Change<SafeguardOwner & { readonly safeguardId: string }, void> = async (
  tx,
  { safeguardId, planId, ...ref },
) => {
  await requireFeatureEnvironment(tx, ref)
  const row = (await listSafeguards(tx, ref)).find((one) => one.id === safeguardId)
  if (row === undefined || row.plan_id !== (planId ?? null)) throw createUnknown(safeguardId)
  await deleteSafeguard(tx, row.id)
  const event = buildSafeguardEvent('safeguard-deleted', ref, { preData: toSafeguardView(row) })
  return { result: undefined, events: [event] }
}

/**
 * Arms the tripped safeguards of a plan again when a user resumes the plan. Only values from the next minute on count:
 * values are added up by minute, so the current minute may contain the values that tripped the safeguard. Queries to
 * Prometheus select their own time range.
 */
export async function rearmSafeguards(
  tx: Tx,
  safeguards: readonly SafeguardRow[],
  context: Pick<ChangeContext, 'now'>,
): Promise<SafeguardRow[]> {
  const now = context.now - (context.now % MINUTE_MS) + MINUTE_MS
  const rows: SafeguardRow[] = []
  for (const row of safeguards) {
    const armed = row.trip === null ? row : { ...row, ...arm(row.definition, { now }) }
    if (armed !== row) await putSafeguard(tx, armed)
    rows.push(armed)
  }
  return rows
}

type ArmedColumns = Pick<
  SafeguardRow,
  'definition' | 'alert_name' | 'metric_name' | 'armed_at' | 'check_at' | 'breached_since' | 'held' | 'trip'
>

/**
 * Returns the columns of a newly armed safeguard. With `onNoData: hold`, the safeguard holds its plan back until there
 * are enough values.
 */
function arm(definition: SafeguardDefinition, { now }: Pick<ChangeContext, 'now'>): ArmedColumns {
  const { source, metricName } = definition.impactMetric
  const isAlert = source === 'alert'
  return {
    definition,
    alert_name: isAlert ? metricName : null,
    metric_name: source === 'internal' ? parseMetricName(metricName).name : null,
    armed_at: now,
    check_at: isAlert ? null : now,
    breached_since: null,
    held: Number(!isAlert && definition.onNoData === 'hold'),
    trip: null,
  }
}

async function requireOwner(reader: Reader, { planId, ...ref }: SafeguardOwner): Promise<void> {
  if (planId === undefined) return
  const plan = await findPlan(reader, ref)
  if (plan?.id !== planId) throw notFound(`There is no release plan with the id "${planId}".`)
}

interface CheckedDefinition {
  readonly definition: SafeguardDefinition
  readonly planId: string | undefined
}

/** Rejects definitions that can never trip, or whose action can never be performed. Throws ValidationError. */
async function checkDefinition(
  reader: Reader,
  { project, environment }: FeatureEnvironmentRef,
  { definition, planId }: CheckedDefinition,
): Promise<void> {
  const { impactMetric, triggerCondition, action } = definition
  if (planId === undefined && action.type !== 'disableEnvironment') {
    throw invalid('"action.type" must be disableEnvironment for a safeguard without a plan', 'body/action/type')
  }
  if (impactMetric.source === 'alert') return
  if (triggerCondition === undefined) throw invalid('"triggerCondition" is required', 'body/triggerCondition')
  const { threshold, compare } = triggerCondition
  if (impactMetric.source === 'prometheus') {
    requireQuery(impactMetric.query, compare)
    return
  }
  const isCompared = compare === 'on-vs-off'
  if (isCompared && !(threshold > 0 && threshold <= 1)) {
    const text = '"threshold" of a comparison must be above 0 and at most 1: the difference of rates that matters'
    throw invalid(text, 'body/triggerCondition/threshold')
  }
  const { metricName } = impactMetric
  const own = await listProjectMetrics(reader, { metricName, environment, project })
  const type = parseMetricName(metricName).type ?? own[0]?.type
  if (type === undefined) return
  requireAggregation(type, impactMetric.aggregationMode, 'body/impactMetric/aggregationMode')
  if (isCompared && type !== 'counter') {
    throw invalid('"compare" can be on-vs-off for counters only', 'body/triggerCondition/compare')
  }
}

function requireQuery(query: string | undefined, compare: 'absolute' | 'on-vs-off'): void {
  if (query === undefined) throw invalid('"query" is required for the source prometheus', 'body/impactMetric/query')
  if (compare === 'absolute') return
  throw invalid('"compare" must be absolute for the source prometheus', 'body/triggerCondition/compare')
}

function createUnknown(id: string): Problem {
  return notFound(`There is no safeguard with the id "${id}".`)
}

/** Builds an event about a safeguard. */
export function buildSafeguardEvent(
  type: Extract<EventType, `safeguard-${string}`>,
  { project, feature, environment }: FeatureEnvironmentRef,
  states: { readonly data?: Safeguard; readonly preData?: Safeguard },
): NewEvent {
  return { type, project, environment, featureName: feature, ...states }
}
