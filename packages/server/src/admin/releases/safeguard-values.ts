import { AGGREGATIONS_BY_TYPE, type ImpactAggregation } from '@burgee/protocol/administration/impact-reading'
import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import { hasPublicOrigin } from '@burgee/serving/impact/impact-labels'
import type { ImpactMetricRow } from '@burgee/storage/queries/impact/impact-reads'
import type { SafeguardWithProject } from '@burgee/storage/queries/releases/safeguards'
import { readEvaluations } from '@burgee/storage/queries/usage/evaluation-sums'
import { aggregate, createStepSums, type StepSums } from '../impact-metrics/aggregation.ts'
import { RANGES, type SeriesGroup } from '../impact-metrics/metric-data.ts'
import { compareRates, isSignificant, type Proportion } from './sequential-test.ts'
import type { SharedReads } from './shared-reads.ts'

/** Observed value of a safeguard, and the time to which it applies. */
export interface Observation {
  readonly value: number
  readonly isBreached: boolean
  readonly start: number
  readonly end: number
  readonly detail: string | null
}

/** Time without reports after which a metric counts as silent. */
const SILENT_AFTER_MS = 300_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Default of `minimumSample` for comparisons. With few evaluations, the estimate of the variance is unreliable. */
const MIN_COMPARED_EVALUATIONS = 100

/**
 * Maximum number of series that a safeguard adds up. A metric has few series per set of projects, so this number is
 * only reached if tokens with very many different sets of projects report it.
 */
const MAX_SERIES = 10_000

/** Metric of a safeguard within its time window. */
interface Measured {
  readonly metrics: readonly ImpactMetricRow[]
  readonly type: ImpactType
  readonly start: number
  readonly end: number
  readonly now: number
}

/**
 * Evaluates the condition of a safeguard. Returns undefined if the metric is silent, has fewer values than the minimum
 * sample, or has more series than can be added up, because the other series could hide a breach.
 */
export async function observe(
  reads: SharedReads,
  safeguard: SafeguardWithProject,
  now: number,
): Promise<Observation | undefined> {
  const { environment, project, definition, armed_at: armedAt } = safeguard
  const { metricName, timeRange } = definition.impactMetric
  const own = await reads.listMetrics({ metricName, environment, project })
  const type = own[0]?.type
  if (type === undefined) return undefined
  const metrics = own.filter((row) => row.type === type)
  if (Math.max(...metrics.map((row) => row.last_seen_at)) < now - SILENT_AFTER_MS) return undefined
  const isCompared = definition.triggerCondition?.compare === 'on-vs-off'
  // values are stored by minute and evaluations by hour, so the whole minute or hour in which the safeguard was armed
  // counts
  const floor = isCompared ? HOUR_MS : MINUTE_MS
  const from = Math.max(now - RANGES[timeRange].length, armedAt)
  const measured = { metrics, type, start: from - (from % floor), end: now - (now % MINUTE_MS) + MINUTE_MS, now }
  return isCompared ? observeDifference(reads, safeguard, measured) : observeValue(reads, safeguard, measured)
}

async function observeValue(
  reads: SharedReads,
  safeguard: SafeguardWithProject,
  measured: Measured,
): Promise<Observation | undefined> {
  const { impactMetric, triggerCondition } = safeguard.definition
  if (triggerCondition === undefined) return undefined
  const { type, start, now } = measured
  const mode = getMode(type, impactMetric.aggregationMode)
  // reports arrive in batches, so the rate of a minute would fluctuate until the minute has ended
  const end = mode === 'rps' ? now - (now % MINUTE_MS) : measured.end
  if (end <= start) return undefined
  const groups = await readGroups(reads, safeguard, { measured: { ...measured, end }, groupBy: [] })
  if (groups === undefined) return undefined
  const sums = groups[0]?.steps[0] ?? createStepSums()
  if (sums.count < (triggerCondition.minimumSample ?? 0)) return undefined
  const value = aggregate(sums, { type, mode, seconds: (end - start) / 1000 })
  if (value === null) return undefined
  const { operator, threshold } = triggerCondition
  const isBreached = operator === '>' ? value > threshold : value < threshold
  return { value, isBreached, start, end, detail: null }
}

async function observeDifference(
  reads: SharedReads,
  safeguard: SafeguardWithProject,
  measured: Measured,
): Promise<Observation | undefined> {
  const { feature_name: feature, environment, definition } = safeguard
  const { impactMetric, triggerCondition } = definition
  if (triggerCondition === undefined) return undefined
  const groups = await readGroups(reads, safeguard, { measured, groupBy: [feature] })
  if (groups === undefined) return undefined
  const apps = impactMetric.labelSelectors?.appName
  const { yes, no } = await reads.read((reader) =>
    readEvaluations(reader, { feature, environment, since: measured.start, apps }),
  )
  const { minimumSample = MIN_COMPARED_EVALUATIONS, threshold, operator } = triggerCondition
  if (Math.min(yes, no) < Math.max(minimumSample, 1)) return undefined
  const isOff = ({ labels }: SeriesGroup) => labels.some(([, value]) => value === 'disabled')
  const on: Proportion = { events: countEvents(groups.filter((group) => !isOff(group))), evaluations: yes }
  const off: Proportion = { events: countEvents(groups.filter(isOff)), evaluations: no }
  const comparison = compareRates(on, off, threshold)
  const { start, end } = measured
  const detail = `with the flag ${on.events} of ${yes}, without it ${off.events} of ${no}`
  return { value: comparison.difference, isBreached: isSignificant(comparison, operator), start, end, detail }
}

const ALL_SERIES = { key: 'all', isSelected: () => true }
const SERIES_OF_SERVERS = { key: 'servers', isSelected: (labels: ImpactLabels) => !hasPublicOrigin(labels) }

/** Returns the sums of the selected series by group, or undefined if there are too many series. */
async function readGroups(
  reads: SharedReads,
  { definition: { impactMetric } }: SafeguardWithProject,
  { measured, groupBy }: { readonly measured: Measured; readonly groupBy: readonly string[] },
): Promise<readonly SeriesGroup[] | undefined> {
  const { metrics, type, start, end } = measured
  const { labelSelectors = {}, allowPublicMetrics } = impactMetric
  const grouping = Object.fromEntries(groupBy.map((name) => [name, ['*']]))
  const { groups, isTruncated } = await reads.readGroups({
    metrics,
    type,
    time: { start, end, step: end - start },
    selectors: { ...grouping, ...labelSelectors },
    filter: allowPublicMetrics ? ALL_SERIES : SERIES_OF_SERVERS,
    groupBy,
    maxSeries: MAX_SERIES,
  })
  return isTruncated ? undefined : groups
}

function countEvents(groups: readonly SeriesGroup[]): number {
  return groups.reduce((sum, { steps }) => sum + sumCounts(steps), 0)
}

function sumCounts(steps: readonly StepSums[]): number {
  return steps.reduce((sum, { count }) => sum + count, 0)
}

/**
 * Returns the aggregation or, if the metric's type does not allow it, the default for the type: the type may have been
 * unknown when the safeguard was created.
 */
function getMode(type: ImpactType, mode: ImpactAggregation | undefined): ImpactAggregation {
  const known: readonly ImpactAggregation[] = AGGREGATIONS_BY_TYPE[type]
  return mode !== undefined && known.includes(mode) ? mode : (known[0] ?? 'count')
}
