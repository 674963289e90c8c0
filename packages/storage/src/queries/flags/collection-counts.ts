import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'

/** Number of strategies of a flag in an environment. */
export interface StrategyCount {
  readonly feature: string
  readonly environment: string
  readonly count: number
}

/** Counts the strategies of flags by environment. */
export async function countStrategies(reader: Reader, features: readonly string[]): Promise<StrategyCount[]> {
  const found: StrategyCount[] = []
  for (const part of chunks(features)) {
    const rows = await reader
      .selectFrom('feature_strategies')
      .select(['feature_name', 'environment', ({ fn }) => fn.countAll<number>().as('count')])
      .where('feature_name', 'in', part)
      .groupBy(['feature_name', 'environment'])
      .execute()
    for (const row of rows) {
      found.push({ feature: row.feature_name, environment: row.environment, count: Number(row.count) })
    }
  }
  return found
}

/** Counts the tags of flags, by flag name. */
export async function countTagsOfFeatures(reader: Reader, features: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const part of chunks(features)) {
    const rows = await reader
      .selectFrom('feature_tags')
      .select(['feature_name', ({ fn }) => fn.countAll<number>().as('count')])
      .where('feature_name', 'in', part)
      .groupBy('feature_name')
      .execute()
    for (const row of rows) found.set(row.feature_name, Number(row.count))
  }
  return found
}

/** Tables whose number of rows is limited for the whole installation. */
export type CountedTable = Extract<
  keyof Schema,
  'api_tokens' | 'context_fields' | 'environments' | 'segments' | 'strategy_types' | 'tag_types' | 'tags'
>

/** Counts the rows of a table. */
export async function countRows(reader: Reader, table: CountedTable): Promise<number> {
  const row = await reader
    .selectFrom(table as 'tags')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
