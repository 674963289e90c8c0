import { chunks } from '../../chunks.ts'
import type { Reader } from '../../database.ts'

/** Flag that is on in an environment without an enabled strategy. */
export interface EnabledWithoutStrategy {
  readonly feature: string
  readonly project: string
  readonly environment: string
  /**
   * True if the flag has strategies but all of them are disabled, in which case SDKs receive the flag as off. False if
   * the flag has no strategies, in which case it is on for everyone.
   */
  readonly hasStrategies: boolean
}

/** Returns all flags that are on without an enabled strategy, sorted by name and environment. Omits archived flags. */
export async function listEnabledWithoutStrategy(reader: Reader): Promise<EnabledWithoutStrategy[]> {
  return toEnabledWithoutStrategy(await selectEnabledWithoutStrategy(reader).execute())
}

/** Returns the given flags that are on without an enabled strategy. */
export async function listEnabledWithoutStrategyAmong(
  reader: Reader,
  features: readonly string[],
): Promise<EnabledWithoutStrategy[]> {
  const found: EnabledWithoutStrategy[] = []
  for (const part of chunks(features)) {
    found.push(
      ...toEnabledWithoutStrategy(
        await selectEnabledWithoutStrategy(reader).where('x.feature_name', 'in', part).execute(),
      ),
    )
  }
  return found
}

function selectEnabledWithoutStrategy(reader: Reader) {
  return reader
    .selectFrom('feature_environments as x')
    .innerJoin('features as f', 'f.name', 'x.feature_name')
    .leftJoin('feature_strategies as s', (join) =>
      join.onRef('s.feature_name', '=', 'x.feature_name').onRef('s.environment', '=', 'x.environment'),
    )
    .select(({ fn }) => ['x.feature_name', 'f.project', 'x.environment', fn.count<number>('s.id').as('strategies')])
    .where('x.enabled', '=', 1)
    .where('f.archived_at', 'is', null)
    .groupBy(['x.feature_name', 'f.project', 'x.environment'])
    .having(({ eb, fn }) => eb(fn.count('s.id').filterWhere('s.disabled', '=', 0), '=', 0))
    .orderBy('x.feature_name')
    .orderBy('x.environment')
}

type Row = Awaited<ReturnType<ReturnType<typeof selectEnabledWithoutStrategy>['execute']>>[number]

function toEnabledWithoutStrategy(rows: readonly Row[]): EnabledWithoutStrategy[] {
  return rows.map(({ feature_name: feature, project, environment, strategies }) => ({
    feature,
    project,
    environment,
    hasStrategies: Number(strategies) > 0,
  }))
}
