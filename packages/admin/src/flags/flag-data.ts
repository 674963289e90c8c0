import type { FeatureListItem } from '@burgee/protocol/admin'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { type FlagPage, type FlagQuery, hasSearch, listFlags, searchFlags } from '../api/flags.ts'

/** Rows of one request. */
export const PAGE = 100

/** The list as far as it is known: how many rows there are, and those that have come. */
export interface FlagRows {
  readonly total: number | undefined
  readonly row: (index: number) => FeatureListItem | undefined
  readonly error: unknown
  readonly retry: () => void
}

/** Rows of the list around those that are looked at; the server searches, sorts and cuts where it can. */
export function useFlagRows(query: FlagQuery, first: number, last: number): FlagRows {
  const search = useQuery({ queryKey: ['has-search'], queryFn: hasSearch, staleTime: Number.POSITIVE_INFINITY })
  const searched = useSearched(query, first, last, search.data === true)
  const listed = useListed(query, search.data === false)
  const rows = search.data === false ? listed : searched
  return search.error === null ? rows : { ...rows, error: search.error, retry: () => void search.refetch() }
}

function useSearched(query: FlagQuery, first: number, last: number, enabled: boolean): FlagRows {
  const from = Math.floor(first / PAGE)
  const numbers = Array.from({ length: Math.floor(last / PAGE) - from + 1 }, (_, index) => from + index)
  const pages = useQueries({
    queries: [...new Set([0, ...numbers])].map((number) => ({
      queryKey: ['flags', query.project, query, number],
      queryFn: async () => ({ number, ...(await searchFlags(query, number * PAGE, PAGE)) }),
      enabled,
      placeholderData: keepPreviousData<FlagPage & { number: number }>,
    })),
  })
  const byNumber = new Map(
    pages.flatMap(({ data }) => (data === undefined ? [] : [[data.number, data.features] as const])),
  )
  const failed = pages.find((page) => page.error !== null)
  return {
    total: pages.find((page) => page.data !== undefined)?.data?.total,
    row: (index) => byNumber.get(Math.floor(index / PAGE))?.[index % PAGE],
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}

function useListed(query: FlagQuery, enabled: boolean): FlagRows {
  const { project } = query
  const { data, error, refetch } = useQuery({
    queryKey: ['flags', project, 'list'],
    queryFn: () => listFlags(project),
    enabled,
  })
  const rows = data === undefined ? undefined : chosen(data, query)
  return { total: rows?.length, row: (index) => rows?.[index], error, retry: () => void refetch() }
}

/** What a server with search would answer. */
function chosen(features: readonly FeatureListItem[], query: FlagQuery): FeatureListItem[] {
  const text = (query.text ?? '').toLowerCase()
  const sign = query.order === 'asc' ? 1 : -1
  return features
    .filter(
      (flag) =>
        `${flag.name}\n${flag.description ?? ''}`.toLowerCase().includes(text) &&
        (query.type === undefined || flag.type === query.type) &&
        (query.state === undefined || flag.stale === (query.state === 'stale')) &&
        (query.tag === undefined || flag.tags.some((tag) => `${tag.type}:${tag.value}` === query.tag)),
    )
    .sort((a, b) => sign * ((a[query.sort] ?? '') < (b[query.sort] ?? '') ? -1 : 1))
}
