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

/** Returns the filters of a built-in view in the current order of the list. */
export const toBuiltInSearch = (view: BuiltInView, search: FlagSearch): FlagSearch => ({
  ...withoutFilters(search),
  ...BUILT_IN_VIEWS[view],
})

/** Returns true if the list shows a built-in view, in any order. */
export const isBuiltInView = (view: BuiltInView, { named: _, ...search }: FlagSearch): boolean =>
  isSame(toBuiltInSearch(view, search), search)
