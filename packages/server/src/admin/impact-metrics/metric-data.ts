import { runInSlices } from '@burgee/kit/slices'
import type { ImpactAggregation, ImpactRange, LabelSelectors } from '@burgee/protocol/administration/impact-reading'
import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import { chunks } from '@burgee/storage/chunks'
import type { Reader } from '@burgee/storage/database'
import { createColumns, foldPacked, getWidth, type PointRow } from '@burgee/storage/queries/impact/impact-points'
import {
  type ImpactMetricRow,
  type ImpactSeriesRow,
  type ImpactTime,
  listImpactSeries,
  type PackedPoints,
  readImpactPoints,
  SERIES_PER_QUERY,
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

/** Steps of a time range; the last one is the current step. */
export function getSteps(range: ImpactRange, now: number): ImpactTime & { readonly step: number } {
  const { length, step } = RANGES[range]
  const end = now - (now % step) + step
  return { start: end - length, end, step }
}

/** Group of series that have the same values for the selected labels. */
export interface SeriesGroup {
  readonly labels: ImpactLabels
  readonly steps: readonly StepSums[]
}

/** Request for the sums of the metrics that have a given name and type. */
export interface MetricSelection {
  /** Stored rows of the metric: one per environment and per set of projects that the reporting tokens cover. */
  readonly metrics: readonly ImpactMetricRow[]
  readonly type: ImpactType
  readonly time: ImpactTime & { readonly step: number }
  readonly selectors: LabelSelectors
  /** Filter for the labels of a series; undefined includes all series. */
  readonly isSelected?: (labels: ImpactLabels) => boolean
  /** Labels by which the series are grouped; defaults to all selected labels. */
  readonly groupBy?: readonly string[]
  /**
   * Maximum number of series; if there are more, no values are read. By default, the maximum number of series in a
   * list.
   */
  readonly maxSeries?: number
}

/** Groups of a metric's series. `isTruncated` is true if a limit left out some groups or series. */
export interface MetricGroups {
  readonly groups: readonly SeriesGroup[]
  /** Number of groups, including the groups that the limit cuts off. */
  readonly count: number
  readonly isTruncated: boolean
}

/**
 * Reads the sums of a metric per step, for each combination of values of the selected labels. The time range must not
 * end in the past. Processes a few series at a time, so that other requests are served in between.
 */
export async function readMetricGroups(reader: Reader, selection: MetricSelection): Promise<MetricGroups> {
  const { metrics, time, maxSeries } = selection
  const ids = metrics.map(({ id }) => id)
  const { series, isTruncated } = await listImpactSeries(reader, ids, {
    since: time.start,
    ...(maxSeries === undefined ? {} : { max: maxSeries }),
  })
  if (isTruncated && maxSeries !== undefined) return { groups: [], count: 0, isTruncated }
  const { members, groups, count } = groupSeries(series, selection)
  const parts = chunks(members, SERIES_PER_QUERY)
  const read = (part: readonly GroupMember[] = []) => readPart(reader, part, time)
  let points = await read(parts[0])
  for (const [index, part] of parts.entries()) {
    // the database reads the next part during the calculation
    const [next] = await Promise.all([read(parts[index + 1]), runInSlices(addPoints(part, points, selection))])
    points = next
  }
  return { groups, count, isTruncated: isTruncated || count > groups.length }
}

/** Series with the group to which its values are added. */
interface GroupMember {
  readonly series: ImpactSeriesRow
  readonly group: SeriesGroup
}

async function readPart(
  reader: Reader,
  members: readonly GroupMember[],
  time: ImpactTime,
): Promise<readonly PackedPoints[]> {
  if (members.length === 0) return []
  return readImpactPoints(
    reader,
    members.map(({ series }) => series),
    time,
  )
}

/** Groups the matching series. `count` includes the groups that the limit cut off. */
function groupSeries(
  all: readonly ImpactSeriesRow[],
  { metrics, time, selectors, isSelected = () => true, groupBy }: MetricSelection,
) {
  const environments = new Map(metrics.map(({ id, environment }) => [id, environment]))
  const groups = new Map<string, SeriesGroup>()
  const members: GroupMember[] = []
  const omitted = new Set<string>()
  for (const series of all) {
    const labels = withEnvironment(series.labels, environments.get(series.metric_id) ?? '')
    const matching = selectLabels(labels, selectors)
    if (matching === undefined || !isSelected(labels)) continue
    const selected = groupBy === undefined ? matching : matching.filter(([name]) => groupBy.includes(name))
    const key = JSON.stringify(selected)
    const known = groups.get(key)
    if (known === undefined && groups.size >= MAX_GROUPS) {
      omitted.add(key)
      continue
    }
    const group = known ?? { labels: selected, steps: createSteps(time) }
    groups.set(key, group)
    members.push({ series, group })
  }
  return { members, groups: [...groups.values()], count: groups.size + omitted.size }
}

/** Adds the points of the series to the steps of their groups. */
function* addPoints(
  members: readonly GroupMember[],
  points: readonly PackedPoints[],
  { type, time }: MetricSelection,
): Generator<void, void> {
  const bySeries = Map.groupBy(points, ({ series }) => series.id)
  for (const { series, group } of members) {
    const target = createTarget(series, { type, time })
    for (const row of bySeries.get(series.id) ?? []) {
      foldPacked(target, row, type)
      yield
    }
    const { bounds } = series
    const { columns } = target
    for (const [slot, sums] of group.steps.entries()) addSlot(sums, { type, bounds, columns }, slot)
    yield
  }
}

function createSteps({ start, end, step }: MetricSelection['time']): StepSums[] {
  return Array.from({ length: Math.round((end - start) / step) }, createStepSums)
}

/** Returns an empty row that has one entry for each step of a reply. */
function createTarget({ bounds }: ImpactSeriesRow, { type, time }: Pick<MetricSelection, 'type' | 'time'>): PointRow {
  const { start, end, step } = time
  const resolution = { step, span: end - start }
  return { ...resolution, start, columns: createColumns(getWidth(type, bounds.length), resolution) }
}

function withEnvironment(labels: ImpactLabels, environment: string): ImpactLabels {
  return [...labels, ['environment', environment]]
}

/** Returns the selected labels of a series; undefined if the series does not match the selectors. */
function selectLabels(labels: ImpactLabels, selectors: LabelSelectors): ImpactLabels | undefined {
  const selected: [string, string][] = []
  for (const [name, values] of Object.entries(selectors)) {
    const value = labels.find(([label]) => label === name)?.[1]
    if (value === undefined || !(values.includes('*') || values.includes(value))) return undefined
    selected.push([name, value])
  }
  return selected
}

/** Points of a group, with times in seconds since 1970. */
export function toPoints(
  { steps }: SeriesGroup,
  of: Pick<MetricSelection, 'type' | 'time'> & { readonly mode: ImpactAggregation; readonly now: number },
): [number, number | null][] {
  const { type, time, mode, now } = of
  return steps.map((sums, index) => {
    const start = time.start + index * time.step
    const seconds = start + time.step <= now ? time.step / 1000 : undefined
    return [start / 1000, aggregate(sums, { type, mode, seconds })]
  })
}
