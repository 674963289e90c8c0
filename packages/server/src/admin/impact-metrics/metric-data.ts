import type { ImpactAggregation, ImpactRange, LabelSelectors } from '@burgee/protocol/administration/impact-reading'
import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import type { Reader } from '@burgee/storage/database'
import { createColumns, foldInto, getWidth, type PointRow } from '@burgee/storage/queries/impact/impact-points'
import {
  type ImpactMetricRow,
  type ImpactSeriesRow,
  type ImpactTime,
  listImpactSeries,
  readImpactPoints,
} from '@burgee/storage/queries/impact/impact-reads'
import { addSlot, aggregate, createStepSums, type StepSums } from './aggregation.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Maximum number of series in a reply. */
const MAX_GROUPS = 100

/** Length and step of each time range, in milliseconds. */
export const RANGES: Readonly<Record<ImpactRange, { readonly length: number; readonly step: number }>> = {
  hour: { length: HOUR_MS, step: MINUTE_MS },
  day: { length: DAY_MS, step: 15 * MINUTE_MS },
  week: { length: 7 * DAY_MS, step: 3 * HOUR_MS },
  month: { length: 30 * DAY_MS, step: DAY_MS },
}

/** Steps of a range that ends with the current step. */
export function getSteps(range: ImpactRange, now: number): ImpactTime & { readonly step: number } {
  const { length, step } = RANGES[range]
  const end = now - (now % step) + step
  return { start: end - length, end, step }
}

/** Group of series with the same values of the selected labels. */
export interface SeriesGroup {
  readonly labels: ImpactLabels
  readonly steps: readonly StepSums[]
}

/** Request for the sums of metrics with one name and type. */
export interface MetricSelection {
  /** Rows of one metric: by environment and by the projects of the reporting tokens. */
  readonly metrics: readonly ImpactMetricRow[]
  readonly type: ImpactType
  readonly time: ImpactTime & { readonly step: number }
  readonly selectors: LabelSelectors
  /** Returns true for series to read; all by default. */
  readonly isSelected?: (labels: ImpactLabels) => boolean
  /** Labels that series are grouped by; all selected ones by default. */
  readonly groupBy?: readonly string[]
}

/** Groups of a metric, and true if there were more. */
export interface MetricGroups {
  readonly groups: readonly SeriesGroup[]
  readonly isTruncated: boolean
}

/** Reads the sums of a metric by step, for each combination of values of the selected labels. */
export async function readMetricGroups(
  reader: Reader,
  { metrics, type, time, selectors, isSelected = () => true, groupBy }: MetricSelection,
): Promise<MetricGroups> {
  const environments = new Map(metrics.map(({ id, environment }) => [id, environment]))
  const all = await listImpactSeries(reader, [...environments.keys()], time.start)
  const groups = new Map<string, SeriesGroup>()
  const groupOf = new Map<string, SeriesGroup>()
  const chosen: ImpactSeriesRow[] = []
  let isTruncated = false
  for (const series of all) {
    const labels = withEnvironment(series.labels, environments.get(series.metric_id) ?? '')
    const matching = selectLabels(labels, selectors)
    if (matching === undefined || !isSelected(labels)) continue
    const selected = groupBy === undefined ? matching : matching.filter(([name]) => groupBy.includes(name))
    const key = JSON.stringify(selected)
    let group = groups.get(key)
    if (group === undefined && groups.size >= MAX_GROUPS) {
      isTruncated = true
      continue
    }
    group ??= { labels: selected, steps: createSteps(time) }
    groups.set(key, group)
    groupOf.set(series.id, group)
    chosen.push(series)
  }
  const folded = new Map<string, PointRow>()
  await readImpactPoints(reader, chosen, { time, type }, (series, row) => {
    const target = folded.get(series.id) ?? createTarget(series, { type, time })
    folded.set(series.id, target)
    foldInto(target, row, type)
  })
  for (const { id, bounds } of chosen) {
    const steps = groupOf.get(id)?.steps ?? []
    const columns = folded.get(id)?.columns
    if (columns === undefined) continue
    for (const [slot, sums] of steps.entries()) addSlot(sums, { type, bounds, columns }, slot)
  }
  return { groups: [...groups.values()], isTruncated }
}

function createSteps({ start, end, step }: MetricSelection['time']): StepSums[] {
  return Array.from({ length: Math.round((end - start) / step) }, createStepSums)
}

/** Returns an empty row with the steps of a reply. */
function createTarget({ bounds }: ImpactSeriesRow, { type, time }: Pick<MetricSelection, 'type' | 'time'>): PointRow {
  const { start, end, step } = time
  const resolution = { step, span: end - start }
  return { ...resolution, start, columns: createColumns(getWidth(type, bounds.length), resolution) }
}

function withEnvironment(labels: ImpactLabels, environment: string): ImpactLabels {
  return [...labels, ['environment', environment]]
}

/** Returns the selected labels of a series; undefined if it does not match the selectors. */
function selectLabels(labels: ImpactLabels, selectors: LabelSelectors): ImpactLabels | undefined {
  const selected: [string, string][] = []
  for (const [name, values] of Object.entries(selectors)) {
    const value = labels.find(([label]) => label === name)?.[1]
    if (value === undefined || !(values.includes('*') || values.includes(value))) return undefined
    selected.push([name, value])
  }
  return selected
}

/** Points of a group, in seconds since 1970. */
export function toPoints(
  { steps }: SeriesGroup,
  of: Pick<MetricSelection, 'type' | 'time'> & { readonly mode: ImpactAggregation; readonly now: number },
): [number, number | null][] {
  const { type, time, mode, now } = of
  return steps.map((sums, index) => {
    const start = time.start + index * time.step
    const seconds = (Math.min(start + time.step, now) - start) / 1000
    return [start / 1000, aggregate(sums, { type, mode, seconds })]
  })
}
