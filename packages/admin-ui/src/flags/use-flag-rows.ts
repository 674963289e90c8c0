import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type FlagQuery, PAGE_ROWS } from '../api/first/flag-search.ts'
import { type FlagListPage, type ListedFlag, searchFlags } from '../api/flags.ts'

/** Loaded part of the list with the total number of rows. */
export interface FlagRows {
  readonly total: number | undefined
  readonly row: (index: number) => ListedFlag | undefined
  /** Returns the index of a flag; undefined if the flag is not loaded. */
  readonly indexOf: (name: string) => number | undefined
  /** All loaded rows in the order of the list. */
  readonly loaded: readonly ListedFlag[]
  readonly error: unknown
  readonly retry: () => void
}

/** Returns the query for page `number` of a list. */
export const getFlagPageQuery = (query: FlagQuery, number: number) => ({
  queryKey: ['flags', query.project, query, number],
  queryFn: async () => ({ number, ...(await searchFlags(query, number * PAGE_ROWS, PAGE_ROWS)) }),
})

/** Indexes of the first and last row of a visible range. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

const getPageNumber = (index: number): number => Math.floor(index / PAGE_ROWS)

/** Returns true if both ranges lie on the same pages, so that nothing more needs to be fetched. */
export const coverSamePages = (a: RowRange, b: RowRange): boolean =>
  getPageNumber(a.first) === getPageNumber(b.first) && getPageNumber(a.last) === getPageNumber(b.last)

/** Fetches the visible rows of the list and their neighbors. The server searches, sorts and paginates. */
export function useFlagRows(query: FlagQuery, first: number, last: number, enabled = true): FlagRows {
  const from = getPageNumber(first)
  const numbers = Array.from({ length: getPageNumber(last) - from + 1 }, (_, index) => from + index)
  const pages = useQueries({
    queries: [...new Set([0, ...numbers])].map((number) => ({
      ...getFlagPageQuery(query, number),
      enabled,
      placeholderData: keepPreviousData<FlagListPage & { number: number }>,
    })),
  })
  const byNumber = new Map(
    pages.flatMap(({ data }) => (data === undefined ? [] : [[data.number, data.features] as const])),
  )
  const indexOf = (name: string): number | undefined => {
    for (const [number, features] of byNumber) {
      const index = features.findIndex((flag) => flag.name === name)
      if (index >= 0) return number * PAGE_ROWS + index
    }
    return undefined
  }
  const failed = pages.find((page) => page.error !== null)
  return {
    total: pages.find((page) => page.data !== undefined)?.data?.total,
    row: (index) => byNumber.get(getPageNumber(index))?.[index % PAGE_ROWS],
    indexOf,
    loaded: [...byNumber].sort(([a], [b]) => a - b).flatMap(([, features]) => features),
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}
