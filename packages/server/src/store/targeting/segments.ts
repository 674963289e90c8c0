import type { Selectable } from 'kysely'
import { chunks } from '../chunks.ts'
import type { Reader, Schema } from '../database.ts'
import { USE_COLUMNS } from './strategy-types.ts'

/** A row of the table of segments. */
export type SegmentRow = Selectable<Schema['segments']>

/** A segment by id. */
export function segmentById(reader: Reader, id: number): Promise<SegmentRow | undefined> {
  return reader.selectFrom('segments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Those of these segments that are there, by id. */
export async function segmentsWithIds(reader: Reader, ids: readonly number[]): Promise<SegmentRow[]> {
  const found: SegmentRow[] = []
  for (const part of chunks(ids)) {
    found.push(...(await reader.selectFrom('segments').selectAll().where('id', 'in', part).orderBy('id').execute()))
  }
  return found
}

/** All segments by id. */
export function listSegments(reader: Reader): Promise<SegmentRow[]> {
  return reader.selectFrom('segments').selectAll().orderBy('id').execute()
}

/** The project of each of these segments that is there, null for that of all, by id. */
export async function projectsOfSegments(reader: Reader, ids: readonly number[]): Promise<Map<number, string | null>> {
  const found = new Map<number, string | null>()
  for (const part of chunks(ids)) {
    const rows = await reader.selectFrom('segments').select(['id', 'project']).where('id', 'in', part).execute()
    for (const { id, project } of rows) found.set(id, project)
  }
  return found
}

/** The constraints of each of these segments that is there, by id. */
export async function constraintsOfSegments(reader: Reader, ids: readonly number[]) {
  const found = new Map<number, SegmentRow['constraints']>()
  for (const part of chunks(ids)) {
    const rows = await reader.selectFrom('segments').select(['id', 'constraints']).where('id', 'in', part).execute()
    for (const { id, constraints } of rows) found.set(id, constraints)
  }
  return found
}

/** Where segments are used: flags and their projects, once each, of all segments or of one. */
export async function segmentUses(
  reader: Reader,
  id?: number,
): Promise<{ segment: number; feature: string; project: string }[]> {
  let query = reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select(['x.segment_id as segment', 'f.name as feature', 'f.project'])
    .distinct()
  if (id !== undefined) query = query.where('x.segment_id', '=', id)
  return query.orderBy('f.name').execute()
}

/** Strategies that use a segment, by flag and environment. */
export async function strategiesUsing(reader: Reader, id: number) {
  return reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select(USE_COLUMNS)
    .where('x.segment_id', '=', id)
    .orderBy('f.name')
    .orderBy('s.environment')
    .orderBy('s.id')
    .execute()
}

/** Where strategies of flags that are not archived use a segment, each place once. */
export async function livePlacesUsing(reader: Reader, id: number): Promise<{ project: string; environment: string }[]> {
  return reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select(['f.project', 's.environment'])
    .distinct()
    .where('x.segment_id', '=', id)
    .where('f.archived_at', 'is', null)
    .execute()
}

/** Segments of a strategy by id; undefined when there is no such strategy, or in one of the hidden projects. */
export async function segmentsOfStrategy(
  reader: Reader,
  strategyId: string,
  hidden: readonly string[] = [],
): Promise<SegmentRow[] | undefined> {
  const strategy = await reader
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select('f.project')
    .where('s.id', '=', strategyId)
    .executeTakeFirst()
  if (strategy === undefined || hidden.includes(strategy.project)) return undefined
  return reader
    .selectFrom('segments as g')
    .innerJoin('feature_strategy_segments as x', 'x.segment_id', 'g.id')
    .selectAll('g')
    .where('x.strategy_id', '=', strategyId)
    .orderBy('g.id')
    .execute()
}
