import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ENVIRONMENTS } from '../../api/queries.ts'
import { filterLive } from './production.ts'

const ENVIRONMENTS_ONCE = { ...ENVIRONMENTS, staleTime: Number.POSITIVE_INFINITY }

/**
 * Returns a function that finds the environments that serve real users. The list of environments is prefetched with the
 * page, so that clicks need not wait. If the prefetch failed, the list is fetched again. Unknown environments count as
 * live. Never rejects.
 */
export function useLiveCheck(): (names: readonly string[]) => Promise<string[]> {
  const queries = useQueryClient()
  useEffect(() => {
    void queries.prefetchQuery(ENVIRONMENTS_ONCE)
  }, [queries])
  return async (names) => {
    await queries.prefetchQuery(ENVIRONMENTS_ONCE)
    const all = queries.getQueryData<Awaited<ReturnType<typeof ENVIRONMENTS.queryFn>>>(ENVIRONMENTS.queryKey)
    return filterLive(names, all)
  }
}
