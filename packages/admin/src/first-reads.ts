import type { QueryClient } from '@tanstack/react-query'
import { ENVIRONMENTS } from './api/queries.ts'
import { type FirstPlace, firstList } from './flags/first-list.ts'
import { flagPageQuery } from './flags/use-flag-rows.ts'
import { ME } from './shell/session/session.tsx'

/**
 * Begins to read what the list of flags needs where that is the first page, beside the drawing of what is around it. Whoever
 * needs it finds it coming, or asks again where it failed.
 */
export function beginFirstReads(queries: QueryClient, place: FirstPlace): void {
  const query = firstList(place)
  if (query === undefined) return
  void queries.prefetchQuery(ME)
  void queries.prefetchQuery(flagPageQuery(query, 0))
  void queries.prefetchQuery(ENVIRONMENTS)
}
