import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ENVIRONMENTS } from '../../api/queries.ts'
import { liveAmong } from './production.ts'

const KNOWN_ONCE = { ...ENVIRONMENTS, staleTime: Number.POSITIVE_INFINITY }

/**
 * Which of some environments real users see, before something is done there: the list is asked for with the page, so that
 * a click waits for nothing, and again where it has not come; what stays unknown is taken for live. Never rejects.
 */
export function useLiveCheck(): (names: readonly string[]) => Promise<string[]> {
  const queries = useQueryClient()
  useEffect(() => {
    void queries.prefetchQuery(KNOWN_ONCE)
  }, [queries])
  return async (names) => {
    await queries.prefetchQuery(KNOWN_ONCE)
    const all = queries.getQueryData<Awaited<ReturnType<typeof ENVIRONMENTS.queryFn>>>(ENVIRONMENTS.queryKey)
    return liveAmong(names, all)
  }
}
