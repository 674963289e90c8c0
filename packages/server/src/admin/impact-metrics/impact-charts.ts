import { notFound } from '@burgee/kit/input/refusals'
import {
  type ImpactChart,
  type ImpactChartDefinition,
  type ImpactChartInput,
  MAX_FLAG_CHARTS,
  MAX_SHARED_CHARTS,
} from '@burgee/protocol/administration/impact-chart'
import { AGGREGATIONS_BY_TYPE, type ImpactRange } from '@burgee/protocol/administration/impact-reading'
import type { EventType } from '@burgee/protocol/event'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  deleteImpactChart,
  type ImpactChartRow,
  listImpactCharts,
  putImpactChart,
} from '@burgee/storage/queries/impact/impact-charts'
import { listImpactMetrics } from '@burgee/storage/queries/impact/impact-reads'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import type { Change } from '../../core/execute.ts'
import { type FeatureRef, requireFeature, requireLive } from '../flags/feature-ref.ts'
import { parseMetricName } from './metric-name.ts'
import { isVisible, requireAggregation } from './metric-views.ts'

/** Flag to which charts belong; null for charts of the whole installation. */
export type ChartOwner = FeatureRef | null

/** Time between the points of a chart, by time range. */
const STEPS: Readonly<Record<ImpactRange, string>> = { hour: '1m', day: '15m', week: '3h', month: '1d' }

/** Converts a saved chart to its admin API form. */
export function toChartView({ id, definition }: Pick<ImpactChartRow, 'id' | 'definition'>): ImpactChart {
  const { name, type } = parseMetricName(definition.metricName)
  const [byDefault] = type === undefined ? [] : AGGREGATIONS_BY_TYPE[type]
  const aggregationMode = definition.aggregationMode ?? byDefault
  return {
    id,
    ...definition,
    ...(aggregationMode && { aggregationMode }),
    labelSelectors: definition.labelSelectors ?? {},
    displayName: name,
    type: type ?? 'unknown',
    step: STEPS[definition.timeRange],
    mode: 'write',
  }
}

/** Lists the charts of a flag. Throws NotFoundError if there is no such flag. */
export async function readFlagCharts(reader: Reader, ref: FeatureRef): Promise<ImpactChart[]> {
  await requireFeature(reader, ref)
  return (await listImpactCharts(reader, ref.feature)).map(toChartView)
}

/** Lists the charts that belong to no flag. All users may see them (see `requireMetricFor`). */
export async function readSharedCharts(reader: Reader): Promise<ImpactChart[]> {
  return (await listImpactCharts(reader, null)).map(toChartView)
}

/**
 * Throws InvalidOperationError if only private projects other than the owner's report a metric, because every user who
 * sees the owner also sees its charts and their events. For an actor who may not see any of these projects, the metric
 * counts as unknown.
 */
async function requireMetricFor(reader: Reader, { owner, body, hidden }: SaveChart): Promise<void> {
  const { metrics } = await listImpactMetrics(reader, parseMetricName(body.metricName))
  const visible = metrics.filter((metric) => isVisible(metric, hidden))
  if (visible.length === 0) return
  const others = (await listPrivateProjects(reader)).filter((project) => project !== owner?.project)
  if (visible.some((metric) => isVisible(metric, others))) return
  const message = 'Only private projects report this metric: save the chart at a flag of one of these projects'
  throw new Problem('InvalidOperationError', message)
}

/** Owner and content of a chart to save. */
export interface SaveChart {
  readonly owner: ChartOwner
  readonly body: ImpactChartInput
  /** Private projects that the actor may not see. */
  readonly hidden: readonly string[]
}

/**
 * Saves a chart, or replaces the chart with the id in the body. Throws NotFoundError, ValidationError if the type of
 * the metric does not allow the aggregation, and InvalidOperationError if there are too many charts, or if the chart
 * would show a metric of other private projects.
 */
export const saveChart: Change<SaveChart, ImpactChartRow> = async (tx, chart, { newId, now }) => {
  const { owner, body } = chart
  const known = await listOwned(tx, owner)
  await requireMetricFor(tx, chart)
  const definition = toDefinition(body)
  const before = known.find(({ id }) => id === body.id)
  if (body.id !== undefined && before === undefined) throw createUnknown(body.id)
  if (before === undefined) requireRoom(owner, known.length)
  const row: ImpactChartRow = {
    id: before?.id ?? newId(),
    feature_name: owner?.feature ?? null,
    definition,
    created_at: before?.created_at ?? now,
  }
  await putImpactChart(tx, row)
  const type = before === undefined ? 'impact-metric-created' : 'impact-metric-updated'
  const states = { data: toEventState(row), ...(before && { preData: toEventState(before) }) }
  return { result: row, events: [createEvent(type, owner, states)] }
}

/** Deletes a chart. Throws NotFoundError. */
export const removeChart: Change<{ readonly owner: ChartOwner; readonly id: string }, void> = async (
  tx,
  { owner, id },
) => {
  const row = (await listOwned(tx, owner)).find((one) => one.id === id)
  if (row === undefined) throw createUnknown(id)
  await deleteImpactChart(tx, id)
  return { result: undefined, events: [createEvent('impact-metric-deleted', owner, { preData: toEventState(row) })] }
}

/** Returns a chart as in events, which name it by its title or metric. */
function toEventState(row: ImpactChartRow) {
  const view = toChartView(row)
  return { name: view.title ?? view.displayName, ...view }
}

async function listOwned(tx: Tx, owner: ChartOwner): Promise<ImpactChartRow[]> {
  if (owner !== null) await requireLive(tx, owner)
  return listImpactCharts(tx, owner?.feature ?? null)
}

function toDefinition({
  id: _,
  displayName: _name,
  type: _type,
  step: _step,
  mode: _mode,
  ...given
}: ImpactChartInput) {
  const { type } = parseMetricName(given.metricName)
  if (type !== undefined) requireAggregation(type, given.aggregationMode, 'body/aggregationMode')
  return given satisfies ImpactChartDefinition
}

function requireRoom(owner: ChartOwner, count: number): void {
  const max = owner === null ? MAX_SHARED_CHARTS : MAX_FLAG_CHARTS
  if (count < max) return
  const whose = owner === null ? 'There are' : `The flag "${owner.feature}" has`
  throw new Problem('InvalidOperationError', `${whose} ${count} charts, the maximum.`)
}

function createUnknown(id: string): Problem {
  return notFound(`There is no chart with the id "${id}" here.`)
}

function createEvent(type: EventType, owner: ChartOwner, states: Pick<NewEvent, 'data' | 'preData'>): NewEvent {
  return { type, ...(owner && { project: owner.project, featureName: owner.feature }), ...states }
}
