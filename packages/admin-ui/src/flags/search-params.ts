import type { FlagQuery, FlagSort } from '../api/first/flag-search.ts'
import { UNSORTED_FAVORITES } from './hidden-columns.ts'

/** URL parameters of the flag list. */
export interface FlagSearch {
  readonly q?: string
  readonly type?: string
  /** State of the flags: `active`, `potentially-stale`, `stale` or `archived`. */
  readonly state?: string
  readonly tag?: string
  /** Lifecycle stage of the flags, such as `live`. */
  readonly stage?: string
  /** Id of the user who created the flags. */
  readonly createdBy?: string
  /** Environments in which the flags are on or off. */
  readonly on?: string
  readonly off?: string
  /** True to list only flags that the user created or marked as a favorite. */
  readonly mine?: true
  readonly sort?: FlagSort
  readonly order?: 'asc' | 'desc'
  readonly create?: boolean
  /** Initial name of a new flag. */
  readonly named?: string
}

const TEXTS = ['q', 'type', 'state', 'tag', 'stage', 'on', 'off', 'createdBy'] as const
const FILTERS = [...TEXTS, 'mine'] as const
const SORTS: readonly FlagSort[] = ['name', 'type', 'createdAt', 'lastSeenAt']
/** Value of the parameter `state` that selects archived flags. */
export const ARCHIVED = 'archived'

/** Parses the URL parameters. Ignores invalid values. */
export function parseFlagSearch(given: Record<string, unknown>): FlagSearch {
  const texts = TEXTS.flatMap((name) => {
    const value = typeof given[name] === 'number' ? String(given[name]) : given[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  const sort = parseSort(given.sort)
  return {
    ...Object.fromEntries(texts),
    ...(given.mine === true ? { mine: true as const } : {}),
    ...(sort === undefined ? {} : { sort }),
    ...(given.order === 'desc' ? { order: 'desc' as const } : {}),
    ...(given.create === true ? { create: true } : {}),
    ...(typeof given.named === 'string' ? { named: given.named } : {}),
  }
}

function parseSort(given: unknown): FlagSort | undefined {
  if (typeof given === 'string' && /^environment:./.test(given)) return given as FlagSort
  return SORTS.find((one) => one === given)
}

/** Returns true if the URL filters the list. */
export const isFiltered = (search: FlagSearch): boolean => FILTERS.some((name) => search[name] !== undefined)

/** Returns true if the only filter is for potentially stale flags. */
export const isOverdueOnly = (search: FlagSearch): boolean =>
  search.state === 'potentially-stale' && isOnlyFilter(search, 'state')

/** Returns true if the only filter is for flags that the user created or marked as a favorite. */
export const isMineOnly = (search: FlagSearch): boolean => search.mine === true && isOnlyFilter(search, 'mine')

const isOnlyFilter = (search: FlagSearch, filter: (typeof FILTERS)[number]): boolean =>
  FILTERS.every((name) => name === filter || search[name] === undefined)

/** Removes the filters from the URL parameters. */
export function withoutFilters({ sort, order }: FlagSearch): FlagSearch {
  return { ...(sort === undefined ? {} : { sort }), ...(order === undefined ? {} : { order }) }
}

/** Builds the server query from the URL parameters and the hidden columns. */
export function buildFlagQuery(project: string, search: FlagSearch, hidden: ReadonlySet<string>): FlagQuery {
  const { q: text, type, state, tag, stage, on, off, createdBy, mine: isMine, sort = 'name', order = 'asc' } = search
  const isArchived = state === ARCHIVED
  const favoritesFirst = !hidden.has(UNSORTED_FAVORITES)
  const filters = { text, type, state: isArchived ? undefined : state, tag, stage, on, off, createdBy }
  return { project, ...filters, isMine, isArchived, sort, order, favoritesFirst }
}
