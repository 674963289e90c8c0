import type { EnvironmentThen, FlagThen } from '@burgee/protocol/administration/flag-history'
import type { Tag } from '@burgee/protocol/event'
import type { PastEvent } from '../../store/events/past-events.ts'
import { isPristine, Misfit, pristine, requireFit, requireTold, Untold } from './flag-then.ts'
import { withTags } from './undo-own.ts'

/** What undoing the removal of an environment from a project needs: flags that had something there, and that were not there. */
export interface LostPlaces {
  readonly flags: Readonly<Record<string, Omit<EnvironmentThen, 'name'>>>
  readonly without: readonly string[]
}

/** Tags that a flag had right before an event; undefined where nothing tells. */
export type TagsBefore = (flag: FlagThen, event: PastEvent) => Promise<readonly Tag[] | undefined>

/** Events by which flags lose tags, without being named. */
export const TAG_LOSSES = ['tag-deleted', 'tag-type-deleted'] as const

/**
 * What a flag was before an event that is no flag's own; the same where it is not concerned. Without `tagsBefore`, tags are
 * not looked at. Throws Untold.
 */
export async function beforeShared(
  flag: FlagThen | null,
  event: PastEvent,
  tagsBefore?: TagsBefore,
): Promise<FlagThen | null> {
  // what was brought in comes without what it was before
  if (event.type === 'instance-imported') throw new Untold('imported')
  if (flag === null) return flag
  switch (event.type) {
    case 'project-environment-added':
      return flag.project === event.project ? beforeAdded(flag, event) : flag
    case 'project-environment-removed':
      return flag.project === event.project ? beforeRemoved(flag, event) : flag
    case 'tag-deleted':
    case 'tag-type-deleted':
      return tagsBefore === undefined ? flag : withLostTags(flag, event, await tagsBefore(flag, event))
    default:
      return flag
  }
}

function beforeAdded(flag: FlagThen, { environment, data, undo }: PastEvent): FlagThen {
  const place = flag.environments.find(({ name }) => name === environment)
  if (place === undefined) throw new Misfit()
  const { had = [] } = (undo ?? {}) as { readonly had?: readonly string[] }
  if (had.includes(flag.name)) return flag
  const isCopy = (data as { readonly clonedFrom?: string }).clonedFrom !== undefined
  requireFit(isCopy || isPristine(place))
  return { ...flag, environments: flag.environments.filter((one) => one !== place) }
}

function beforeRemoved(flag: FlagThen, { environment, undo }: PastEvent): FlagThen {
  requireFit(flag.environments.every(({ name }) => name !== environment))
  requireTold(undo !== null)
  const { flags, without } = undo as LostPlaces
  if (without.includes(flag.name)) return flag
  const name = environment ?? ''
  const own = Object.hasOwn(flags, flag.name) ? flags[flag.name] : undefined
  return { ...flag, environments: [...flag.environments, { ...pristine(name), ...own, name }] }
}

/** No event names the flags that lose a tag by it; each event of a flag names the tags that it had. */
function withLostTags(flag: FlagThen, event: PastEvent, had: readonly Tag[] | undefined): FlagThen {
  if (had === undefined) throw new Untold()
  return withTags(
    flag,
    had.filter((tag) => isLostBy(event, tag)),
  )
}

/** Whether a flag that has a tag loses it by an event. */
export function isLostBy(event: PastEvent, tag: Tag): boolean {
  const { type, value, name } = event.pre_data as { type?: string; value?: string; name?: string }
  return event.type === 'tag-deleted' ? tag.type === type && tag.value === value : tag.type === name
}
