import { type FlagSearch, withoutFilters } from '../search-params.ts'
import { isSame } from './saved-views.ts'

/** Views that every user has, with their filters. */
export const BUILT_IN_VIEWS = {
  all: {},
  mine: { mine: true },
  live: { stage: 'live' },
  stale: { state: 'stale' },
} as const satisfies Readonly<Record<string, FlagSearch>>

/** Name of a view that every user has. */
export type BuiltInView = keyof typeof BUILT_IN_VIEWS

/** Returns the filters of a built-in view, together with the list's current sort order. */
export const toBuiltInSearch = (view: BuiltInView, search: FlagSearch): FlagSearch => ({
  ...withoutFilters(search),
  ...BUILT_IN_VIEWS[view],
})

/** Returns true if the list shows a built-in view, in any sort order. */
export const isBuiltInView = (view: BuiltInView, { named: _, ...search }: FlagSearch): boolean =>
  isSame(toBuiltInSearch(view, search), search)
