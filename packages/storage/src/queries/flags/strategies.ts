import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { Reader, Tx } from '../../database.ts'
import { defineStatement, type Placeholders } from '../../statement.ts'

const MAX_SORT_ORDER = 1_000_000

/** Strategy with the ids of its segments. */
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

/** Returns the strategies of a flag in evaluation order, either in all environments or in one. */
export async function listStrategies(
  reader: Reader,
  featureName: string,
  environment?: string,
): Promise<StrategyRow[]> {
  const environments = environment === undefined ? [] : [environment]
  const rows = await readRowsOfFeature(reader, { featureName, environments })
  const found: StrategyRow[] = []
  for (const { segment_id: segment, ...row } of rows) {
    const last = found.at(-1)
    // the query returns one row per segment, or one row if the strategy has no segment
    if (last?.id === row.id && segment !== null) last.segments.push(segment)
    else found.push({ ...row, segments: segment === null ? [] : [segment] })
  }
  return found
}

/**
 * Selects one row for each segment of each strategy of a flag. A strategy without segments has one row. If no
 * environments are given, selects the strategies of all environments.
 */
const readRowsOfFeature = defineStatement(
  (
    reader,
    at: Placeholders<{ readonly featureName: string; readonly environments: readonly string[] }>,
    environments: number,
  ) => {
    const query = reader
      .selectFrom('feature_strategies as s')
      .leftJoin('feature_strategy_segments as x', 'x.strategy_id', 's.id')
      .selectAll('s')
      .select('x.segment_id')
      .where('s.feature_name', '=', at('featureName'))
      .orderBy('s.sort_order')
      .orderBy('s.created_at')
      .orderBy('s.id')
      .orderBy('x.segment_id')
    return environments === 0 ? query : query.where('s.environment', 'in', at.each('environments', environments))
  },
  ({ environments }) => [environments.length],
)

/** Sort order and creation time that place a new strategy after the existing strategies of its flag and environment. */
export interface AppendPosition {
  /** Sort order: 0, 1, 2 and so on, up to 1,000,000. Several strategies can have the same sort order. */
  readonly sortOrder: number
  /**
   * Minimum creation time in milliseconds since 1970. The new creation time must be later than the creation time of
   * every existing strategy, even if that strategy was created in the same millisecond or on a node whose clock is
   * ahead.
   */
  readonly earliest: number
}

/** Returns the sort order and creation time for a strategy that is to follow all existing strategies. */
export async function readAppendPosition(
  reader: Reader,
  { feature, environment }: { readonly feature: string; readonly environment: string },
): Promise<AppendPosition> {
  const last = await reader
    .selectFrom('feature_strategies')
    .select(({ fn }) => [fn.max<number | null>('sort_order').as('order'), fn.max<number | null>('created_at').as('at')])
    .where('feature_name', '=', feature)
    .where('environment', '=', environment)
    .executeTakeFirst()
  return { sortOrder: Math.min((last?.order ?? -1) + 1, MAX_SORT_ORDER), earliest: (last?.at ?? 0) + 1 }
}

/** Inserts a strategy and its references to segments; `earliest` is the value that `readAppendPosition` returned. */
export async function insertStrategy(tx: Tx, row: StrategyRow, earliest: number): Promise<void> {
  const { segments, ...columns } = row
  const created_at = Math.max(row.created_at, earliest)
  await tx
    .insertInto('feature_strategies')
    .values({ ...columns, ...toJsonColumns(row), created_at })
    .execute()
  await insertSegments(tx, row.id, segments)
}

/** Replaces all columns of a strategy except id, flag, environment and creation time. */
export async function updateStrategy(tx: Tx, row: StrategyRow, before: StrategyRow): Promise<void> {
  const { name, title, disabled, sort_order } = row
  await tx
    .updateTable('feature_strategies')
    .set({ name, title, disabled, sort_order, ...toJsonColumns(row) })
    .where('id', '=', row.id)
    .execute()
  if (row.segments.join() === before.segments.join()) return
  await tx.deleteFrom('feature_strategy_segments').where('strategy_id', '=', row.id).execute()
  await insertSegments(tx, row.id, row.segments)
}

/** Deletes a strategy and its references to segments. */
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

function toJsonColumns({ parameters, constraints, variants }: StrategyRow) {
  return {
    parameters: JSON.stringify(parameters),
    constraints: JSON.stringify(constraints),
    variants: JSON.stringify(variants),
  }
}
