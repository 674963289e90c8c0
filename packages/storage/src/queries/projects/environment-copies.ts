import { chunks } from '../../chunks.ts'
import type { Reader, Tx } from '../../database.ts'
import type { StrategyRow } from '../flags/strategies.ts'
import { isLasting, listLastingStrategies } from '../transfer/feature-reads.ts'

/** Source and target environments of a copy, and the projects whose flags are copied. */
export interface EnvironmentCopy {
  readonly from: string
  readonly to: string
  readonly projects: readonly string[]
}

/** Number of flags whose strategies are in memory at the same time. */
const FLAGS_PER_BATCH = 100

/** Counts the strategies that the copy will create. */
export async function countStrategiesToCopy(reader: Reader, copy: EnvironmentCopy): Promise<number> {
  const row = await selectStrategies(reader, copy)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Copies the strategies of flags and their references to segments, in the same order and with new ids. */
export async function copyStrategies(tx: Tx, copy: EnvironmentCopy, newId: () => string): Promise<void> {
  const flags = await selectStrategies(tx, copy).select('s.feature_name').distinct().orderBy('s.feature_name').execute()
  const names = flags.map((row) => row.feature_name)
  for (const part of chunks(names, FLAGS_PER_BATCH)) {
    const rows = (await listLastingStrategies(tx, part, copy.from)).map((row) => ({
      ...row,
      id: newId(),
      environment: copy.to,
    }))
    await insertStrategies(tx, rows)
  }
}

function selectStrategies(reader: Reader, { from, projects }: EnvironmentCopy) {
  return reader
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .where('s.environment', '=', from)
    .where('f.project', 'in', projects)
    .where(isLasting)
}

async function insertStrategies(tx: Tx, rows: readonly StrategyRow[]): Promise<void> {
  for (const part of chunks(rows)) {
    const values = part.map(({ segments: _segments, parameters, constraints, variants, ...columns }) => ({
      ...columns,
      parameters: JSON.stringify(parameters),
      constraints: JSON.stringify(constraints),
      variants: JSON.stringify(variants),
    }))
    await tx.insertInto('feature_strategies').values(values).execute()
  }
  const uses = rows.flatMap(({ id, segments }) => segments.map((segment_id) => ({ strategy_id: id, segment_id })))
  for (const part of chunks(uses)) await tx.insertInto('feature_strategy_segments').values(part).execute()
}

/** Copies the variants of flags. */
export async function copyVariants(tx: Tx, { from, to, projects }: EnvironmentCopy): Promise<void> {
  await tx
    .updateTable('feature_environments')
    .set((eb) => ({
      variants: eb.fn.coalesce(
        eb
          .selectFrom('feature_environments as o')
          .select('o.variants')
          .whereRef('o.feature_name', '=', 'feature_environments.feature_name')
          .where('o.environment', '=', from),
        eb.ref('feature_environments.variants'),
      ) as never,
    }))
    .where('environment', '=', to)
    .where('feature_name', 'in', (eb) => eb.selectFrom('features').select('name').where('project', 'in', projects))
    .execute()
}

/**
 * Enables flags in the target environment if they are on in the source environment and have an enabled strategy in the
 * target environment. Returns the number of flags that were enabled, by project.
 */
export async function copyEnabledStates(tx: Tx, { from, to, projects }: EnvironmentCopy): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('feature_environments as x')
    .innerJoin('features as f', 'f.name', 'x.feature_name')
    .select(['f.name', 'f.project'])
    .where('x.environment', '=', from)
    .where('x.enabled', '=', 1)
    .where('f.archived_at', 'is', null)
    .where('f.project', 'in', projects)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('feature_strategies as s')
          .select('s.id')
          .whereRef('s.feature_name', '=', 'f.name')
          .where('s.environment', '=', to)
          .where('s.disabled', '=', 0),
      ),
    )
    .execute()
  for (const part of chunks(rows.map((row) => row.name))) {
    await tx
      .updateTable('feature_environments')
      .set({ enabled: 1 })
      .where('environment', '=', to)
      .where('feature_name', 'in', part)
      .execute()
  }
  return new Map([...Map.groupBy(rows, (row) => row.project)].map(([project, own]) => [project, own.length]))
}

/** Gives each role that has permissions in the source environment the same permissions in the target environment. */
export async function copyEnvironmentPermissions(
  tx: Tx,
  { from, to }: Pick<EnvironmentCopy, 'from' | 'to'>,
): Promise<void> {
  await tx
    .insertInto('role_permissions')
    .columns(['role_id', 'permission', 'environment'])
    .expression((eb) =>
      eb
        .selectFrom('role_permissions')
        .select(['role_id', 'permission', eb.cast<string>(eb.val(to), 'text').as('environment')])
        .where('environment', '=', from),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
