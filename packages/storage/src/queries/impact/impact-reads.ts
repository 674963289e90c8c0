import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'
import { addPacked, createColumns, getWidth, type PointRow, RESOLUTIONS } from './impact-points.ts'

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
/** Maximum number of series that one query reads. */
const MAX_SERIES = 2000

/** Lists metrics by name and environment. */
export function listImpactMetrics(reader: Reader, filter: ImpactMetricFilter = {}): Promise<ImpactMetricRow[]> {
  let query = reader.selectFrom('impact_metrics').selectAll()
  if (filter.name !== undefined) query = query.where('name', '=', filter.name)
  if (filter.type !== undefined) query = query.where('type', '=', filter.type)
  if (filter.environment !== undefined) query = query.where('environment', '=', filter.environment)
  return query.orderBy('name').orderBy('type').orderBy('environment').orderBy('id').limit(MAX_METRICS).execute()
}

/** Stored series. */
export interface ImpactSeriesRow {
  readonly id: string
  readonly metric_id: string
  readonly labels: ImpactLabels
  readonly bounds: number[]
}

/** Lists series of metrics that had values since a time. */
export async function listImpactSeries(
  reader: Reader,
  metrics: readonly string[],
  since: number,
): Promise<ImpactSeriesRow[]> {
  const rows: ImpactSeriesRow[] = []
  for (const part of chunks(metrics)) {
    const found = await reader
      .selectFrom('impact_series')
      .select(['id', 'metric_id', 'labels', 'bounds'])
      .where('metric_id', 'in', part)
      .where('last_seen_at', '>=', since)
      .orderBy('id')
      .limit(MAX_SERIES - rows.length)
      .execute()
    rows.push(...found)
    if (rows.length >= MAX_SERIES) break
  }
  return rows
}

/** Time from `start` (inclusive) to `end` (exclusive), in milliseconds since 1970. */
export interface ImpactTime {
  readonly start: number
  readonly end: number
}

/** Calls `onRow` for each stored row of series that overlaps a time, in all resolutions. */
export async function readImpactPoints(
  reader: Reader,
  series: readonly ImpactSeriesRow[],
  { time: { start, end }, type }: { readonly time: ImpactTime; readonly type: ImpactType },
  onRow: (series: ImpactSeriesRow, row: PointRow) => void,
): Promise<void> {
  const byId = new Map(series.map((one) => [one.id, one]))
  for (const { step, span } of RESOLUTIONS) {
    for (const part of chunks([...byId.keys()])) {
      const rows = await reader
        .selectFrom('impact_points')
        .select(['series_id', 'start', 'packed'])
        .where('series_id', 'in', part)
        .where('step', '=', step)
        .where('start', '>', start - span)
        .where('start', '<', end)
        .execute()
      for (const row of rows) {
        const owner = byId.get(row.series_id)
        if (owner === undefined) continue
        const columns = createColumns(getWidth(type, owner.bounds.length), { step, span })
        addPacked(columns, row.packed)
        onRow(owner, { step, span, start: Number(row.start), columns })
      }
    }
  }
}
