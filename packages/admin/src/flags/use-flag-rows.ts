import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type FlagQuery, PAGE_ROWS } from '../api/first/flag-search.ts'
import { type FlagPage, searchFlags } from '../api/flags.ts'

/** The list as far as it is known: how many rows there are, and those that have come. */
export interface FlagRows {
  readonly total: number | undefined
  readonly row: (index: number) => FeatureListItem | undefined
  /** Where a flag is, as far as it has come. */
  readonly indexOf: (name: string) => number | undefined
  /** All rows that have come, in their order. */
  readonly loaded: readonly FeatureListItem[]
  readonly error: unknown
  readonly retry: () => void
}

/** Some rows of a list as a query: those of its page `number`. */
export const flagPageQuery = (query: FlagQuery, number: number) => ({
  queryKey: ['flags', query.project, query, number],
  queryFn: async () => ({ number, ...(await searchFlags(query, number * PAGE_ROWS, PAGE_ROWS)) }),
})

/** Places of the first and the last row of some that are looked at. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

const pageOf = (index: number): number => Math.floor(index / PAGE_ROWS)

/** Whether rows are of the same pages, so that nothing else is to be asked for. */
export const areOfSamePages = (a: RowRange, b: RowRange): boolean =>
  pageOf(a.first) === pageOf(b.first) && pageOf(a.last) === pageOf(b.last)

/** Rows of the list around those that are looked at; the server searches, sorts and cuts. */
export function useFlagRows(query: FlagQuery, first: number, last: number, enabled = true): FlagRows {
  const from = pageOf(first)
  const numbers = Array.from({ length: pageOf(last) - from + 1 }, (_, index) => from + index)
  const pages = useQueries({
    queries: [...new Set([0, ...numbers])].map((number) => ({
      ...flagPageQuery(query, number),
      enabled,
      placeholderData: keepPreviousData<FlagPage & { number: number }>,
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
    row: (index) => byNumber.get(pageOf(index))?.[index % PAGE_ROWS],
    indexOf,
    loaded: [...byNumber].sort(([a], [b]) => a - b).flatMap(([, features]) => features),
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}
