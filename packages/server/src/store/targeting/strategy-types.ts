import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../database.ts'

/** A type of strategy. */
export type StrategyTypeRow = Selectable<Schema['strategy_types']>

/** What tells where a strategy is, of strategies `s` and their flags `f`, as the wire names it. */
export const USE_COLUMNS = [
  's.id',
  'f.project as projectId',
  'f.name as featureName',
  's.name as strategyName',
  's.environment',
] as const

/** All types of strategies: the built-in ones, then people's own by name. */
export function listStrategyTypes(reader: Reader): Promise<StrategyTypeRow[]> {
  return reader.selectFrom('strategy_types').selectAll().orderBy('sort_order').orderBy('name').execute()
}

/** A type of strategy by name. */
export function strategyTypeNamed(reader: Reader, name: string): Promise<StrategyTypeRow | undefined> {
  return reader.selectFrom('strategy_types').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Whether there is such a type of strategy, deprecated or not. */
export async function strategyTypeExists(reader: Reader, name: string): Promise<boolean> {
  return (await strategyTypeNamed(reader, name)) !== undefined
}

/** Writes everything of a type of strategy but its name. */
export async function updateStrategyTypeRow(tx: Tx, { name, parameters, ...columns }: StrategyTypeRow): Promise<void> {
  await tx
    .updateTable('strategy_types')
    .set({ ...columns, parameters: JSON.stringify(parameters) })
    .where('name', '=', name)
    .execute()
}

/** Strategies of a type, by flag and environment; those of archived flags too. */
export function strategiesOfType(reader: Reader, name: string) {
  return reader
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select(USE_COLUMNS)
    .where('s.name', '=', name)
    .orderBy('f.name')
    .orderBy('s.environment')
    .orderBy('s.id')
    .execute()
}

/** Flags that have a strategy of a type, archived ones too; at most `limit`. */
export function flagsWithStrategy(
  reader: Reader,
  name: string,
  limit: number,
): Promise<{ readonly name: string; readonly project: string }[]> {
  return reader
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select(['f.name', 'f.project'])
    .distinct()
    .where('s.name', '=', name)
    .orderBy('f.name')
    .limit(limit)
    .execute()
}
