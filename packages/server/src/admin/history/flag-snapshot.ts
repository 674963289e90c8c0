import { isDeepStrictEqual } from 'node:util'
import type { EnvironmentSnapshot, FlagSnapshot } from '@burgee/protocol/administration/flag-history'
import type { PastEvent } from '@burgee/storage/queries/events/past-events'
import type { FlagRecord } from '@burgee/storage/queries/flags/flag-records'
import { isoOrNull } from '../../core/iso-time.ts'
import { toParent } from '../flags/dependencies.ts'
import { toAdminStrategy } from '../flags/feature-views.ts'
import { HistoryBreak, MISMATCH } from './history-break.ts'

/** Returns the currently stored state of a flag, limited to the parts that users can set. */
export function toFlagSnapshot({ row, environments, strategies, tags, parents, links }: FlagRecord): FlagSnapshot {
  const byPlace = Map.groupBy(strategies, ({ environment }) => environment)
  return {
    name: row.name,
    project: row.project,
    type: row.type,
    description: row.description,
    impressionData: row.impression_data === 1,
    stale: row.stale === 1,
    createdAt: new Date(row.created_at).toISOString(),
    archivedAt: isoOrNull(row.archived_at),
    environments: environments.map(({ environment, enabled, variants }) => ({
      name: environment,
      enabled: enabled === 1,
      strategies: (byPlace.get(environment) ?? []).map(toAdminStrategy),
      variants: variants as EnvironmentSnapshot['variants'],
    })),
    dependencies: parents.map(toParent),
    tags: [...tags],
    links: [...links],
  }
}

/** Properties that events about the flag itself contain. */
export type FlagProperties = Pick<
  FlagSnapshot,
  'name' | 'project' | 'type' | 'description' | 'impressionData' | 'stale' | 'createdAt' | 'archivedAt'
>

/** Extracts the properties of a flag itself from a snapshot or from the data of an event. */
export function extractFlagProperties(source: unknown): FlagProperties {
  const { name, project, type, description, impressionData, stale, createdAt, archivedAt } = source as FlagSnapshot
  return { name, project, type, description, impressionData, stale, createdAt, archivedAt }
}

/** Returns true if no one has configured anything for a flag in an environment. */
export function isPristine({ enabled, strategies, variants }: EnvironmentSnapshot): boolean {
  return !enabled && strategies.length === 0 && variants.length === 0
}

/** Returns the state of an environment in which no one has configured anything. */
export function createPristine(name: string): EnvironmentSnapshot {
  return { name, enabled: false, strategies: [], variants: [] }
}

/** Returns true if two states are equal. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b)
}

/**
 * Returns a copy of a flag with a changed state in the event's environment. Returns a mismatch if the flag has no state
 * in that environment.
 */
export function changeEnvironment(
  flag: FlagSnapshot,
  { environment }: Pick<PastEvent, 'environment'>,
  change: (after: EnvironmentSnapshot) => EnvironmentSnapshot | HistoryBreak,
): FlagSnapshot | HistoryBreak {
  const after = flag.environments.find(({ name }) => name === environment)
  if (after === undefined) return MISMATCH
  const before = change(after)
  if (before instanceof HistoryBreak) return before
  return { ...flag, environments: flag.environments.map((one) => (one === after ? before : one)) }
}
