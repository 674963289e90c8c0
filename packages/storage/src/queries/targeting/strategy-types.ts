import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Row of the table of strategy types. */
export type StrategyTypeRow = Selectable<Schema['strategy_types']>

/** Columns that identify the place of a strategy (table `s`) of a flag (table `f`), named as in the API. */
export const USE_COLUMNS = [
  's.id',
  'f.project as projectId',
  'f.name as featureName',
  's.name as strategyName',
  's.environment',
] as const

/** Lists all strategy types: first the built-in types, then the custom types, sorted by name. */
export function listStrategyTypes(reader: Reader): Promise<StrategyTypeRow[]> {
  return reader.selectFrom('strategy_types').selectAll().orderBy('sort_order').orderBy('name').execute()
}

/** Returns a strategy type by name. */
export function findStrategyType(reader: Reader, name: string): Promise<StrategyTypeRow | undefined> {
  return reader.selectFrom('strategy_types').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Returns true if a strategy type exists, deprecated or not. */
export async function hasStrategyType(reader: Reader, name: string): Promise<boolean> {
  return (await findStrategyType(reader, name)) !== undefined
}

/** Updates all columns of a strategy type except its name. */
export async function updateStrategyTypeRow(tx: Tx, { name, parameters, ...columns }: StrategyTypeRow): Promise<void> {
  await tx
    .updateTable('strategy_types')
    .set({ ...columns, parameters: JSON.stringify(parameters) })
    .where('name', '=', name)
    .execute()
}

/** Returns the strategies of a given type, sorted by flag and environment. Includes strategies of archived flags. */
export function listStrategiesOfType(reader: Reader, name: string) {
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

/** Returns at most `limit` flags that have a strategy of the given type. Includes archived flags. */
export function listFlagsWithStrategy(
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
