import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import type { Tag } from '@burgee/protocol/event'
import * as api from '../../api/bulk.ts'

/** Something that can be done with several flags at once. */
export type BulkAction =
  | { readonly kind: 'tag'; readonly tag: Tag; readonly add: boolean }
  | { readonly kind: 'switch'; readonly environment: string; readonly on: boolean }
  | { readonly kind: 'stale'; readonly stale: boolean }
  | { readonly kind: 'archive'; readonly archived: boolean }

/** Parts of the dialog of several flags. */
export type BulkKind = BulkAction['kind']

/** The flags that an action changes; what is so already is left alone. */
export function changing(action: BulkAction, flags: readonly FeatureListItem[]): FeatureListItem[] {
  switch (action.kind) {
    case 'tag':
      return flags.filter((flag) => hasTag(flag, action.tag) !== action.add)
    case 'switch':
      return flags.filter((flag) =>
        flag.environments.some(({ name, enabled }) => name === action.environment && enabled !== action.on),
      )
    case 'stale':
      return flags.filter(({ stale }) => stale !== action.stale)
    case 'archive':
      return flags.filter(({ archivedAt }) => (archivedAt !== null) !== action.archived)
  }
}

const hasTag = ({ tags }: FeatureListItem, { type, value }: Tag): boolean =>
  tags.some((tag) => tag.type === type && tag.value === value)

/** What takes an action back, for the flags that it changed. */
export function reverse(action: BulkAction): BulkAction {
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

/** A flag as it is after an action, to show before the server has answered. */
export function after(action: BulkAction, flag: FeatureListItem): FeatureListItem {
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

/** Flags that an action turns on where all their strategies are disabled: these are enabled with it. */
export function activated(action: BulkAction, flags: readonly FeatureListItem[]): string[] {
  if (action.kind !== 'switch' || !action.on) return []
  const isMeant = ({ name, hasStrategies, hasEnabledStrategies }: FeatureListItem['environments'][number]) =>
    name === action.environment && hasStrategies && !hasEnabledStrategies
  return changing(action, flags).flatMap(({ name, environments }) => (environments.some(isMeant) ? [name] : []))
}

/** Turns flags on or off; those in `activate` by enabling their disabled strategies. */
async function turn(
  place: { readonly project: string; readonly environment: string },
  features: readonly string[],
  { on, activate }: { readonly on: boolean; readonly activate: readonly string[] },
): Promise<void> {
  const others = features.filter((name) => !activate.includes(name))
  if (others.length > 0) await api.setAllEnabled(place, others, on)
  if (activate.length > 0) await api.setAllEnabled(place, activate, on, true)
}

/**
 * Does it, for all of the flags or for none. Flags in `activate` are turned on by enabling their disabled strategies, in
 * a second call.
 */
export function perform(
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
      return turn({ project, environment: action.environment }, features, { on: action.on, activate })
    case 'stale':
      return api.setAllStale(project, features, action.stale)
    case 'archive':
      return action.archived ? api.archiveAll(project, features) : api.reviveAll(project, features)
  }
}
