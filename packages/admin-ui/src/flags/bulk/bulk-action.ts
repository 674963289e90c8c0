import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import type { Tag } from '@burgee/protocol/event'
import * as api from '../../api/bulk.ts'

/** Action on several flags. */
export type BulkAction =
  | { readonly kind: 'tag'; readonly tag: Tag; readonly add: boolean }
  | { readonly kind: 'switch'; readonly environment: string; readonly on: boolean }
  | { readonly kind: 'stale'; readonly stale: boolean }
  | { readonly kind: 'archive'; readonly archived: boolean }

const NO_DRAFT: ReadonlySet<string> = new Set()

/** Kind of bulk action. */
export type BulkKind = BulkAction['kind']

/**
 * Returns the flags that an action would change. Excludes flags that are already in the requested state. When flags are
 * switched, those in `drafted`, which the user's draft for the environment changes, are included anyway.
 */
export function filterChanged(
  action: BulkAction,
  flags: readonly FeatureListItem[],
  drafted: ReadonlySet<string> = NO_DRAFT,
): FeatureListItem[] {
  switch (action.kind) {
    case 'tag':
      return flags.filter((flag) => hasTag(flag, action.tag) !== action.add)
    case 'switch':
      return flags.filter((flag) =>
        flag.environments.some(
          ({ name, enabled }) => name === action.environment && (enabled !== action.on || drafted.has(flag.name)),
        ),
      )
    case 'stale':
      return flags.filter(({ stale }) => stale !== action.stale)
    case 'archive':
      return flags.filter(({ archivedAt }) => (archivedAt !== null) !== action.archived)
  }
}

const hasTag = ({ tags }: FeatureListItem, { type, value }: Tag): boolean =>
  tags.some((tag) => tag.type === type && tag.value === value)

/** Returns the action that would undo an action on the flags that it changed. */
export function reverseAction(action: BulkAction): BulkAction {
  switch (action.kind) {
    case 'tag':
      return { ...action, add: !action.add }
    case 'switch':
      return { ...action, on: !action.on }
    case 'stale':
      return { ...action, stale: !action.stale }
    case 'archive':
      return { ...action, archived: !action.archived }
  }
}

/** Returns a flag as it would be after an action, for the optimistic update. */
export function applyAction(action: BulkAction, flag: FeatureListItem): FeatureListItem {
  switch (action.kind) {
    case 'tag': {
      const others = flag.tags.filter(({ type, value }) => type !== action.tag.type || value !== action.tag.value)
      return { ...flag, tags: action.add ? [...others, action.tag] : others }
    }
    case 'switch':
      return {
        ...flag,
        environments: flag.environments.map((one) =>
          one.name === action.environment ? { ...one, enabled: action.on } : one,
        ),
      }
    case 'stale':
      return { ...flag, stale: action.stale }
    case 'archive':
      return flag
  }
}

/**
 * Returns the flags to be turned on that have only disabled strategies. The action also enables these disabled
 * strategies.
 */
export function listActivated(action: BulkAction, flags: readonly FeatureListItem[]): string[] {
  if (action.kind !== 'switch' || !action.on) return []
  const isMeant = ({ name, hasStrategies, hasEnabledStrategies }: FeatureListItem['environments'][number]) =>
    name === action.environment && hasStrategies && !hasEnabledStrategies
  return filterChanged(action, flags).flatMap(({ name, environments }) => (environments.some(isMeant) ? [name] : []))
}

/** Turns flags on or off. For flags in `activate`, also enables their disabled strategies. */
async function setFlagsEnabled(
  place: { readonly project: string; readonly environment: string },
  features: readonly string[],
  { on, activate }: { readonly on: boolean; readonly activate: readonly string[] },
): Promise<void> {
  const others = features.filter((name) => !activate.includes(name))
  if (others.length > 0) await api.setAllEnabled(place, others, on)
  if (activate.length > 0) await api.setAllEnabled(place, activate, on, true)
}

/**
 * Performs an action. Each call changes its flags atomically (all flags or none). Flags in `activate` are turned on in
 * a second call, which enables their disabled strategies.
 */
export function performBulkAction(
  project: string,
  action: BulkAction,
  features: readonly string[],
  activate: readonly string[] = [],
): Promise<void> {
  switch (action.kind) {
    case 'tag': {
      const tags = { addedTags: action.add ? [action.tag] : [], removedTags: action.add ? [] : [action.tag] }
      return api.changeAllTags(project, features, tags)
    }
    case 'switch':
      return setFlagsEnabled({ project, environment: action.environment }, features, { on: action.on, activate })
    case 'stale':
      return api.setAllStale(project, features, action.stale)
    case 'archive':
      return action.archived ? api.archiveAll(project, features) : api.reviveAll(project, features)
  }
}
