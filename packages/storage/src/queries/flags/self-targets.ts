import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import { defineStatement, type Placeholders } from '../../statement.ts'

/** Stored override of one user. */
export type SelfTargetRow = Selectable<Schema['self_targets']>

/** Override that has expired, with the strategy that implements it. */
export interface ExpiredSelfTarget {
  readonly id: string
  readonly project: string
  readonly feature: string
  readonly environment: string
}

/** Lists the overrides of a flag in an environment; the first to expire comes first. */
export function listSelfTargets(
  reader: Reader,
  { feature, environment }: { readonly feature: string; readonly environment: string },
): Promise<SelfTargetRow[]> {
  return reader
    .selectFrom('self_targets as t')
    .innerJoin('feature_strategies as s', 's.id', 't.strategy_id')
    .selectAll('t')
    .where('s.feature_name', '=', feature)
    .where('s.environment', '=', environment)
    .orderBy('t.expires_at')
    .orderBy('t.strategy_id')
    .execute()
}

/** Returns the ids of the strategies that are overrides of a flag, in all environments. */
export async function listOverrideIds(reader: Reader, feature: string): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('self_targets as t')
    .innerJoin('feature_strategies as s', 's.id', 't.strategy_id')
    .select('t.strategy_id')
    .where('s.feature_name', '=', feature)
    .execute()
  return new Set(rows.map((row) => row.strategy_id))
}

/** Returns the ids of overrides among the given ids of strategies. */
export async function listOverridesAmong(reader: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const part of chunks(ids)) {
    for (const { strategy_id: id } of await readOverridesAmong(reader, { ids: part })) found.add(id)
  }
  return found
}

const readOverridesAmong = defineStatement(
  (reader, at: Placeholders<{ readonly ids: readonly string[] }>, ids: number) =>
    reader.selectFrom('self_targets').select('strategy_id').where('strategy_id', 'in', at.each('ids', ids)),
  ({ ids }) => [ids.length],
)

/** Inserts an override. */
export async function insertSelfTarget(tx: Tx, row: SelfTargetRow): Promise<void> {
  await tx.insertInto('self_targets').values(row).execute()
}

/** Lists expired overrides of flags that are not archived. */
export function listExpiredSelfTargets(reader: Reader, now: number, limit: number): Promise<ExpiredSelfTarget[]> {
  return selectLive(reader)
    .select(['t.strategy_id as id', 'f.project', 's.feature_name as feature', 's.environment'])
    .where('t.expires_at', '<=', now)
    .orderBy('t.expires_at')
    .orderBy('t.strategy_id')
    .limit(limit)
    .execute()
}

/** Returns the time at which the next override expires; undefined if there is none. */
export async function findNextExpiry(reader: Reader): Promise<number | undefined> {
  const row = await selectLive(reader)
    .select(({ fn }) => fn.min<number | null>('t.expires_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? undefined
}

function selectLive(reader: Reader) {
  return reader
    .selectFrom('self_targets as t')
    .innerJoin('feature_strategies as s', 's.id', 't.strategy_id')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .where('f.archived_at', 'is', null)
}
