import type { EnvironmentSnapshot, FlagSnapshot } from '@burgee/protocol/administration/flag-history'
import type { FeatureEnvironmentRow } from '@burgee/storage/queries/flags/features'
import type { FlagRecord } from '@burgee/storage/queries/flags/flag-records'
import type { StrategyRow } from '@burgee/storage/queries/flags/strategies'

/** Current environments; environments that were removed since are ignored. */
export type CurrentEnvironments = ReadonlyMap<string, { readonly type: string; readonly sort_order: number }>

/** Converts a past state of a flag to the form in which it would be stored. Reverses `toFlagSnapshot`. */
export function toFlagRecord(flag: FlagSnapshot, places: CurrentEnvironments): FlagRecord {
  const created = Date.parse(flag.createdAt)
  const environments = flag.environments.filter(({ name }) => places.has(name))
  return {
    row: {
      name: flag.name,
      project: flag.project,
      type: flag.type,
      description: flag.description,
      stale: flag.stale ? 1 : 0,
      impression_data: flag.impressionData ? 1 : 0,
      potentially_stale: 0,
      created_at: created,
      archived_at: flag.archivedAt === null ? null : Date.parse(flag.archivedAt),
      last_seen_at: null,
      created_by: null,
      created_by_user_id: null,
    },
    environments: environments.map((one) => toEnvironmentRow(one, places)),
    strategies: environments.flatMap((one) => toStrategyRows(one, flag.name, created)),
    tags: flag.tags,
    parents: flag.dependencies.map(({ feature: parent, enabled, variants }) => ({
      child: flag.name,
      parent,
      enabled: enabled ? 1 : 0,
      variants,
    })),
    stages: [],
    links: flag.links,
    // a past state contains the strategies of the active milestone, but not the release plan
    plans: [],
  }
}

function toEnvironmentRow(
  { name, enabled, variants }: EnvironmentSnapshot,
  places: CurrentEnvironments,
): FeatureEnvironmentRow {
  const { type = '', sort_order = 0 } = places.get(name) ?? {}
  return { environment: name, type, sort_order, enabled: enabled ? 1 : 0, variants, last_seen_at: null }
}

function toStrategyRows(
  { name: environment, strategies }: EnvironmentSnapshot,
  flag: string,
  created: number,
): StrategyRow[] {
  return strategies.map(({ sortOrder, disabled, ...strategy }) => ({
    ...strategy,
    feature_name: flag,
    environment,
    disabled: disabled ? 1 : 0,
    sort_order: sortOrder,
    created_at: created,
  }))
}
