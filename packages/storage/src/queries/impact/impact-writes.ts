import { compareText } from '@burgee/kit/compare-text'
import { chunks } from '../../chunks.ts'
import type { Tx } from '../../database.ts'
import { isSqlite } from '../../dialect.ts'
import { admitMetrics, admitSeries, type ImpactWriteRules } from './impact-admission.ts'
import { type ImpactMinute, identify, type SeriesMinute } from './impact-minutes.ts'
import { addPacked, createColumns, getWidth, MINUTES, packColumns } from './impact-points.ts'

/** Numbers of metrics and series that exceed the limits. */
export interface ImpactExcess {
  readonly metrics: number
  readonly series: number
}

/** Precision, in milliseconds, with which the last-seen times of metrics and series are stored. */
export const SEEN_MS = 60_000

/**
 * Adds values to stored minutes, in the transaction of the caller. Several nodes can add to the same row: rows are
 * locked so that no value is lost, and locked in key order to avoid deadlocks.
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

/** Minutes of a series that belong to the same stored row. */
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

/**
 * Returns the stored packed columns, keyed by series and start time. PostgreSQL locks the rows; SQLite has only one
 * writer.
 */
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
