import type { Tag } from '@burgee/protocol/event'
import type { FlagEntry } from './environment-document.ts'

/** Filter for the flags of an environment that a client receives. */
export interface ViewFilter {
  /** Project ids; `['*']` means all projects, including future projects. */
  readonly projects: readonly string[]
  readonly namePrefix?: string | undefined
  /**
   * Tags to filter by: a flag needs at least one of the listed tags, unless the flag's tags are unknown. Empty means no
   * condition.
   */
  readonly tags?: readonly Tag[] | undefined
}

/**
 * Returns a predicate for a filter. A flag without a project passes any project filter. A flag with unknown tags passes
 * a tag filter, because a client that does not receive a flag evaluates it as off.
 */
export function createFlagPredicate({
  projects,
  namePrefix = '',
  tags = [],
}: ViewFilter): (entry: FlagEntry) => boolean {
  const own = projects.includes('*') ? undefined : new Set([...projects, ''])
  return ({ name, project, tags: its }) =>
    (own === undefined || own.has(project)) &&
    (namePrefix === '' || name.startsWith(namePrefix)) &&
    (tags.length === 0 || its === undefined || tags.some((tag) => isAmong(tag, its)))
}

function isAmong({ type, value }: Tag, tags: readonly Tag[]): boolean {
  return tags.some((tag) => tag.type === type && tag.value === value)
}
