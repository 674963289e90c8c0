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

/** How long the page may wait for all of them: they come together, and a page without rows would be drawn for nothing. */
const PATIENCE_MS = 50

/**
 * Begins to read what the list of flags needs where that is the first page. Resolves when it is there, or when it takes so
 * long that the page is better drawn without it. Whoever needs it finds it coming, or asks again where it failed.
 */
export async function beginFirstReads(queries: QueryClient, place: FirstPlace): Promise<void> {
  const query = firstList(place)
  if (query === undefined) return
  const reads = Object.values(PREFETCHES).map((prefetch) => prefetch(queries, query))
  await Promise.race([Promise.all(reads), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}
