import type { FeatureListItem } from '@burgee/protocol/admin'
import type { Tag } from '@burgee/protocol/event'
import * as api from '../api/bulk.ts'

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

/** Does it, for all of the flags or for none. */
export function perform(project: string, action: BulkAction, features: readonly string[]): Promise<void> {
  switch (action.kind) {
    case 'tag': {
      const tags = { addedTags: action.add ? [action.tag] : [], removedTags: action.add ? [] : [action.tag] }
      return api.changeAllTags(project, features, tags)
    }
    case 'switch':
      return api.setAllEnabled(project, action.environment, features, action.on)
    case 'stale':
      return api.setAllStale(project, features, action.stale)
    case 'archive':
      return action.archived ? api.archiveAll(project, features) : api.reviveAll(project, features)
  }
}
