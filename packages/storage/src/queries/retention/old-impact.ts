import { sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Tx } from '../../database.ts'
import {
  addPacked,
  createColumns,
  foldPacked,
  getWidth,
  MINUTES,
  MINUTES_KEPT_MS,
  packColumns,
  QUARTERS,
  QUARTERS_KEPT_MS,
  type Resolution,
  THREE_HOURS,
} from '../impact/impact-points.ts'
import { BATCH_ROWS } from './deletion-batch.ts'

/**
 * Replaces points before a time (in milliseconds since 1970) at one resolution (`from`) by points at a coarser
 * resolution (`to`).
 */
export interface ImpactFold {
  readonly from: Resolution
  readonly to: Resolution
  readonly before: number
}

/**
 * Returns the folds that are due: points are stored at a resolution of one minute for two days, then of 15 minutes
 * until they are two weeks old, and then of three hours.
 */
export function listImpactFolds(now: number): ImpactFold[] {
  return [
    { from: MINUTES, to: QUARTERS, before: now - MINUTES_KEPT_MS },
    { from: QUARTERS, to: THREE_HOURS, before: now - QUARTERS_KEPT_MS },
  ]
}

/**
 * Replaces rows of points that end before a time by rows with points at a coarser resolution. Processes one batch.
 * Returns true if more rows may remain.
 */
export async function foldImpact(tx: Tx, { from, to, before }: ImpactFold): Promise<boolean> {
  const rows = await tx
    .selectFrom('impact_points as p')
    .innerJoin('impact_series as s', 's.id', 'p.series_id')
    .innerJoin('impact_metrics as m', 'm.id', 's.metric_id')
    .select(['p.series_id', 'p.start', 'p.packed', 'm.type', 's.bounds'])
    .where('p.step', '=', from.step)
    .where('p.start', '<=', before - from.span)
    .orderBy('p.step')
    .orderBy('p.start')
    .limit(BATCH_ROWS)
    .execute()
  if (rows.length === 0) return false
  const targets = Map.groupBy(rows, (row) => {
    const start = Number(row.start)
    return JSON.stringify([row.series_id, start - (start % to.span)])
  })
  for (const [key, sources] of targets) {
    const [series_id, start] = JSON.parse(key) as [string, number]
    const { type, bounds } = sources[0] ?? { type: 'counter', bounds: [] }
    const width = getWidth(type, bounds.length)
    const stored = await tx
      .selectFrom('impact_points')
      .select('packed')
      .where('series_id', '=', series_id)
      .where('step', '=', to.step)
      .where('start', '=', start)
      .executeTakeFirst()
    const target = { ...to, start, columns: createColumns(width, to) }
    addPacked(target.columns, stored?.packed ?? '')
    for (const source of sources) {
      foldPacked(target, { ...from, start: Number(source.start), packed: source.packed }, type)
    }
    const packed = packColumns(target.columns)
    await tx
      .insertInto('impact_points')
      .values({ series_id, step: to.step, start, packed })
      .onConflict((conflict) => conflict.columns(['series_id', 'step', 'start']).doUpdateSet({ packed }))
      .execute()
  }
  await removeRows(tx, from, rows)
  return true
}

async function removeRows(
  tx: Tx,
  { step }: Resolution,
  rows: readonly { readonly series_id: string; readonly start: number }[],
): Promise<void> {
  for (const [start, part] of Map.groupBy(rows, (row) => row.start)) {
    for (const some of chunks(part)) {
      await tx
        .deleteFrom('impact_points')
        .where('step', '=', step)
        .where('start', '=', start)
        .where(
          'series_id',
          'in',
          some.map(({ series_id }) => series_id),
        )
        .execute()
    }
  }
}

/** Deletes a batch of rows of points that end before a time. Returns true if more rows may remain. */
export async function removeImpactPoints(tx: Tx, { step, span }: Resolution, before: number): Promise<boolean> {
  const key = sql`series_id, step, start`
  const row = await tx
    .selectFrom('impact_points')
    .select('start')
    .where('step', '=', step)
    .where('start', '<=', before - span)
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return false
  await sql`delete from impact_points where (${key}) in (select ${key} from impact_points
    where step = ${step} and start <= ${before - span} limit ${sql.lit(BATCH_ROWS)})`.execute(tx)
  return true
}

/** Deletes a batch of series and metrics that have no points and were not reported since a time. */
export async function removeUnseenImpact(tx: Tx, before: number): Promise<boolean> {
  const series = await tx
    .selectFrom('impact_series as s')
    .select('s.id')
    .where('s.last_seen_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('impact_points as p').select('p.series_id').whereRef('p.series_id', '=', 's.id'))),
    )
    .limit(BATCH_ROWS)
    .execute()
  const metrics = await tx
    .selectFrom('impact_metrics as m')
    .select('m.id')
    .where('m.last_seen_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('impact_series as s').select('s.id').whereRef('s.metric_id', '=', 'm.id'))),
    )
    .limit(BATCH_ROWS)
    .execute()
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  if (series.length > 0) await tx.deleteFrom('impact_series').where('id', 'in', ids(series)).execute()
  if (metrics.length > 0) await tx.deleteFrom('impact_metrics').where('id', 'in', ids(metrics)).execute()
  return series.length + metrics.length > 0
}
