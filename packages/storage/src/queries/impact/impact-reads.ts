import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'
import { addPacked, createColumns, getWidth, listResolutions, type PointRow, type Resolution } from './impact-points.ts'

/** Stored metric. */
export type ImpactMetricRow = Selectable<Schema['impact_metrics']>

/** Selection of metrics. */
export interface ImpactMetricFilter {
  readonly name?: string
  readonly type?: ImpactType
  readonly environment?: string | undefined
}

/** Maximum number of metrics in a list. */
const MAX_METRICS = 5000
/** Maximum number of series in a list, such as those of a chart. */
export const MAX_LISTED_SERIES = 2000
/** Number of series whose points one query reads. A series of a month has about 70 rows with up to 22 columns. */
export const SERIES_PER_QUERY = 50

/** Page of metrics. `hasMore` is true if the limit cut off metrics. */
export interface ImpactMetrics {
  readonly metrics: readonly ImpactMetricRow[]
  readonly isTruncated: boolean
}

/** Lists metrics by name and environment. */
export async function listImpactMetrics(reader: Reader, filter: ImpactMetricFilter = {}): Promise<ImpactMetrics> {
  let query = reader.selectFrom('impact_metrics').selectAll()
  if (filter.name !== undefined) query = query.where('name', '=', filter.name)
  if (filter.type !== undefined) query = query.where('type', '=', filter.type)
  if (filter.environment !== undefined) query = query.where('environment', '=', filter.environment)
  const sorted = query.orderBy('name').orderBy('type').orderBy('environment').orderBy('id')
  const found = await sorted.limit(MAX_METRICS + 1).execute()
  return { metrics: found.slice(0, MAX_METRICS), isTruncated: found.length > MAX_METRICS }
}

/** Stored series. */
export interface ImpactSeriesRow {
  readonly id: string
  readonly metric_id: string
  readonly labels: ImpactLabels
  readonly bounds: number[]
}

/** Page of series. `hasMore` is true if the limit cut off series. */
export interface ImpactSeriesList {
  readonly series: readonly ImpactSeriesRow[]
  readonly isTruncated: boolean
}

/** Lists at most `max` series of metrics that had values since a time. */
export async function listImpactSeries(
  reader: Reader,
  metrics: readonly string[],
  { since, max = MAX_LISTED_SERIES }: { readonly since: number; readonly max?: number },
): Promise<ImpactSeriesList> {
  const rows: ImpactSeriesRow[] = []
  for (const part of chunks(metrics)) {
    const found = await reader
      .selectFrom('impact_series')
      .select(['id', 'metric_id', 'labels', 'bounds'])
      .where('metric_id', 'in', part)
      .where('last_seen_at', '>=', since)
      .orderBy('id')
      .limit(max + 1 - rows.length)
      .execute()
    rows.push(...found)
    if (rows.length > max) break
  }
  return { series: rows.slice(0, max), isTruncated: rows.length > max }
}

/** Time from `start` (inclusive) to `end` (exclusive), in milliseconds since 1970. */
export interface ImpactTime {
  readonly start: number
  readonly end: number
}

/** Stored points of a series; `unpackPoints` returns their values. */
export interface PackedPoints extends Resolution {
  readonly series: ImpactSeriesRow
  readonly start: number
  readonly packed: string
}

/**
 * Reads the points of at most `SERIES_PER_QUERY` series that overlap a time range, in all resolutions. The range must
 * not end in the past. Points of the last two days are stored only by minute.
 */
export async function readImpactPoints(
  reader: Reader,
  series: readonly ImpactSeriesRow[],
  time: ImpactTime,
): Promise<PackedPoints[]> {
  const byId = new Map(series.map((one) => [one.id, one]))
  const points: PackedPoints[] = []
  for (const { step, span } of listResolutions(time)) {
    const rows = await reader
      .selectFrom('impact_points')
      .select(['series_id', 'start', 'packed'])
      .where('series_id', 'in', [...byId.keys()])
      .where('step', '=', step)
      .where('start', '>', time.start - span)
      .where('start', '<', time.end)
      .execute()
    for (const { series_id, start, packed } of rows) {
      const owner = byId.get(series_id)
      if (owner !== undefined) points.push({ series: owner, step, span, start: Number(start), packed })
    }
  }
  return points
}

/** Unpacks the points of a series of the given type. */
export function unpackPoints({ series, step, span, start, packed }: PackedPoints, type: ImpactType): PointRow {
  const columns = createColumns(getWidth(type, series.bounds.length), { step, span })
  addPacked(columns, packed)
  return { step, span, start, columns }
}
