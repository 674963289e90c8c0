import { isDeepStrictEqual } from 'node:util'
import type { EnvironmentSnapshot, FlagSnapshot, HistoryEnd } from '@burgee/protocol/administration/flag-history'
import type { PastEvent } from '@burgee/storage/queries/events/past-events'
import type { FlagRecord } from '@burgee/storage/queries/flags/flag-records'
import { toParent } from '../flags/dependencies.ts'
import { isoOrNull, toAdminStrategy } from '../flags/feature-views.ts'

/** Thrown if an event does not record the state before it, so that no earlier state is known. */
export class HistoryGap extends Error {
  override readonly name: string = 'Untold'
  readonly why: HistoryEnd

  constructor(why: HistoryEnd = 'untold') {
    super('What was before is not known')
    this.why = why
  }
}

/**
 * Thrown if an event contradicts the known state after the event. Then something happened that the log does not record.
 */
export class HistoryMismatch extends HistoryGap {
  override readonly name = 'HistoryMismatch'
}

/** Returns the state of a flag as currently stored, limited to what users can set. */
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

/** Properties of a flag that events of the flag itself contain. */
export type FlagProperties = Pick<
  FlagSnapshot,
  'name' | 'project' | 'type' | 'description' | 'impressionData' | 'stale' | 'createdAt' | 'archivedAt'
>

/** Extracts the properties of `Own` from a flag or from the data of an event. */
export function pickFlagProperties(told: unknown): FlagProperties {
  const { name, project, type, description, impressionData, stale, createdAt, archivedAt } = told as FlagSnapshot
  return { name, project, type, description, impressionData, stale, createdAt, archivedAt }
}

/** Returns true if nothing has been set in an environment. */
export function isPristine({ enabled, strategies, variants }: EnvironmentSnapshot): boolean {
  return !enabled && strategies.length === 0 && variants.length === 0
}

/** Returns an environment in which nothing has been set. */
export function createPristine(name: string): EnvironmentSnapshot {
  return { name, enabled: false, strategies: [], variants: [] }
}

/** Throws HistoryMismatch if an event contradicts the known state after it. */
export function requireMatch(fits: boolean): void {
  if (!fits) throw new HistoryMismatch()
}

/** Throws Untold if an event does not record the state before it. */
export function requireRecorded(isTold: boolean): void {
  if (!isTold) throw new HistoryGap()
}

/** Returns true if two states are equal. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b)
}

/** Returns a flag with a changed state in the environment of an event. Throws HistoryMismatch if the flag has no state there. */
export function changeEnvironment(
  flag: FlagSnapshot,
  { environment }: Pick<PastEvent, 'environment'>,
  change: (before: EnvironmentSnapshot) => EnvironmentSnapshot,
): FlagSnapshot {
  requireMatch(flag.environments.some(({ name }) => name === environment))
  const environments = flag.environments.map((one) => (one.name === environment ? change(one) : one))
  return { ...flag, environments }
}
