import { compareText } from '@burgee/kit/compare-text'
import { type Selectable, sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Lifecycle stage that a flag has reached. */
export type StageRow = Selectable<Schema['feature_stages']>

/** Returns the stored stages of a flag, oldest first. */
export async function listStageRows(reader: Reader, feature: string): Promise<StageRow[]> {
  return (await readStagesOfFlags(reader, [feature])).get(feature) ?? []
}

/** Returns the stored stages of the given flags, by flag name, always with one query. */
export async function readStagesOfFlags(reader: Reader, names: readonly string[]): Promise<Map<string, StageRow[]>> {
  let query = reader.selectFrom('feature_stages').selectAll().orderBy('entered_at').orderBy('stage', 'desc')
  const [part = [], ...more] = chunks(names)
  // if many flags are given, reads the stages of all flags, because a flag has only two or three stages
  if (more.length === 0) query = query.where('feature_name', 'in', part)
  return Map.groupBy(await query.execute(), (row) => row.feature_name)
}

/**
 * Records lifecycle stages that flags have reached because SDKs requested the flags. A flag that SDKs request in a
 * non-production environment reaches `pre-live`; a flag that is on in a production environment reaches `live`. For each
 * stage, only the time at which it was first reached is stored. All nodes execute the statements in the same order, to
 * avoid deadlocks.
 */
export async function recordStages(tx: Tx, seen: ReadonlyMap<string, ReadonlySet<string>>, now: number): Promise<void> {
  for (const [environment, names] of [...seen].toSorted(([a], [b]) => compareText(a, b))) {
    for (const part of chunks([...names].toSorted(compareText))) {
      await tx
        .insertInto('feature_stages')
        .columns(['feature_name', 'stage', 'entered_at'])
        .expression((eb) =>
          eb
            .selectFrom('feature_environments as x')
            .innerJoin('environments as e', 'e.name', 'x.environment')
            .select((of) => [
              'x.feature_name',
              sql<StageRow['stage']>`case when e.type = 'production' then 'live' else 'pre-live' end`.as('stage'),
              of.cast<number>(of.val(now), 'bigint').as('entered_at'),
            ])
            .where('x.environment', '=', environment)
            .where('x.feature_name', 'in', part)
            .where((of) => of.or([of('e.type', '!=', 'production'), of('x.enabled', '=', 1)]))
            .orderBy('x.feature_name'),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
}
