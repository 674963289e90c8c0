import { createHash } from 'node:crypto'
import { compareText } from '@burgee/kit/compare-text'
import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import { hasRoom, type ImpactBounds, MAX_OTHERS, type UsedRoom } from '@burgee/serving/impact/impact-bounds'
import { toOtherLabels } from '@burgee/serving/impact/impact-labels'
import { chunks } from '../../chunks.ts'
import type { Tx } from '../../database.ts'
import { isSqlite } from '../../dialect.ts'
import { capSources } from '../usage/usage.ts'
import { addPacked, createColumns, getWidth, MINUTES, packColumns } from './impact-points.ts'

/** Metric that tokens for the same projects report in an environment. */
export interface ImpactMetricKey {
  readonly environment: string
  readonly type: ImpactType
  readonly name: string
  /** Project ids, or `*`. */
  readonly projects: readonly string[]
}

/** Values of one series in one minute. */
export interface ImpactMinute extends ImpactMetricKey {
  readonly help: string
  /** Start of the minute, in milliseconds since 1970. */
  readonly minute: number
  readonly labels: ImpactLabels
  readonly bounds: readonly number[]
  /** Values in the order of the columns; empty if the metric is only announced. */
  readonly values: readonly number[]
  /** True if only sources that any visitor can use have reported the series. */
  readonly isPublic: boolean
}

/** Number of parts that exceed the limits. */
export interface ImpactExcess {
  readonly metrics: number
  readonly series: number
}

interface SeriesMinute extends ImpactMinute {
  readonly metricId: string
  readonly seriesId: string
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/**
 * Time without values after which a metric or series does not count toward its limit. Points of the metric or series
 * stay readable.
 */
const ACTIVE_MS = 7 * DAY_MS
/** Resolution of the last-seen times of metrics and series. */
const SEEN_MS = 60_000
/** Maximum number of stored series `other` of a metric, of all origins and bounds. Public sources may use half. */
const MAX_STORED_OTHERS = 4 * MAX_OTHERS

/** Time of a write, and the limits on active metrics of an environment and on active series of a metric. */
export interface ImpactWriteRules {
  readonly now: number
  readonly limits: ImpactBounds
}

/**
 * Adds values to the stored minutes, in the transaction of the caller. Several nodes may add to the same row. Rows are
 * locked in the order of their keys, so that no value is lost and no deadlock occurs.
 */
export async function addImpactMinutes(
  tx: Tx,
  minutes: readonly ImpactMinute[],
  { now, limits }: ImpactWriteRules,
): Promise<ImpactExcess> {
  const identified = minutes.map(identify)
  const metrics = await admitMetrics(tx, identified, { now, limits })
  await putMetrics(tx, metrics.admitted, now)
  const valued = metrics.admitted.filter(({ values }) => values.length > 0)
  const series = await admitSeries(tx, valued, { now, limits })
  await putSeries(tx, series.admitted, now)
  await addPoints(tx, series.admitted)
  return { metrics: metrics.refused, series: series.refused }
}

interface Admitted {
  readonly admitted: readonly SeriesMinute[]
  readonly refused: number
}

function identify(minute: ImpactMinute): SeriesMinute {
  const projects = capSources(minute.projects)
  const { environment, type, name, labels, bounds } = minute
  const metricId = hash([environment, type, name, projects])
  return { ...minute, projects, metricId, seriesId: hash([metricId, labels, bounds]) }
}

function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}

/** Numbers of stored items. */
type Counts = { -readonly [K in keyof UsedRoom]: UsedRoom[K] }

/** If an environment has reached its limit of metrics, drops its new metrics. */
async function admitMetrics(
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
 * If a metric has reached its limit of series, adds the values of its new series to the series `other` of their origin,
 * and drops new series `other` above their limit.
 */
async function admitSeries(tx: Tx, minutes: readonly SeriesMinute[], rules: ImpactWriteRules): Promise<Admitted> {
  const others = new Map(minutes.map((minute) => [minute, toOther(minute)]))
  const known = new Set<string>()
  const ids = [...minutes, ...others.values()].map(({ seriesId }) => seriesId)
  for (const part of chunks([...new Set(ids)])) {
    const rows = await tx.selectFrom('impact_series').select('id').where('id', 'in', part).execute()
    for (const { id } of rows) known.add(id)
  }
  const fresh = minutes.filter(({ seriesId }) => !known.has(seriesId))
  const used = await countActiveSeries(tx, new Set(fresh.map(({ metricId }) => metricId)), rules.now)
  const { series: limit } = rules.limits
  const reserve = ({ metricId, seriesId, isPublic }: SeriesMinute, most: number) => {
    if (known.has(seriesId)) return true
    const counts = used.get(metricId)
    if (counts === undefined || !hasRoom(counts, most, isPublic)) return false
    known.add(seriesId)
    count(counts, isPublic)
    return true
  }
  let refused = 0
  const admitted: SeriesMinute[] = []
  for (const minute of minutes) {
    const other = others.get(minute)
    const isOther = other?.seriesId === minute.seriesId
    if (!isOther && reserve(minute, limit)) {
      admitted.push(minute)
      continue
    }
    if (!isOther) refused += 1
    if (other === undefined) continue
    // values of the series `other` are of any number of series, so there is room for them above the limit
    const room = minute.isPublic ? MAX_STORED_OTHERS / 2 : MAX_STORED_OTHERS
    if (reserve(other, limit + room)) admitted.push(other)
    else if (isOther) refused += 1
  }
  return { admitted, refused }
}

function toOther(minute: SeriesMinute): SeriesMinute {
  const labels = toOtherLabels(minute.labels)
  return { ...minute, labels, seriesId: hash([minute.metricId, labels, minute.bounds]) }
}

/** Returns how many series each metric has. */
async function countActiveSeries(tx: Tx, metrics: ReadonlySet<string>, now: number): Promise<Map<string, Counts>> {
  const used = new Map([...metrics].map((id): [string, Counts] => [id, { all: 0, public: 0 }]))
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
      .groupBy('metric_id')
      .execute()
    for (const { metric_id, ...counts } of rows) {
      used.set(metric_id, { all: Number(counts.all), public: Number(counts.public ?? 0) })
    }
  }
  return used
}

async function putMetrics(tx: Tx, minutes: readonly SeriesMinute[], now: number): Promise<void> {
  const rows = [...Map.groupBy(minutes, ({ metricId }) => metricId)].flatMap(([id, parts]) => {
    const last = parts.at(-1)
    if (last === undefined) return []
    const { environment, type, name, projects, help } = last
    const source_projects = JSON.stringify(projects)
    const is_public = Number(parts.every((part) => part.isPublic))
    return [{ id, environment, type, name, source_projects, help, first_seen_at: now, last_seen_at: now, is_public }]
  })
  for (const part of chunks(sortById(rows))) {
    await tx
      .insertInto('impact_metrics')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(({ ref, eb }) => ({
            help: ref('excluded.help'),
            last_seen_at: now,
            is_public: eb('impact_metrics.is_public', '*', ref('excluded.is_public')),
          }))
          .where(({ or, eb, ref }) =>
            or([
              eb('impact_metrics.last_seen_at', '<=', now - SEEN_MS),
              eb('impact_metrics.is_public', '>', ref('excluded.is_public')),
            ]),
          ),
      )
      .execute()
  }
}

async function putSeries(tx: Tx, minutes: readonly SeriesMinute[], now: number): Promise<void> {
  const rows = [...Map.groupBy(minutes, ({ seriesId }) => seriesId)].flatMap(([id, parts]) => {
    const [first] = parts
    if (first === undefined) return []
    const { metricId, labels, bounds } = first
    const is_public = Number(parts.every((part) => part.isPublic))
    return [
      {
        id,
        metric_id: metricId,
        labels: JSON.stringify(labels),
        bounds: JSON.stringify(bounds),
        last_seen_at: now,
        is_public,
      },
    ]
  })
  for (const part of chunks(sortById(rows))) {
    await tx
      .insertInto('impact_series')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ last_seen_at: now })
          .where('impact_series.last_seen_at', '<=', now - SEEN_MS),
      )
      .execute()
  }
}

/** Minutes of a series within one stored row. */
interface RowMinutes {
  readonly series_id: string
  readonly start: number
  readonly minutes: SeriesMinute[]
}

async function addPoints(tx: Tx, minutes: readonly SeriesMinute[]): Promise<void> {
  const rows = groupByRow(minutes)
  for (const part of chunks([...rows.values()])) {
    const keys = part.map(({ series_id, start }) => ({ series_id, step: MINUTES.step, start }))
    await tx
      .insertInto('impact_points')
      .values(keys.map((row) => ({ ...row, packed: '' })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const stored = await readLocked(tx, part)
    const values = part.map((row) => ({
      series_id: row.series_id,
      step: MINUTES.step,
      start: row.start,
      packed: addToRow(row, stored.get(`${row.series_id} ${row.start}`) ?? ''),
    }))
    await tx
      .insertInto('impact_points')
      .values(values)
      .onConflict((conflict) =>
        conflict.columns(['series_id', 'step', 'start']).doUpdateSet(({ ref }) => ({ packed: ref('excluded.packed') })),
      )
      .execute()
  }
}

function groupByRow(minutes: readonly SeriesMinute[]): ReadonlyMap<string, RowMinutes> {
  const sorted = minutes.toSorted((a, b) => compareText(a.seriesId, b.seriesId) || a.minute - b.minute)
  const rows = new Map<string, RowMinutes>()
  for (const minute of sorted) {
    const start = minute.minute - (minute.minute % MINUTES.span)
    const key = `${minute.seriesId} ${start}`
    const row = rows.get(key) ?? { series_id: minute.seriesId, start, minutes: [] }
    rows.set(key, row)
    row.minutes.push(minute)
  }
  return rows
}

/** Returns the stored data by series and start. PostgreSQL locks the rows; SQLite has only one writer. */
async function readLocked(tx: Tx, rows: readonly RowMinutes[]): Promise<ReadonlyMap<string, string>> {
  const query = tx
    .selectFrom('impact_points')
    .select(['series_id', 'start', 'packed'])
    .where('step', '=', MINUTES.step)
    .where('series_id', 'in', [...new Set(rows.map(({ series_id }) => series_id))])
    .where('start', 'in', [...new Set(rows.map(({ start }) => start))])
    .orderBy('series_id')
    .orderBy('start')
  const found = await (isSqlite(tx) ? query : query.forUpdate()).execute()
  return new Map(found.map(({ series_id, start, packed }) => [`${series_id} ${Number(start)}`, packed]))
}

function addToRow({ start, minutes }: RowMinutes, stored: string): string {
  const { type, bounds } = minutes[0] ?? { type: 'counter', bounds: [] }
  const columns = createColumns(getWidth(type, bounds.length), MINUTES)
  addPacked(columns, stored)
  for (const { minute, values } of minutes) {
    const slot = (minute - start) / MINUTES.step
    for (const [index, value] of values.entries()) {
      const column = columns[index]
      if (column !== undefined) column[slot] = (column[slot] ?? 0) + value
    }
  }
  return packColumns(columns)
}

function sortById<T extends { readonly id: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => compareText(a.id, b.id))
}
