import type { FlagQuery, FlagSort } from '../api/first/flag-search.ts'
import { UNSORTED_FAVORITES } from './hidden-columns.ts'

/** What the address of the list of flags says. */
export interface FlagSearch {
  readonly q?: string
  readonly type?: string
  /** `active`, `potentially-stale`, `stale` or `archived`. */
  readonly state?: string
  readonly tag?: string
  /** A stage of a flag's life, as `live`. */
  readonly stage?: string
  /** An environment in which they are on, or one in which they are off. */
  readonly on?: string
  readonly off?: string
  /** Those that the person made or likes. */
  readonly mine?: true
  readonly sort?: FlagSort
  readonly order?: 'asc' | 'desc'
  readonly create?: boolean
  /** What the flag is called that is to be made. */
  readonly named?: string
}

const TEXTS = ['q', 'type', 'state', 'tag', 'stage', 'on', 'off'] as const
const FILTERS = [...TEXTS, 'mine'] as const
const SORTS: readonly FlagSort[] = ['name', 'type', 'createdAt', 'lastSeenAt']
/** The state of flags that are out of use. */
export const ARCHIVED = 'archived'

/** Reads the address; what is not understood is left out. */
export function readFlagSearch(given: Record<string, unknown>): FlagSearch {
  const texts = TEXTS.flatMap((name) => {
    const value = typeof given[name] === 'number' ? String(given[name]) : given[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  const sort = sortOf(given.sort)
  return {
    ...Object.fromEntries(texts),
    ...(given.mine === true ? { mine: true as const } : {}),
    ...(sort === undefined ? {} : { sort }),
    ...(given.order === 'desc' ? { order: 'desc' as const } : {}),
    ...(given.create === true ? { create: true } : {}),
    ...(typeof given.named === 'string' ? { named: given.named } : {}),
  }
}

function sortOf(given: unknown): FlagSort | undefined {
  if (typeof given === 'string' && /^environment:./.test(given)) return given as FlagSort
  return SORTS.find((one) => one === given)
}

/** Whether the address keeps flags out of the list. */
export const isFiltered = (search: FlagSearch): boolean => FILTERS.some((name) => search[name] !== undefined)

/** Whether it asks for flags that are older than their type lives, whichever. */
export const asksForOverdue = (search: FlagSearch): boolean =>
  search.state === 'potentially-stale' && isAlone(search, 'state')

/** Whether it asks for the person's own flags, whichever. */
export const asksForMine = (search: FlagSearch): boolean => search.mine === true && isAlone(search, 'mine')

const isAlone = (search: FlagSearch, filter: (typeof FILTERS)[number]): boolean =>
  FILTERS.every((name) => name === filter || search[name] === undefined)

/** The address without what keeps flags out of the list. */
export function withoutFilters({ sort, order }: FlagSearch): FlagSearch {
  return { ...(sort === undefined ? {} : { sort }), ...(order === undefined ? {} : { order }) }
}

/** The address, and which columns are not to be seen, as a question to the server. */
export function queryOfSearch(project: string, search: FlagSearch, hidden: ReadonlySet<string>): FlagQuery {
  const { q: text, type, state, tag, stage, on, off, mine: isMine, sort = 'name', order = 'asc' } = search
  const isArchived = state === ARCHIVED
  const favoritesFirst = !hidden.has(UNSORTED_FAVORITES)
  const filters = { text, type, state: isArchived ? undefined : state, tag, stage, on, off, isMine, isArchived }
  return { project, ...filters, sort, order, favoritesFirst }
}
