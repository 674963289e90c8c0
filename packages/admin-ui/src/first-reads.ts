import type { QueryClient } from '@tanstack/react-query'
import type { FirstRead } from './api/first/first-paths.ts'
import type { FlagQuery } from './api/first/flag-search.ts'
import { ENVIRONMENTS } from './api/queries.ts'
import { type InitialUrl, parseInitialQuery } from './flags/first-list.ts'
import { getFlagPageQuery } from './flags/use-flag-rows.ts'
import { ME } from './shell/session/session.tsx'

/** Prefetch function for each of the page's first requests. The type requires exactly one function per request. */
const PREFETCHES: Readonly<Record<FirstRead, (queries: QueryClient, query: FlagQuery) => Promise<void>>> = {
  me: (queries) => queries.prefetchQuery(ME),
  flags: (queries, query) => queries.prefetchQuery(getFlagPageQuery(query, 0)),
  environments: (queries) => queries.prefetchQuery(ENVIRONMENTS),
}

/**
 * If the app starts with the flag list, starts its requests in parallel with rendering the layout. Components later
 * find the pending requests in the cache, and retry the failed ones.
 */
export function startFirstReads(queries: QueryClient, place: InitialUrl): void {
  const query = parseInitialQuery(place)
  if (query === undefined) return
  for (const prefetch of Object.values(PREFETCHES)) void prefetch(queries, query)
}
