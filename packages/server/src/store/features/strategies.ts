import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { Reader, Tx } from '../database.ts'

const LAST_SORT_ORDER = 1_000_000

/** A strategy with the ids of its segments. */
export interface StrategyRow {
  id: string
  feature_name: string
  environment: string
  name: string
  title: string | null
  disabled: number
  parameters: Record<string, string>
  constraints: Constraint[]
  variants: VariantDefinition[]
  sort_order: number
  created_at: number
  segments: number[]
}

/** Strategies of a flag, of all environments or of one, in their order. */
export async function strategiesOf(reader: Reader, featureName: string, environment?: string): Promise<StrategyRow[]> {
  let query = reader.selectFrom('feature_strategies').selectAll().where('feature_name', '=', featureName)
  if (environment !== undefined) query = query.where('environment', '=', environment)
  const rows = await query.orderBy('sort_order').orderBy('created_at').orderBy('id').execute()
  const segments = await segmentsOf(reader, featureName)
  return rows.map((row) => ({ ...row, segments: segments.get(row.id) ?? [] }))
}

/** Segment ids by strategy id, of all strategies of a flag. */
async function segmentsOf(reader: Reader, featureName: string): Promise<Map<string, number[]>> {
  const rows = await reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .select(['x.strategy_id', 'x.segment_id'])
    .where('s.feature_name', '=', featureName)
    .orderBy('x.segment_id')
    .execute()
  const found = new Map<string, number[]>()
  for (const row of rows) found.set(row.strategy_id, [...(found.get(row.strategy_id) ?? []), row.segment_id])
  return found
}

/**
 * Adds a strategy and its references to segments, behind those of the same order: its time is after theirs, also when
 * they were added within a millisecond or by a server whose clock is ahead.
 */
export async function insertStrategy(tx: Tx, row: StrategyRow): Promise<void> {
  const { segments, ...columns } = row
  const last = await tx
    .selectFrom('feature_strategies')
    .select(({ fn }) => fn.max<number | null>('created_at').as('at'))
    .where('feature_name', '=', row.feature_name)
    .where('environment', '=', row.environment)
    .executeTakeFirst()
  const created_at = Math.max(row.created_at, (last?.at ?? 0) + 1)
  await tx
    .insertInto('feature_strategies')
    .values({ ...columns, ...jsonOf(row), created_at })
    .execute()
  await insertSegments(tx, row.id, segments)
}

/** Where a strategy comes that is added behind the others: 0, 1, 2 …, and at the very end 1,000,000 again. */
export async function nextSortOrder(
  reader: Reader,
  { feature, environment }: { readonly feature: string; readonly environment: string },
): Promise<number> {
  const last = await reader
    .selectFrom('feature_strategies')
    .select(({ fn }) => fn.max<number | null>('sort_order').as('order'))
    .where('feature_name', '=', feature)
    .where('environment', '=', environment)
    .executeTakeFirst()
  return Math.min((last?.order ?? -1) + 1, LAST_SORT_ORDER)
}

/** Replaces everything of a strategy but its id, flag, environment and time of creation. */
export async function updateStrategy(tx: Tx, row: StrategyRow): Promise<void> {
  const { name, title, disabled, sort_order } = row
  await tx
    .updateTable('feature_strategies')
    .set({ name, title, disabled, sort_order, ...jsonOf(row) })
    .where('id', '=', row.id)
    .execute()
  await tx.deleteFrom('feature_strategy_segments').where('strategy_id', '=', row.id).execute()
  await insertSegments(tx, row.id, row.segments)
}

/** Removes a strategy and its references to segments. */
export async function deleteStrategy(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('feature_strategies').where('id', '=', id).execute()
}

async function insertSegments(tx: Tx, strategyId: string, segments: readonly number[]): Promise<void> {
  if (segments.length === 0) return
  await tx
    .insertInto('feature_strategy_segments')
    .values(segments.map((id) => ({ strategy_id: strategyId, segment_id: id })))
    .execute()
}

function jsonOf({ parameters, constraints, variants }: StrategyRow) {
  return {
    parameters: JSON.stringify(parameters),
    constraints: JSON.stringify(constraints),
    variants: JSON.stringify(variants),
  }
}
