import type { AdminFeature, FeatureEnvironment, FeatureListItem } from '@burgee/protocol/admin-feature'
import type { Tag } from '@burgee/protocol/event'
import type { VariantDefinition } from '@burgee/protocol/feature'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { favoriteFeatures } from '../../store/access/people.ts'
import type { Reader } from '../../store/database.ts'
import { tagsOf } from '../../store/events/events.ts'
import { type ListCondition, listRows } from '../../store/features/feature-list.ts'
import { distinctVariants, environmentsOfFeature, type FeatureRow } from '../../store/features/features.ts'
import { type StrategyRow, strategiesOf } from '../../store/features/strategies.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from './feature-ref.ts'

/** ISO time with milliseconds, null for never. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/**
 * A flag without its environments: what events carry as `data`. `variants` are those of its environments, each name
 * once. Source: wire protocol, plus `variants` (spec "Events").
 */
export function featureState(row: FeatureRow, variants: readonly VariantDefinition[]) {
  return {
    name: row.name,
    description: row.description,
    type: row.type,
    project: row.project,
    stale: row.stale === 1,
    potentiallyStale: row.potentially_stale === 1,
    variants: variants as AdminFeature['variants'],
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: isoOrNull(row.last_seen_at),
    impressionData: row.impression_data === 1,
    archivedAt: isoOrNull(row.archived_at),
    archived: row.archived_at !== null,
  }
}

/** A strategy as the admin API shows it. */
export function strategyView(row: StrategyRow): AdminStrategy {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    disabled: row.disabled === 1,
    sortOrder: row.sort_order,
    parameters: row.parameters,
    constraints: row.constraints,
    segments: row.segments,
    variants: row.variants as AdminStrategy['variants'],
  }
}

/** A flag in an environment, with its strategies. Throws NotFoundError. */
export async function featureEnvironmentView(reader: Reader, ref: FeatureEnvironmentRef): Promise<FeatureEnvironment> {
  const { feature: name, environment } = ref
  const { type, enabled } = await requireFeatureEnvironment(reader, ref)
  const strategies = await strategiesOf(reader, name, environment)
  return {
    ...{ name, environment, type, enabled: enabled === 1 },
    strategies: strategies.map((row) => ({ ...strategyView(row), featureName: name })),
  }
}

/** A flag with everything that people see of it. */
export async function featureView(reader: Reader, row: FeatureRow, userId?: number): Promise<AdminFeature> {
  const environments = await environmentsOfFeature(reader, row.name)
  const strategies = Map.groupBy(await strategiesOf(reader, row.name), (strategy) => strategy.environment)
  const related = await dependenciesOf(reader, row.name)
  const favorites = userId === undefined ? undefined : await favoriteFeatures(reader, userId)
  return {
    ...featureState(row, distinctVariants(environments.flatMap((environment) => environment.variants))),
    favorite: favorites?.has(row.name) === true,
    environments: environments.map((environment) => ({
      name: environment.environment,
      lastSeenAt: isoOrNull(environment.last_seen_at),
      enabled: environment.enabled === 1,
      type: environment.type,
      sortOrder: environment.sort_order,
      variantCount: environment.variants.length,
      strategies: (strategies.get(environment.environment) ?? []).map(strategyView),
      variants: environment.variants as AdminStrategy['variants'],
    })),
    tags: await tagsOf(reader, row.name),
    ...related,
  }
}

async function dependenciesOf(reader: Reader, name: string) {
  const rows = await reader
    .selectFrom('feature_dependencies')
    .selectAll()
    .where(({ or, eb }) => or([eb('child', '=', name), eb('parent', '=', name)]))
    .execute()
  return {
    dependencies: rows
      .filter((row) => row.child === name)
      .map((row) => ({ feature: row.parent, enabled: row.enabled === 1, variants: row.variants })),
    children: rows.filter((row) => row.parent === name).map((row) => row.child),
  }
}

/** What a list of flags is narrowed to. */
export interface ListFilter extends ListCondition {
  readonly namePrefix?: string | undefined
  readonly tags?: readonly Tag[] | undefined
}

/** Flags by name, in a constant number of queries; empty for an unknown project. */
export async function featureListOf(
  reader: Reader,
  filter: ListFilter,
  favorites: ReadonlySet<string> = new Set(),
): Promise<FeatureListItem[]> {
  const { features, environments, strategies, tags } = await listRows(reader, filter)
  const wanted = (row: FeatureRow) =>
    row.name.startsWith(filter.namePrefix ?? '') && hasAnyTag(tags.get(row.name) ?? [], filter.tags)
  return features.filter(wanted).map((row) => ({
    name: row.name,
    type: row.type,
    description: row.description,
    project: row.project,
    stale: row.stale === 1,
    potentiallyStale: row.potentially_stale === 1,
    impressionData: row.impression_data === 1,
    favorite: favorites.has(row.name),
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: isoOrNull(row.last_seen_at),
    archivedAt: isoOrNull(row.archived_at),
    tags: (tags.get(row.name) ?? []).map(({ value, type }) => ({ value, type })),
    environments: (environments.get(row.name) ?? []).map((environment) => {
      const own = (strategies.get(row.name) ?? []).filter((one) => one.environment === environment.environment)
      return {
        name: environment.environment,
        enabled: environment.enabled === 1,
        type: environment.type,
        sortOrder: environment.sort_order,
        lastSeenAt: isoOrNull(environment.last_seen_at),
        hasStrategies: own.length > 0,
        hasEnabledStrategies: own.some((one) => one.disabled === 0),
        variantCount: environment.variants.length,
      }
    }),
  }))
}

function hasAnyTag(tags: readonly Tag[], wanted: readonly Tag[] | undefined): boolean {
  if (wanted === undefined || wanted.length === 0) return true
  return wanted.some((one) => tags.some((tag) => tag.type === one.type && tag.value === one.value))
}
