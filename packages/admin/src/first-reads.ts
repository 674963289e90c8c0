import type { QueryClient } from '@tanstack/react-query'
import type { FirstRead } from './api/first/first-paths.ts'
import type { FlagQuery } from './api/first/flag-search.ts'
import { ENVIRONMENTS } from './api/queries.ts'
import { type FirstPlace, firstList } from './flags/first-list.ts'
import { flagPageQuery } from './flags/use-flag-rows.ts'
import { ME } from './shell/session/session.tsx'

/** How each of the first reads comes into the cache: none of them is missing here, and there is no other. */
const PREFETCHES: Readonly<Record<FirstRead, (queries: QueryClient, query: FlagQuery) => Promise<void>>> = {
  me: (queries) => queries.prefetchQuery(ME),
  flags: (queries, query) => queries.prefetchQuery(flagPageQuery(query, 0)),
  environments: (queries) => queries.prefetchQuery(ENVIRONMENTS),
}

/**
 * Begins to read what the list of flags needs where that is the first page, beside the drawing of what is around it. Whoever
 * needs it finds it coming, or asks again where it failed.
 */
export function beginFirstReads(queries: QueryClient, place: FirstPlace): void {
  const query = firstList(place)
  if (query === undefined) return
  for (const prefetch of Object.values(PREFETCHES)) void prefetch(queries, query)
}
