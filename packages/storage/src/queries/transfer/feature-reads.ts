import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { ExpressionBuilder } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'
import type { FeatureRow } from '../flags/features.ts'
import type { StrategyRow } from '../flags/strategies.ts'

/** Selection of flags for an export. A field that is omitted does not restrict the export. */
export interface FlagSelection {
  readonly features?: readonly string[] | undefined
  readonly project?: string | undefined
  /** Tag in the form `type:value`, or only the value. */
  readonly tag?: string | undefined
}

/** Returns the selected flags, sorted by name. Omits archived flags. */
export async function listSelectedFeatures(
  reader: Reader,
  { features = [], project, tag }: FlagSelection,
): Promise<FeatureRow[]> {
  let query = reader.selectFrom('features').selectAll().where('archived_at', 'is', null).orderBy('name')
  if (project !== undefined) query = query.where('project', '=', project)
  const rows = await query.execute()
  const named = new Set(features)
  const tagged = tag === undefined ? undefined : await readTaggedNames(reader, tag)
  return rows.filter(({ name }) => (named.size === 0 || named.has(name)) && tagged?.has(name) !== false)
}

async function readTaggedNames(reader: Reader, tag: string): Promise<ReadonlySet<string>> {
  const rows = await reader.selectFrom('feature_tags').selectAll().execute()
  const own = rows.filter(({ type, value }) => value === tag || `${type}:${value}` === tag)
  return new Set(own.map((row) => row.feature_name))
}

/** Returns the sorted names of all flags in a project, including archived flags. */
export async function listFlagNamesOfProject(reader: Reader, project: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('features')
    .select('name')
    .where('project', '=', project)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Returns the strategies that flags have in an environment, sorted by flag and evaluation order. */
export function listStrategiesInEnvironment(
  reader: Reader,
  features: readonly string[],
  environment: string,
): Promise<StrategyRow[]> {
  return readStrategies(features, (part) => selectStrategies(reader, part, environment).execute())
}

/**
 * Returns the same strategies as `listStrategiesInEnvironment`, except overrides for one user. An override belongs to
 * its environment and ends by itself, so copies and files leave it out.
 */
export function listLastingStrategies(
  reader: Reader,
  features: readonly string[],
  environment: string,
): Promise<StrategyRow[]> {
  return readStrategies(features, (part) => selectStrategies(reader, part, environment).where(isLasting).execute())
}

/** Condition on the strategies `s`: true unless the strategy is an override for one user. */
export const isLasting = ({
  not,
  exists,
  selectFrom,
}: ExpressionBuilder<Schema & { s: Schema['feature_strategies'] }, 's'>) =>
  not(exists(selectFrom('self_targets as t').select('t.strategy_id').whereRef('t.strategy_id', '=', 's.id')))

function selectStrategies(reader: Reader, features: readonly string[], environment: string) {
  return reader
    .selectFrom('feature_strategies as s')
    .leftJoin('feature_strategy_segments as x', 'x.strategy_id', 's.id')
    .selectAll('s')
    .select('x.segment_id')
    .where('s.environment', '=', environment)
    .where('s.feature_name', 'in', features)
    .orderBy('s.feature_name')
    .orderBy('s.sort_order')
    .orderBy('s.created_at')
    .orderBy('s.id')
    .orderBy('x.segment_id')
}

async function readStrategies(
  features: readonly string[],
  read: (part: string[]) => Promise<Awaited<ReturnType<ReturnType<typeof selectStrategies>['execute']>>>,
): Promise<StrategyRow[]> {
  const found: StrategyRow[] = []
  for (const part of chunks(features)) {
    const rows = await read(part)
    for (const { segment_id: segment, ...row } of rows) {
      const last = found.at(-1)
      // the query returns one row per segment, or one row if the strategy has no segment
      if (last?.id === row.id && segment !== null) last.segments.push(segment)
      else found.push({ ...row, segments: segment === null ? [] : [segment] })
    }
  }
  return found
}

/** Returns the states and variants that flags have in an environment, sorted by flag. */
export async function listStatesInEnvironment(
  reader: Reader,
  features: readonly string[],
  environment: string,
): Promise<{ feature_name: string; enabled: number; variants: VariantDefinition[] }[]> {
  const found = []
  for (const part of chunks(features)) {
    const rows = await reader
      .selectFrom('feature_environments')
      .select(['feature_name', 'enabled', 'variants'])
      .where('environment', '=', environment)
      .where('feature_name', 'in', part)
      .orderBy('feature_name')
      .execute()
    found.push(...rows)
  }
  return found
}

/** Returns the dependencies of the given flags on their parents, sorted by flag. */
export async function listParentsOfFlags(reader: Reader, features: readonly string[]) {
  const found = []
  for (const part of chunks(features)) {
    const rows = await reader
      .selectFrom('feature_dependencies')
      .selectAll()
      .where('child', 'in', part)
      .orderBy('child')
      .orderBy('parent')
      .execute()
    found.push(...rows)
  }
  return found
}

/** Returns the context fields that the given strategies and their variants use. */
export function collectContextFields(
  strategies: readonly {
    readonly parameters?: Readonly<Record<string, string>> | undefined
    readonly constraints?: readonly Pick<Constraint, 'contextName'>[] | undefined
    readonly variants?: readonly Pick<VariantDefinition, 'stickiness' | 'overrides'>[] | undefined
  }[],
): ReadonlySet<string> {
  return new Set(
    strategies.flatMap(({ parameters = {}, constraints = [], variants = [] }) => [
      ...constraints.map(({ contextName }) => contextName),
      ...(parameters.stickiness === undefined ? [] : [parameters.stickiness]),
      ...variants.flatMap(({ stickiness, overrides = [] }) => [
        ...(stickiness === undefined ? [] : [stickiness]),
        ...overrides.map(({ contextName }) => contextName),
      ]),
    ]),
  )
}
