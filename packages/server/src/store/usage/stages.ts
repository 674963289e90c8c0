import { compareText } from '@burgee/kit/compare-text'
import { type Selectable, sql } from 'kysely'
import { chunks } from '../chunks.ts'
import type { Reader, Schema, Tx } from '../database.ts'

/** A stage that a flag has reached. */
export type StageRow = Selectable<Schema['feature_stages']>

/** Stages of a flag that are stored, by time. */
export async function stagesOf(reader: Reader, feature: string): Promise<StageRow[]> {
  return (await stagesOfFlags(reader, [feature])).get(feature) ?? []
}

/** The same of several flags, by flag; one query however many. */
export async function stagesOfFlags(reader: Reader, names: readonly string[]): Promise<Map<string, StageRow[]>> {
  let query = reader.selectFrom('feature_stages').selectAll().orderBy('entered_at').orderBy('stage', 'desc')
  const [part = [], ...more] = chunks(names)
  // of most flags all are read, which are two or three of each
  if (more.length === 0) query = query.where('feature_name', 'in', part)
  return Map.groupBy(await query.execute(), (row) => row.feature_name)
}

/**
 * Notes the stages that flags have reached by being asked for: `pre-live` where the environment is not for production,
 * `live` where it is and they are on there. A stage is reached once. Some statements for each environment, in an order
 * that all nodes share.
 */
export async function noteStages(tx: Tx, seen: ReadonlyMap<string, ReadonlySet<string>>, now: number): Promise<void> {
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
