import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'
import { USE_COLUMNS } from './strategy-types.ts'

/** Row of the segment table. */
export type SegmentRow = Selectable<Schema['segments']>

/** Returns a segment by id. */
export function findSegment(reader: Reader, id: number): Promise<SegmentRow | undefined> {
  return reader.selectFrom('segments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the segments with the given ids, sorted by id. Omits unknown ids. */
export async function listSegmentsByIds(reader: Reader, ids: readonly number[]): Promise<SegmentRow[]> {
  const found: SegmentRow[] = []
  for (const part of chunks(ids)) {
    found.push(...(await reader.selectFrom('segments').selectAll().where('id', 'in', part).orderBy('id').execute()))
  }
  return found
}

/** Lists all segments, sorted by id. */
export function listSegments(reader: Reader): Promise<SegmentRow[]> {
  return reader.selectFrom('segments').selectAll().orderBy('id').execute()
}

/**
 * Returns the projects of the given segments, by segment id. Omits unknown segments. The project is null for a segment
 * that all projects can use.
 */
export async function readProjectsOfSegments(
  reader: Reader,
  ids: readonly number[],
): Promise<Map<number, string | null>> {
  const found = new Map<number, string | null>()
  for (const part of chunks(ids)) {
    const rows = await reader.selectFrom('segments').select(['id', 'project']).where('id', 'in', part).execute()
    for (const { id, project } of rows) found.set(id, project)
  }
  return found
}

/** Returns the constraints of the given segments, by segment id. Omits unknown segments. */
export async function readConstraintsOfSegments(reader: Reader, ids: readonly number[]) {
  const found = new Map<number, SegmentRow['constraints']>()
  for (const part of chunks(ids)) {
    const rows = await reader.selectFrom('segments').select(['id', 'constraints']).where('id', 'in', part).execute()
    for (const { id, constraints } of rows) found.set(id, constraints)
  }
  return found
}

/**
 * Returns the flags that use a segment, for all segments or for one. Each combination of flag and segment occurs once,
 * with the project of the flag.
 */
export async function listSegmentUses(
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

/** Returns the strategies that use a segment, sorted by flag and environment. */
export async function listStrategiesUsingSegment(reader: Reader, id: number) {
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

/**
 * Returns the combinations of project and environment in which flags use a segment, each once. Ignores archived flags.
 */
export async function listEnvironmentsUsingSegment(
  reader: Reader,
  id: number,
): Promise<{ project: string; environment: string }[]> {
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

/**
 * Returns the segments that a strategy, given by id, uses. Returns undefined if the strategy does not exist or belongs
 * to a hidden project.
 */
export async function findSegmentsOfStrategy(
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
