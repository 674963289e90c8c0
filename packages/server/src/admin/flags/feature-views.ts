import type { AdminFeature, FeatureEnvironment, FeatureListItem } from '@burgee/protocol/admin-feature'
import type { FeatureLink } from '@burgee/protocol/administration/feature-link'
import type { Tag } from '@burgee/protocol/event'
import type { VariantDefinition } from '@burgee/protocol/feature'
import { matchesAllUsers, toListStrategy } from '@burgee/protocol/targeting/audience'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import type { Reader } from '@burgee/storage/database'
import { listTags } from '@burgee/storage/queries/events/events'
import {
  type FeatureEnvironmentRow,
  type FeatureRow,
  filterDistinctVariants,
  listFeatureEnvironments,
} from '@burgee/storage/queries/flags/features'
import type { DependencyRow } from '@burgee/storage/queries/flags/flag-records'
import { listStrategies, type StrategyRow } from '@burgee/storage/queries/flags/strategies'
import { readLinksOfFlags } from '@burgee/storage/queries/projects/feature-links'
import type { ListedPlan } from '@burgee/storage/queries/releases/release-plans'
import { listStageRows, type StageRow } from '@burgee/storage/queries/usage/stages'
import { getAvatarUrl } from '../../core/avatars.ts'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import { isoOrNull } from '../../core/iso-time.ts'
import { lacksStrategy, readDefaultStrategy } from '../projects/default-strategy.ts'
import { getCurrentStage } from '../usage/stage-views.ts'
import { type FeatureEnvironmentRef, readFeatureEnvironment } from './feature-ref.ts'

/**
 * Returns a flag without its environments, in the form used in the `data` of events. `variants` contains the variants
 * of all environments, each name once. Source: wire protocol, plus `variants` (spec "Events").
 */
export function toFeatureState(row: FeatureRow, variants: readonly VariantDefinition[]) {
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

/** Returns a strategy in the form of the admin API. */
export function toAdminStrategy(row: StrategyRow): AdminStrategy {
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

/** Returns a flag in an environment with its strategies. The flag may be archived. Throws NotFoundError. */
export async function readFeatureEnvironmentView(
  reader: Reader,
  ref: FeatureEnvironmentRef,
): Promise<FeatureEnvironment> {
  const { feature: name, environment } = ref
  const { type, enabled } = await readFeatureEnvironment(reader, ref)
  const strategies = await listStrategies(reader, name, environment)
  const view = {
    name,
    environment,
    type,
    enabled: enabled === 1,
    strategies: strategies.map((row) => ({ ...toAdminStrategy(row), featureName: name })),
  }
  if (!lacksStrategy(strategies, false)) return view
  return { ...view, addedStrategy: await readDefaultStrategy(reader, ref) }
}

/** Data for the view of a flag. */
export interface FlagParts {
  readonly row: FeatureRow
  /** Stored lifecycle stages. */
  readonly stages: readonly StageRow[]
  /** Environments in display order. */
  readonly environments: readonly FeatureEnvironmentRow[]
  readonly tags: readonly Tag[]
}

/** Data for the view of a single flag. */
export interface WholeFlag extends FlagParts {
  readonly parents: readonly DependencyRow[]
  readonly links: readonly FeatureLink[]
  /** Names of the flags that depend on this flag. */
  readonly children: readonly string[]
  readonly strategiesIn: (environment: string) => AdminStrategy[]
}

/** Returns the complete view of a flag. */
export function toAdminFeature(flag: WholeFlag, isFavorite: boolean): AdminFeature {
  const { row, stages, environments, tags, parents, children, links, strategiesIn } = flag
  return {
    ...toFeatureState(row, filterDistinctVariants(environments.flatMap((environment) => environment.variants))),
    favorite: isFavorite,
    ...toLifecycleFields(row, stages),
    environments: environments.map((environment) => ({
      name: environment.environment,
      lastSeenAt: isoOrNull(environment.last_seen_at),
      enabled: environment.enabled === 1,
      type: environment.type,
      sortOrder: environment.sort_order,
      variantCount: environment.variants.length,
      strategies: strategiesIn(environment.environment),
      variants: environment.variants as AdminStrategy['variants'],
    })),
    tags: [...tags],
    dependencies: parents.map((one) => ({ feature: one.parent, enabled: one.enabled === 1, variants: one.variants })),
    children: [...children],
    links: [...links],
  }
}

/** Returns the fields for the creator and the lifecycle stage of a flag. */
function toLifecycleFields(
  row: FeatureRow,
  stages: readonly StageRow[],
): Pick<AdminFeature, 'createdBy' | 'lifecycle'> {
  const { created_by: name, created_by_user_id: id } = row
  const createdBy = name === null || id === null ? null : { id, name, imageUrl: getAvatarUrl(name) }
  return { createdBy, lifecycle: getCurrentStage(row, stages) }
}

/** Reads the complete view of a flag from the database, inside a transaction. */
export async function readAdminFeature(reader: Reader, row: FeatureRow): Promise<AdminFeature> {
  const { name } = row
  const [environments, all, related, tags, stages, linksByFlag] = await inOneRoundTrip([
    ...([listFeatureEnvironments(reader, name), listStrategies(reader, name), readDependencies(reader, name)] as const),
    ...([listTags(reader, name), listStageRows(reader, name), readLinksOfFlags(reader, [name])] as const),
  ])
  const strategies = Map.groupBy(all, (strategy) => strategy.environment)
  const links = linksByFlag.get(name) ?? []
  const strategiesIn = (environment: string) => (strategies.get(environment) ?? []).map(toAdminStrategy)
  return toAdminFeature({ row, stages, environments, tags, ...related, links, strategiesIn }, false)
}

async function readDependencies(reader: Reader, name: string) {
  const rows = await reader
    .selectFrom('feature_dependencies')
    .selectAll()
    .where(({ or, eb }) => or([eb('child', '=', name), eb('parent', '=', name)]))
    .orderBy('child')
    .orderBy('parent')
    .execute()
  return {
    parents: rows.filter((row) => row.child === name),
    children: rows.filter((row) => row.parent === name).map((row) => row.child),
  }
}

/** Returns a flag in the form used in lists, without its environments. */
export function toListItem(flag: Pick<FlagParts, 'row' | 'stages' | 'tags'>): Omit<FeatureListItem, 'environments'> {
  const { row, stages, tags } = flag
  return {
    name: row.name,
    type: row.type,
    description: row.description,
    project: row.project,
    stale: row.stale === 1,
    potentiallyStale: row.potentially_stale === 1,
    impressionData: row.impression_data === 1,
    favorite: false,
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: isoOrNull(row.last_seen_at),
    archivedAt: isoOrNull(row.archived_at),
    ...toLifecycleFields(row, stages),
    tags: [...tags],
  }
}

/** Returns an environment of a flag in the form used in lists. */
export function toListEnvironment(
  environment: FeatureEnvironmentRow &
    Pick<ListEnvironment, 'hasStrategies' | keyof Exposure> & { readonly plan?: PlanPosition },
): ListEnvironment {
  return {
    name: environment.environment,
    enabled: environment.enabled === 1,
    type: environment.type,
    sortOrder: environment.sort_order,
    lastSeenAt: isoOrNull(environment.last_seen_at),
    hasStrategies: environment.hasStrategies,
    hasEnabledStrategies: environment.hasEnabledStrategies,
    enabledStrategyCount: environment.enabledStrategyCount,
    rollout: environment.rollout,
    matchesAll: environment.matchesAll,
    onlyStrategy: environment.onlyStrategy,
    variantCount: environment.variants.length,
    ...environment.plan,
  }
}

/** Position of a flag in its release plan. */
export type PlanPosition = Required<
  Pick<ListEnvironment, 'releasePlans' | 'milestoneName' | 'milestoneOrder' | 'totalMilestones'>
>

/** Converts a release plan to the position of its flag. */
export function toPlanPosition(plan: ListedPlan): PlanPosition {
  const { id, name, milestones } = plan
  const index = milestones.findIndex((one) => one.id === plan.active_milestone_id)
  return {
    releasePlans: [{ id, name, pausedAt: isoOrNull(plan.paused_at), ...toTrippedSafeguard(plan) }],
    milestoneName: milestones[index]?.name ?? '',
    milestoneOrder: index,
    totalMilestones: milestones.length,
  }
}

function toTrippedSafeguard({ tripped }: ListedPlan): Pick<PlanPosition['releasePlans'][number], 'trippedSafeguard'> {
  if (tripped === undefined) return {}
  const { impactMetric, triggerCondition } = tripped
  const condition = triggerCondition && {
    operator: triggerCondition.operator,
    threshold: triggerCondition.threshold,
  }
  return { trippedSafeguard: { metricName: impactMetric.metricName, ...condition } }
}

/** Summary of who gets a flag in an environment. */
export type Exposure = Pick<
  ListEnvironment,
  'hasEnabledStrategies' | 'enabledStrategyCount' | 'rollout' | 'matchesAll' | 'onlyStrategy'
>
type ExposedStrategy = Pick<StrategyRow, 'name' | 'disabled' | 'parameters' | 'constraints' | 'segments'>

/** Returns a summary of who gets a flag in an environment: the number of enabled strategies and their audience. */
export function getExposure(strategies: readonly ExposedStrategy[]): Exposure {
  const enabled = strategies.filter(({ disabled }) => disabled === 0)
  const listed = enabled.map(toListStrategy)
  const shares = listed.map(({ rollout }) => rollout).filter((share) => share !== null)
  const [first] = listed
  return {
    hasEnabledStrategies: enabled.length > 0,
    enabledStrategyCount: enabled.length,
    rollout: shares.length === 0 ? null : Math.max(...shares),
    matchesAll: listed.some(matchesAllUsers),
    onlyStrategy: listed.length === 1 && first !== undefined ? first : null,
  }
}

type ListEnvironment = FeatureListItem['environments'][number]
