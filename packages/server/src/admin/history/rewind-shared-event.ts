import type { EnvironmentSnapshot, FlagSnapshot } from '@burgee/protocol/administration/flag-history'
import type { Tag } from '@burgee/protocol/event'
import type { PastEvent } from '@burgee/storage/queries/events/past-events'
import { createPristine, isPristine } from './flag-snapshot.ts'
import { GAP, HistoryBreak, IMPORTED, MISMATCH } from './history-break.ts'
import { withTags } from './rewind-flag-event.ts'

/**
 * Data for undoing the removal of an environment from a project: the flags that had a state in the environment, and
 * all other flags.
 */
export interface LostEnvironments {
  readonly flags: Readonly<Record<string, Omit<EnvironmentSnapshot, 'name'>>>
  readonly without: readonly string[]
}

/** Returns the tags that a flag had right before an event. */
export type TagsBefore = (event: PastEvent) => Promise<readonly Tag[] | HistoryBreak>

/** Types of events that remove tags from flags but do not name the flags. */
export const TAG_LOSSES = ['tag-deleted', 'tag-type-deleted'] as const

/**
 * Returns the state of a flag before an event that affects several flags. Returns the flag unchanged if the event does
 * not affect it.
 */
export async function rewindSharedEvent(
  flag: FlagSnapshot | null,
  event: PastEvent,
  tagsBefore: TagsBefore,
): Promise<FlagSnapshot | null | HistoryBreak> {
  if (event.type === 'instance-imported') return IMPORTED
  if (flag === null) return flag
  switch (event.type) {
    case 'project-environment-added':
      return flag.project === event.project ? undoEnvironmentAdded(flag, event) : flag
    case 'project-environment-removed':
      return flag.project === event.project ? undoEnvironmentRemoved(flag, event) : flag
    case 'tag-deleted':
    case 'tag-type-deleted':
      return withLostTags(flag, event, await tagsBefore(event))
    default:
      return flag
  }
}

function undoEnvironmentAdded(flag: FlagSnapshot, { environment, data, undo }: PastEvent): FlagSnapshot | HistoryBreak {
  const place = flag.environments.find(({ name }) => name === environment)
  if (place === undefined) return MISMATCH
  const { had = [] } = (undo ?? {}) as { readonly had?: readonly string[] }
  if (had.includes(flag.name)) return flag
  const isCopy = (data as { readonly clonedFrom?: string }).clonedFrom !== undefined
  if (!isCopy && !isPristine(place)) return MISMATCH
  return { ...flag, environments: flag.environments.filter((one) => one !== place) }
}

function undoEnvironmentRemoved(flag: FlagSnapshot, { environment, undo }: PastEvent): FlagSnapshot | HistoryBreak {
  if (flag.environments.some(({ name }) => name === environment)) return MISMATCH
  if (undo === null) return GAP
  const { flags, without } = undo as LostEnvironments
  if (without.includes(flag.name)) return flag
  const name = environment ?? ''
  const own = Object.hasOwn(flags, flag.name) ? flags[flag.name] : undefined
  return { ...flag, environments: [...flag.environments, { ...createPristine(name), ...own, name }] }
}

/**
 * Adds the tags that an event removed from a flag. The event does not name the flags, but each event of a flag records
 * its tags.
 */
function withLostTags(
  flag: FlagSnapshot,
  event: PastEvent,
  before: readonly Tag[] | HistoryBreak,
): FlagSnapshot | HistoryBreak {
  if (before instanceof HistoryBreak) return before
  const lost = before.filter((tag) => isLostBy(event, tag))
  return withTags(flag, lost)
}

/** Returns true if the event removes the tag from flags. */
export function isLostBy(event: PastEvent, tag: Tag): boolean {
  const { type, value, name } = event.pre_data as { type?: string; value?: string; name?: string }
  return event.type === 'tag-deleted' ? tag.type === type && tag.value === value : tag.type === name
}
