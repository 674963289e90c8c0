import { createHash } from 'node:crypto'
import { compareText } from '@burgee/kit/compare-text'
import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
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
}

/** Limits on stored metrics. */
export interface StoredImpactLimits {
  /** Maximum number of metrics per environment. */
  readonly metrics: number
  /** Maximum number of series per metric. */
  readonly series: number
  /** Labels of the series that collects the values of all series above the limit. */
  readonly otherLabels: ImpactLabels
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

/**
 * Adds values to the stored minutes, in the transaction of the caller. Several nodes can add to the same row. Rows are
 * locked in the order of their keys, so that no value is lost and no deadlock occurs.
 */
export async function addImpactMinutes(
  tx: Tx,
  minutes: readonly ImpactMinute[],
  { now, limits }: { readonly now: number; readonly limits: StoredImpactLimits },
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

interface WriteRules {
  readonly now: number
  readonly limits: StoredImpactLimits
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

/** If an environment has reached its limit of metrics, drops its new metrics. */
async function admitMetrics(tx: Tx, minutes: readonly SeriesMinute[], { now, limits }: WriteRules): Promise<Admitted> {
  const known = new Set<string>()
  for (const part of chunks([...new Set(minutes.map(({ metricId }) => metricId))])) {
    const rows = await tx.selectFrom('impact_metrics').select('id').where('id', 'in', part).execute()
    for (const { id } of rows) known.add(id)
  }
  const room = new Map<string, number>()
  const refused = new Set<string>()
  for (const { metricId, environment } of minutes) {
    if (known.has(metricId) || refused.has(metricId)) continue
    const free = room.get(environment) ?? limits.metrics - (await countActiveMetrics(tx, environment, now))
    room.set(environment, Math.max(0, free - 1))
    if (free > 0) known.add(metricId)
    else refused.add(metricId)
  }
  return { admitted: minutes.filter(({ metricId }) => known.has(metricId)), refused: refused.size }
}

async function countActiveMetrics(tx: Tx, environment: string, now: number): Promise<number> {
  const row = await tx
    .selectFrom('impact_metrics')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('environment', '=', environment)
    .where('last_seen_at', '>=', now - ACTIVE_MS)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/**
 * If a metric has reached its limit of series, adds the values of its new series to the series that stands for all
 * further series.
 */
async function admitSeries(tx: Tx, minutes: readonly SeriesMinute[], { now, limits }: WriteRules): Promise<Admitted> {
  const known = new Set<string>()
  for (const part of chunks([...new Set(minutes.map(({ seriesId }) => seriesId))])) {
    const rows = await tx.selectFrom('impact_series').select('id').where('id', 'in', part).execute()
    for (const { id } of rows) known.add(id)
  }
  const fresh = minutes.filter(({ seriesId }) => !known.has(seriesId))
  const room = await readSeriesRoom(tx, new Set(fresh.map(({ metricId }) => metricId)), { now, limits })
  let refused = 0
  const admitted = minutes.map((minute) => {
    const { metricId, seriesId, bounds } = minute
    if (known.has(seriesId)) return minute
    const free = room.get(metricId) ?? 0
    if (free > 0) {
      known.add(seriesId)
      room.set(metricId, free - 1)
      return minute
    }
    refused += 1
    const labels = limits.otherLabels
    return { ...minute, labels, seriesId: hash([metricId, labels, bounds]) }
  })
  return { admitted, refused }
}

/** Returns the number of further series that each metric may have. */
async function readSeriesRoom(tx: Tx, metrics: ReadonlySet<string>, { now, limits }: WriteRules) {
  const room = new Map([...metrics].map((id) => [id, limits.series] as const))
  for (const part of chunks([...metrics])) {
    const rows = await tx
      .selectFrom('impact_series')
      .select(['metric_id', ({ fn }) => fn.countAll<number>().as('count')])
      .where('metric_id', 'in', part)
      .where('last_seen_at', '>=', now - ACTIVE_MS)
      .groupBy('metric_id')
      .execute()
    for (const { metric_id, count } of rows) room.set(metric_id, limits.series - Number(count))
  }
  return room
}

async function putMetrics(tx: Tx, minutes: readonly SeriesMinute[], now: number): Promise<void> {
  const rows = new Map(
    minutes.map(({ metricId: id, environment, type, name, projects, help }) => [
      id,
      {
        id,
        environment,
        type,
        name,
        source_projects: JSON.stringify(projects),
        help,
        first_seen_at: now,
        last_seen_at: now,
      },
    ]),
  )
  for (const part of chunks(sortById([...rows.values()]))) {
    await tx
      .insertInto('impact_metrics')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(({ ref }) => ({ help: ref('excluded.help'), last_seen_at: now }))
          .where('impact_metrics.last_seen_at', '<=', now - SEEN_MS),
      )
      .execute()
  }
}

async function putSeries(tx: Tx, minutes: readonly SeriesMinute[], now: number): Promise<void> {
  const rows = new Map(
    minutes.map(({ seriesId: id, metricId, labels, bounds }) => [
      id,
      {
        id,
        metric_id: metricId,
        labels: JSON.stringify(labels),
        bounds: JSON.stringify(bounds),
        last_seen_at: now,
      },
    ]),
  )
  for (const part of chunks(sortById([...rows.values()]))) {
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
