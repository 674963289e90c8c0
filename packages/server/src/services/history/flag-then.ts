import { isDeepStrictEqual } from 'node:util'
import type { EnvironmentThen, FlagThen, HistoryEnd } from '@burgee/protocol/administration/flag-history'
import type { PastEvent } from '../../store/events/past-events.ts'
import type { FlagRecord } from '../../store/features/flag-records.ts'
import { parentView } from '../features/dependencies.ts'
import { isoOrNull, strategyView } from '../features/feature-views.ts'

/** An event does not tell what was before it: nothing is known further back. */
export class Untold extends Error {
  override readonly name: string = 'Untold'
  readonly why: HistoryEnd

  constructor(why: HistoryEnd = 'untold') {
    super('What was before is not known')
    this.why = why
  }
}

/** An event does not fit what is known of the time after it: something happened in between that the log does not tell. */
export class Misfit extends Untold {
  override readonly name = 'Misfit'
}

/** All that people decide about a flag, as it is stored now. */
export function flagThen({ row, environments, strategies, tags, parents, links }: FlagRecord): FlagThen {
  const byPlace = Map.groupBy(strategies, ({ environment }) => environment)
  return {
    ...{ name: row.name, project: row.project, type: row.type, description: row.description },
    ...{ impressionData: row.impression_data === 1, stale: row.stale === 1 },
    ...{ createdAt: new Date(row.created_at).toISOString(), archivedAt: isoOrNull(row.archived_at) },
    environments: environments.map(({ environment, enabled, variants }) => ({
      ...{ name: environment, enabled: enabled === 1 },
      strategies: (byPlace.get(environment) ?? []).map(strategyView),
      variants: variants as EnvironmentThen['variants'],
    })),
    dependencies: parents.map(parentView),
    tags: [...tags],
    links: [...links],
  }
}

/** What events of a flag itself say of it. */
export type Own = Pick<
  FlagThen,
  'name' | 'project' | 'type' | 'description' | 'impressionData' | 'stale' | 'createdAt' | 'archivedAt'
>

/** That part of a flag, or of what an event says of one. */
export function ownOf(told: unknown): Own {
  const { name, project, type, description, impressionData, stale, createdAt, archivedAt } = told as FlagThen
  return { name, project, type, description, impressionData, stale, createdAt, archivedAt }
}

/** Whether nothing was ever decided for an environment. */
export function isPristine({ enabled, strategies, variants }: EnvironmentThen): boolean {
  return !enabled && strategies.length === 0 && variants.length === 0
}

/** An environment in which nothing was decided. */
export function pristine(name: string): EnvironmentThen {
  return { name, enabled: false, strategies: [], variants: [] }
}

/** Goes on only where an event fits what is known of the time after it. Throws Misfit. */
export function requireFit(fits: boolean): void {
  if (!fits) throw new Misfit()
}

/** Goes on only where an event says what was before it. Throws Untold. */
export function requireTold(isTold: boolean): void {
  if (!isTold) throw new Untold()
}

/** Whether two states are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b)
}

/** A flag with another state in the environment of an event. Throws Misfit where it has none there. */
export function changedThere(
  flag: FlagThen,
  { environment }: Pick<PastEvent, 'environment'>,
  change: (before: EnvironmentThen) => EnvironmentThen,
): FlagThen {
  requireFit(flag.environments.some(({ name }) => name === environment))
  const environments = flag.environments.map((one) => (one.name === environment ? change(one) : one))
  return { ...flag, environments }
}
