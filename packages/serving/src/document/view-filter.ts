import type { Tag } from '@burgee/protocol/event'
import type { FlagEntry } from './environment-document.ts'

/** Filter that selects the flags of an environment for a client. */
export interface ViewFilter {
  /** Project ids; `['*']` means all current and future projects. */
  readonly projects: readonly string[]
  readonly namePrefix?: string | undefined
  /** Tags of which a flag needs at least one; flags with unknown tags always pass. An empty list sets no condition. */
  readonly tags?: readonly Tag[] | undefined
}

/**
 * Returns a predicate that tests a flag against a filter. A flag without a project passes every project filter. A flag
 * with unknown tags passes every tag filter, because a client that does not receive a flag evaluates it as off.
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
