import { sql } from 'kysely'
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

/** Flags that are on without an enabled strategy. */
export interface EnabledWithoutStrategyList {
  readonly total: number
  /** The first flags, sorted by name and environment. */
  readonly first: readonly EnabledWithoutStrategy[]
}

/**
 * Counts the flags that are on without an enabled strategy, and returns the first ones, because there can be as many as
 * flags times environments. Omits archived flags.
 */
export async function listEnabledWithoutStrategy(reader: Reader, limit: number): Promise<EnabledWithoutStrategyList> {
  const all = selectEnabledWithoutStrategy(reader)
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  if (Number(total) === 0) return { total: 0, first: [] }
  return {
    total: Number(total),
    first: toEnabledWithoutStrategy(await selectFlagEnvironments(reader, all).limit(limit).execute()),
  }
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
        await selectFlagEnvironments(
          reader,
          selectEnabledWithoutStrategy(reader).where('x.feature_name', 'in', part),
        ).execute(),
      ),
    )
  }
  return found
}

function selectEnabledWithoutStrategy(reader: Reader) {
  return reader
    .selectFrom('feature_environments as x')
    .innerJoin('features as f', 'f.name', 'x.feature_name')
    .where('x.enabled', '=', 1)
    .where('f.archived_at', 'is', null)
    .where(({ not, exists }) => not(exists(selectStrategies(reader).where('s.disabled', '=', 0))))
}

type FlagEnvironments = ReturnType<typeof selectEnabledWithoutStrategy>

const selectFlagEnvironments = (reader: Reader, environments: FlagEnvironments) =>
  environments
    .select(({ eb }) => [
      'x.feature_name',
      'f.project',
      'x.environment',
      eb
        .case()
        .when(eb.exists(selectStrategies(reader)))
        .then(1)
        .else(0)
        .end()
        .as('has_strategies'),
    ])
    .orderBy('x.feature_name')
    .orderBy('x.environment')

/** Selects the strategies of the flag and environment in the row of `x`. */
const selectStrategies = (reader: Reader) =>
  reader
    .selectFrom('feature_strategies as s')
    .select('s.id')
    .where('s.feature_name', '=', sql.ref<string>('x.feature_name'))
    .where('s.environment', '=', sql.ref<string>('x.environment'))

type Row = Awaited<ReturnType<ReturnType<typeof selectFlagEnvironments>['execute']>>[number]

function toEnabledWithoutStrategy(rows: readonly Row[]): EnabledWithoutStrategy[] {
  return rows.map(({ feature_name: feature, project, environment, has_strategies }) => ({
    feature,
    project,
    environment,
    hasStrategies: has_strategies === 1,
  }))
}
