import { invalid } from '@burgee/kit/input/refusals'
import { compileValidator } from '@burgee/kit/input/validation'
import {
  AGGREGATIONS_BY_TYPE,
  type ImpactAggregation,
  type ImpactData,
  type ImpactDataQuery,
  type ImpactMetricList,
  LabelSelectors,
} from '@burgee/protocol/administration/impact-reading'
import type { ImpactType } from '@burgee/protocol/usage/impact-metrics'
import type { Reader } from '@burgee/storage/database'
import { type ImpactMetricRow, listImpactMetrics, listImpactSeries } from '@burgee/storage/queries/impact/impact-reads'
import { getSteps, readMetricGroups, toPoints } from './metric-data.ts'
import { formatMetricName, parseMetricName } from './metric-name.ts'

const WEEK_MS = 7 * 24 * 3_600_000
const MAX_LABEL_VALUES = 100
const checkSelectors = compileValidator(LabelSelectors, 'query/labels')

/** Lists metrics with their labels. Leaves out metrics that were reported only with tokens of hidden projects. */
export async function readMetricList(
  reader: Reader,
  { now, hidden }: { readonly now: number; readonly hidden: readonly string[] },
): Promise<ImpactMetricList> {
  const found = await listImpactMetrics(reader)
  const rows = found.metrics.filter((row) => isVisible(row, hidden))
  const ids = rows.map(({ id }) => id)
  const { series, isTruncated } = await listImpactSeries(reader, ids, { since: now - WEEK_MS })
  const labels = Map.groupBy(series, ({ metric_id }) => metric_id)
  const merged = Map.groupBy(rows, ({ environment, type, name }) => JSON.stringify([name, type, environment]))
  const metrics = [...merged.values()].flatMap((parts) => {
    const [first] = parts
    if (first === undefined) return []
    const { name, type, environment } = first
    const latest = parts.reduce((one, other) => (other.last_seen_at > one.last_seen_at ? other : one), first)
    return [
      {
        name,
        metricName: formatMetricName(type, name),
        type,
        help: latest.help,
        environment,
        labels: collectLabels(parts.flatMap(({ id }) => labels.get(id) ?? [])),
        lastSeenAt: new Date(latest.last_seen_at).toISOString(),
      },
    ]
  })
  return { metrics, isTruncated: isTruncated || found.isTruncated }
}

function collectLabels(
  series: readonly { readonly labels: readonly (readonly [string, string])[] }[],
): Record<string, string[]> {
  const values = new Map<string, Set<string>>()
  for (const { labels } of series) {
    for (const [name, value] of labels) {
      const known = values.get(name) ?? new Set()
      values.set(name, known)
      if (known.size < MAX_LABEL_VALUES) known.add(value)
    }
  }
  return Object.fromEntries([...values].map(([name, known]) => [name, [...known].sort()]))
}

/** Request for the points of a metric. */
export interface DataRequest {
  readonly query: ImpactDataQuery
  readonly now: number
  readonly hidden: readonly string[]
}

/**
 * Returns the points of a metric. If a metric was reported only with tokens of hidden projects, returns no series.
 * Throws ValidationError if the metric's type does not allow the aggregation.
 */
export async function readMetricData(reader: Reader, { query, now, hidden }: DataRequest): Promise<ImpactData> {
  const { metricName, timeRange = 'day', environment } = query
  const selectors = parseSelectors(query.labels)
  const time = getSteps(timeRange, now)
  const found = await listImpactMetrics(reader, { ...parseMetricName(metricName), environment })
  const metrics = found.metrics.filter((row) => isVisible(row, hidden))
  const type = metrics[0]?.type
  const period = {
    step: time.step / 1000,
    start: new Date(time.start).toISOString(),
    end: new Date(time.end).toISOString(),
  }
  if (type === undefined) return { metricName, ...period, series: [], seriesCount: 0, isTruncated: found.isTruncated }
  const mode = requireAggregation(type, query.aggregationMode, 'query/aggregationMode')
  const rows = metrics.filter((row) => row.type === type)
  const { groups, count, isTruncated } = await readMetricGroups(reader, { metrics: rows, type, time, selectors })
  const series = groups.map((group) => ({
    labels: Object.fromEntries(group.labels),
    points: toPoints(group, { type, time, mode, now }),
  }))
  const described = { metricName: formatMetricName(type, metrics[0]?.name ?? metricName), type, aggregationMode: mode }
  return { ...described, ...period, series, seriesCount: count, isTruncated: isTruncated || found.isTruncated }
}

/**
 * Returns the requested aggregation or, if there is none, the default for the metric's type. Throws ValidationError if
 * the type does not allow the aggregation.
 */
export function requireAggregation(
  type: ImpactType,
  mode: ImpactAggregation | undefined,
  path: string,
): ImpactAggregation {
  const known: readonly ImpactAggregation[] = AGGREGATIONS_BY_TYPE[type]
  const chosen = mode ?? known[0] ?? 'count'
  if (known.includes(chosen)) return chosen
  throw invalid(`"aggregationMode" of a ${type} must be one of ${known.join(', ')}`, path)
}

/** Returns true if a metric was reported with a token of a visible project or of all projects. */
export function isVisible({ source_projects: projects }: ImpactMetricRow, hidden: readonly string[]): boolean {
  return projects.some((project) => !hidden.includes(project))
}

function parseSelectors(text: string | undefined): LabelSelectors {
  if (text === undefined || text === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('"labels" must be JSON, such as {"appName":["shop"]}', 'query/labels')
  }
  return checkSelectors(value) as LabelSelectors
}
