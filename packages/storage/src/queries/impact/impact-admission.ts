import { hasRoom, type ImpactBounds, MAX_OTHERS, type UsedRoom } from '@burgee/serving/impact/impact-bounds'
import { ALL_OTHER_LABELS } from '@burgee/serving/impact/impact-labels'
import { sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Tx } from '../../database.ts'
import { type SeriesMinute, toOther } from './impact-minutes.ts'

/**
 * Time without new values after which a metric or series no longer counts toward its limit. The stored points of an
 * inactive metric or series can still be read.
 */
const ACTIVE_MS = 7 * 86_400_000
/**
 * Maximum number of stored `other` series per metric, counted across all origins and bucket bounds. Series from public
 * sources may make up half of this number.
 */
const MAX_STORED_OTHERS = 4 * MAX_OTHERS
/** Labels of the `other` series, serialized as they are stored. */
const OTHER_TEXTS = ALL_OTHER_LABELS.map((labels) => JSON.stringify(labels))

/** Time of a write, and the limits on active metrics per environment and active series per metric. */
export interface ImpactWriteRules {
  readonly now: number
  readonly limits: ImpactBounds
}

/** Minutes that fit within the limits, and the number of metrics or series that do not fit. */
export interface Admitted {
  readonly admitted: readonly SeriesMinute[]
  readonly refused: number
}

/** Number of stored items in total, and from public sources only. */
type Counts = { -readonly [K in keyof UsedRoom]: UsedRoom[K] }

/** Drops new metrics in environments that have reached their limit on metrics. */
export async function admitMetrics(
  tx: Tx,
  minutes: readonly SeriesMinute[],
  { now, limits }: ImpactWriteRules,
): Promise<Admitted> {
  const byMetric = Map.groupBy(minutes, ({ metricId }) => metricId)
  const known = new Set<string>()
  for (const part of chunks([...byMetric.keys()])) {
    const rows = await tx.selectFrom('impact_metrics').select('id').where('id', 'in', part).execute()
    for (const { id } of rows) known.add(id)
  }
  const used = new Map<string, Counts>()
  let refused = 0
  for (const [metricId, parts] of byMetric) {
    const environment = parts[0]?.environment ?? ''
    if (known.has(metricId)) continue
    const counts = used.get(environment) ?? (await countActiveMetrics(tx, environment, now))
    used.set(environment, counts)
    const isPublic = parts.every((part) => part.isPublic)
    if (hasRoom(counts, limits.metrics, isPublic)) {
      known.add(metricId)
      count(counts, isPublic)
    } else refused += 1
  }
  return { admitted: minutes.filter(({ metricId }) => known.has(metricId)), refused }
}

function count(counts: Counts, isPublic: boolean): void {
  counts.all += 1
  if (isPublic) counts.public += 1
}

async function countActiveMetrics(tx: Tx, environment: string, now: number): Promise<Counts> {
  const row = await tx
    .selectFrom('impact_metrics')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.sum<number | null>('is_public').as('public')])
    .where('environment', '=', environment)
    .where('last_seen_at', '>=', now - ACTIVE_MS)
    .executeTakeFirst()
  return { all: Number(row?.all ?? 0), public: Number(row?.public ?? 0) }
}

/**
 * For metrics that have reached their limit on series, adds the values of new series to the `other` series of the same
 * origin. Drops new `other` series that exceed the separate limit on `other` series.
 */
export async function admitSeries(
  tx: Tx,
  minutes: readonly SeriesMinute[],
  { now, limits }: ImpactWriteRules,
): Promise<Admitted> {
  const pairs = minutes.map((minute) => ({ minute, other: toOther(minute) }))
  const known = new Set<string>()
  const ids = pairs.flatMap(({ minute, other }) => [minute.seriesId, other.seriesId])
  for (const part of chunks([...new Set(ids)])) {
    const rows = await tx.selectFrom('impact_series').select('id').where('id', 'in', part).execute()
    for (const { id } of rows) known.add(id)
  }
  const fresh = minutes.filter(({ seriesId }) => !known.has(seriesId)).map(({ metricId }) => metricId)
  const usedSeries = await countActiveSeries(tx, new Set(fresh), { now, isOther: false })
  const usedOthers = await countActiveSeries(tx, new Set(fresh), { now, isOther: true })
  const reserve = ({ metricId, seriesId, isPublic }: SeriesMinute, used: Map<string, Counts>, limit: number) => {
    if (known.has(seriesId)) return true
    const counts = used.get(metricId) ?? { all: 0, public: 0 }
    if (!hasRoom(counts, limit, isPublic)) return false
    known.add(seriesId)
    count(counts, isPublic)
    used.set(metricId, counts)
    return true
  }
  let refused = 0
  const admitted: SeriesMinute[] = []
  for (const { minute, other } of pairs) {
    const isOther = other.seriesId === minute.seriesId
    if (!isOther && reserve(minute, usedSeries, limits.series)) {
      admitted.push(minute)
      continue
    }
    const hasOther = reserve(other, usedOthers, MAX_STORED_OTHERS)
    if (hasOther) admitted.push(other)
    if (!isOther || !hasOther) refused += 1
  }
  return { admitted, refused }
}

/**
 * Returns the number of active series per metric: either only `other` series, or only series that are not `other`
 * series.
 */
async function countActiveSeries(
  tx: Tx,
  metrics: ReadonlySet<string>,
  { now, isOther }: { readonly now: number; readonly isOther: boolean },
): Promise<Map<string, Counts>> {
  const used = new Map<string, Counts>()
  for (const part of chunks([...metrics])) {
    const rows = await tx
      .selectFrom('impact_series')
      .select(({ fn }) => [
        'metric_id',
        fn.countAll<number>().as('all'),
        fn.sum<number | null>('is_public').as('public'),
      ])
      .where('metric_id', 'in', part)
      .where('last_seen_at', '>=', now - ACTIVE_MS)
      .where(sql<string>`labels`, isOther ? 'in' : 'not in', OTHER_TEXTS)
      .groupBy('metric_id')
      .execute()
    for (const { metric_id, ...counts } of rows) {
      used.set(metric_id, { all: Number(counts.all), public: Number(counts.public ?? 0) })
    }
  }
  return used
}
