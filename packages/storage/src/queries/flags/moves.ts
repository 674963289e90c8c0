import type { Reader, Tx } from '../../database.ts'

/**
 * Returns the segments that prevent a flag from moving to a project: segments of other projects that strategies of the
 * flag use.
 */
export function listBlockingSegments(reader: Reader, feature: string, project: string): Promise<{ name: string }[]> {
  return reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .innerJoin('segments as g', 'g.id', 'x.segment_id')
    .select('g.name')
    .distinct()
    .where('s.feature_name', '=', feature)
    .where('g.project', 'is not', null)
    .where('g.project', '!=', project)
    .orderBy('g.name')
    .execute()
}

/**
 * Moves a flag to another project. The flag keeps its state in environments that both projects use. In the other
 * environments of the new project, the flag is disabled; it is removed from environments that the new project does not
 * use.
 */
export async function moveFeatureTo(
  tx: Tx,
  { feature, project, environments }: { feature: string; project: string; environments: readonly string[] },
): Promise<void> {
  await tx.updateTable('features').set({ project }).where('name', '=', feature).execute()
  const own = () => tx.deleteFrom('feature_environments').where('feature_name', '=', feature)
  if (environments.length === 0) {
    await own().execute()
    return
  }
  await own().where('environment', 'not in', environments).execute()
  await tx
    .insertInto('feature_environments')
    .values(environments.map((environment) => ({ feature_name: feature, environment, enabled: 0, variants: '[]' })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
