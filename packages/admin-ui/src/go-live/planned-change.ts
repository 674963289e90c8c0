import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { QueryClient } from '@tanstack/react-query'
import { type FlagEnvironment, fetchFlagEnvironment } from '../api/flags.ts'
import { getFlagQuery } from '../api/queries.ts'
import type { EditableFlag, LiveEdit } from './flag-edit.ts'

/** Edits to a flag in one environment, in the order in which they are applied. */
export interface LiveItem {
  readonly place: FlagEnvironment
  readonly edits: readonly LiveEdit[]
}

/** Edits to a flag, together with the flag's current state. */
export interface PlannedChange extends LiveItem {
  readonly flag: AdminFeature
  readonly now: EditableFlag
}

/** Maximum number of flags whose changes are shown in detail. */
export const MAX_SHOWN_CHANGES = 5

/** Returns the changes that archiving a flag makes: the flag is turned off in all environments in which it is on. */
export function listArchiveItems(
  project: string,
  { name: feature, environments }: Pick<AdminFeature, 'name'> & { readonly environments: readonly SwitchState[] },
  isMeant: (environment: string) => boolean,
): LiveItem[] {
  return environments
    .filter(({ name, enabled }) => enabled && isMeant(name))
    .map(({ name }) => ({ place: { project, feature, environment: name }, edits: [{ enabled: false }] }))
}

interface SwitchState {
  readonly name: string
  readonly enabled: boolean
}

/**
 * Fetches the current state of the first flags that a change affects. Rejects with ApiError if a flag cannot be read.
 */
export const planChanges = (queries: QueryClient, items: readonly LiveItem[]): Promise<PlannedChange[]> =>
  Promise.all(items.slice(0, MAX_SHOWN_CHANGES).map((item) => planChange(queries, item)))

async function planChange(queries: QueryClient, item: LiveItem): Promise<PlannedChange> {
  const { place, edits } = item
  // Only the flag's state in an environment names the strategy that turning the flag on would add.
  const isTurnedOn = edits.some(({ enabled }) => enabled === true)
  const [flag, state] = await Promise.all([
    queries.fetchQuery(getFlagQuery(place)),
    isTurnedOn ? fetchFlagEnvironment(place) : undefined,
  ])
  const now = state ?? flag.environments.find(({ name }) => name === place.environment)
  return { ...item, flag, now: now ?? { enabled: false, strategies: [] } }
}
