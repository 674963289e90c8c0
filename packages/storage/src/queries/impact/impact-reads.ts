import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'
import { isSqlite } from '../../dialect.ts'
import { listResolutions, type PackedRow, type Resolution } from './impact-points.ts'
import { SEEN_MS } from './impact-writes.ts'

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
/** Maximum number of series in a list, such as the series of a chart. */
export const MAX_LISTED_SERIES = 2000
/**
 * Number of series whose points are read with one query. For one month, a series has about 70 rows with up to 22
 * columns.
 */
export const SERIES_PER_QUERY = 50

/** Page of metrics. List of metrics; `hasMore` is true if the limit has omitted some. */
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

/** Page of series. List of series; `hasMore` is true if the limit has omitted some. */
export interface ImpactSeriesList {
  readonly series: readonly ImpactSeriesRow[]
  readonly isTruncated: boolean
}

/** Lists at most `max` series of the metrics, among series that have had values since a time. */
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
      // the latest values can be newer than the stored time
      .where('last_seen_at', '>=', since - SEEN_MS)
      .orderBy('id')
      .limit(max + 1 - rows.length)
      .execute()
    rows.push(...found)
    if (rows.length > max) break
  }
  return { series: rows.slice(0, max), isTruncated: rows.length > max }
}

/** Time range from `start` (inclusive) to `end` (exclusive), in milliseconds since 1970. */
export interface ImpactTime {
  readonly start: number
  readonly end: number
}

/** Stored points of a series. */
export interface PackedPoints extends PackedRow {
  readonly series: ImpactSeriesRow
}

/**
 * Reads the points, at all resolutions, that overlap a time range, for at most `SERIES_PER_QUERY` series. The range
 * must not end in the past. Points of the last two days are stored only at a resolution of one minute.
 */
export async function readImpactPoints(
  reader: Reader,
  series: readonly ImpactSeriesRow[],
  time: ImpactTime,
): Promise<PackedPoints[]> {
  const byId = new Map(series.map((one) => [one.id, one]))
  const read = async ({ step, span }: Resolution): Promise<PackedPoints[]> => {
    const found = await reader
      .selectFrom('impact_points')
      .select(['series_id', joinRows(reader).as('rows')])
      .where('series_id', 'in', [...byId.keys()])
      .where('step', '=', step)
      .where('start', '>', time.start - span)
      .where('start', '<', time.end)
      .groupBy('series_id')
      .execute()
    return found.flatMap(({ series_id, rows }) => {
      const owner = byId.get(series_id)
      return owner === undefined ? [] : splitRows(rows).map((row) => ({ series: owner, step, span, ...row }))
    })
  }
  return (await Promise.all(listResolutions(time).map(read))).flat()
}

/**
 * Joins the rows of a series into one string: a chart of a month reads thousands of rows, and transferring them one by
 * one takes longer than reading them. Start times and packed points never contain the separator.
 */
function joinRows(reader: Reader): RawBuilder<string> {
  return isSqlite(reader)
    ? sql<string>`group_concat(start || ' ' || packed, ',')`
    : sql<string>`string_agg(start || ' ' || packed, ',')`
}

function splitRows(joined: string): { readonly start: number; readonly packed: string }[] {
  return joined.split(',').map((row) => {
    const end = row.indexOf(' ')
    return { start: Number(row.slice(0, end)), packed: row.slice(end + 1) }
  })
}
