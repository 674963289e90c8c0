import type { Tag } from '@burgee/protocol/event'
import type { FlagEntry } from './environment-document.ts'

/** Which flags of an environment somebody gets. */
export interface ViewFilter {
  /** Project ids; `['*']` means all, also those to come. */
  readonly projects: readonly string[]
  readonly namePrefix?: string | undefined
  /** A flag needs one of these tags, unless its tags are not known; no tags, no condition. */
  readonly tags?: readonly Tag[] | undefined
}

/**
 * Says which flags a filter lets through. A flag of no project belongs to everybody. A condition on tags that are not known
 * lets a flag through: without it, whoever asks would have it off.
 */
export function selectionOf({ projects, namePrefix = '', tags = [] }: ViewFilter): (entry: FlagEntry) => boolean {
  const own = projects.includes('*') ? undefined : new Set([...projects, ''])
  return ({ name, project, tags: its }) =>
    (own === undefined || own.has(project)) &&
    (namePrefix === '' || name.startsWith(namePrefix)) &&
    (tags.length === 0 || its === undefined || tags.some((tag) => isAmong(tag, its)))
}

function isAmong({ type, value }: Tag, tags: readonly Tag[]): boolean {
  return tags.some((tag) => tag.type === type && tag.value === value)
}
