import type { FeatureLink } from '@burgee/protocol/administration/feature-link'
import type { Tag } from '@burgee/protocol/event'
import type { Selectable } from 'kysely'
import type { Reader, Schema } from '../../database.ts'
import { readLinksOfFlags } from '../projects/feature-links.ts'
import { type ListedPlan, listPlansOfFlags } from '../releases/release-plans.ts'
import { readStagesOfFlags, type StageRow } from '../usage/stages.ts'
import type { FeatureEnvironmentRow, FeatureRow } from './features.ts'
import type { StrategyRow } from './strategies.ts'

/** Dependency of a flag on a parent. */
export type DependencyRow = Selectable<Schema['feature_dependencies']>

/** Stored flag (archived or not) with everything that belongs to it. */
export interface FlagRecord {
  readonly row: FeatureRow
  /** Environments in display order. */
  readonly environments: readonly FeatureEnvironmentRow[]
  /** Strategies in all environments. The strategies of one environment are in evaluation order. */
  readonly strategies: readonly StrategyRow[]
  /** Tags sorted by type and value. */
  readonly tags: readonly Tag[]
  /** Parents sorted by name. */
  readonly parents: readonly DependencyRow[]
  /** Stored lifecycle stages of the flag, oldest first. */
  readonly stages: readonly StageRow[]
  readonly links: readonly FeatureLink[]
  /** Release plans in all environments. */
  readonly plans: readonly ListedPlan[]
}

/** Returns the names of all flags, sorted. Includes archived flags. */
export async function listFlagNames(reader: Reader): Promise<string[]> {
  return (await reader.selectFrom('features').select('name').orderBy('name').execute()).map(({ name }) => name)
}

/**
 * Reads the flags with the given names, sorted by name. Unknown names are omitted. The number of queries does not
 * depend on the number of flags.
 */
export async function readFlagRecords(reader: Reader, names: readonly string[]): Promise<FlagRecord[]> {
  if (names.length === 0) return []
  const rows = await reader.selectFrom('features').selectAll().where('name', 'in', names).orderBy('name').execute()
  const environments = await readEnvironments(reader, names)
  const strategies = await readStrategies(reader, names)
  const tags = await readTags(reader, names)
  const parents = await readParents(reader, names)
  const stages = await readStagesOfFlags(reader, names)
  const links = await readLinksOfFlags(reader, names)
  const plans = Map.groupBy(await listPlansOfFlags(reader, names), (plan) => plan.feature_name)
  return rows.map((row) => ({
    row,
    environments: environments.get(row.name) ?? [],
    strategies: strategies.get(row.name) ?? [],
    tags: tags.get(row.name) ?? [],
    parents: parents.get(row.name) ?? [],
    stages: stages.get(row.name) ?? [],
    links: links.get(row.name) ?? [],
    plans: plans.get(row.name) ?? [],
  }))
}

async function readEnvironments(
  reader: Reader,
  names: readonly string[],
): Promise<Map<string, FeatureEnvironmentRow[]>> {
  const rows = await reader
    .selectFrom('feature_environments as f')
    .innerJoin('environments as e', 'e.name', 'f.environment')
    .select(['f.feature_name', 'f.environment', 'e.type', 'e.sort_order', 'f.enabled', 'f.variants', 'f.last_seen_at'])
    .where('f.feature_name', 'in', names)
    .orderBy('e.sort_order')
    .orderBy('e.name')
    .execute()
  return groupPairs(rows.map(({ feature_name, ...row }) => [feature_name, row]))
}

async function readStrategies(reader: Reader, names: readonly string[]): Promise<Map<string, StrategyRow[]>> {
  const links = await reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .select(['x.strategy_id', 'x.segment_id'])
    .where('s.feature_name', 'in', names)
    .orderBy('x.segment_id')
    .execute()
  const segments = groupPairs(links.map((link) => [link.strategy_id, link.segment_id]))
  const rows = await reader
    .selectFrom('feature_strategies')
    .selectAll()
    .where('feature_name', 'in', names)
    .orderBy('sort_order')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return groupPairs(rows.map((row) => [row.feature_name, { ...row, segments: segments.get(row.id) ?? [] }]))
}

async function readTags(reader: Reader, names: readonly string[]): Promise<Map<string, Tag[]>> {
  const rows = await reader
    .selectFrom('feature_tags')
    .select(['feature_name', 'type', 'value'])
    .where('feature_name', 'in', names)
    .orderBy('type')
    .orderBy('value')
    .execute()
  return groupPairs(rows.map(({ feature_name, type, value }) => [feature_name, { value, type }]))
}

async function readParents(reader: Reader, names: readonly string[]): Promise<Map<string, DependencyRow[]>> {
  const rows = await reader
    .selectFrom('feature_dependencies')
    .selectAll()
    .where('child', 'in', names)
    .orderBy('parent')
    .execute()
  return groupPairs(rows.map((row) => [row.child, row]))
}

function groupPairs<T>(pairs: readonly (readonly [string, T])[]): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const [key, value] of pairs) {
    const list = found.get(key)
    if (list === undefined) found.set(key, [value])
    else list.push(value)
  }
  return found
}
