import { useQuery } from '@tanstack/react-query'
import type { Tagged } from '../api/http.ts'

/**
 * What an editor begins with: a thing as it is when the editor opens, with its state; not what the page got some time
 * ago, and not changed again under the person's hands.
 */
export const useOpened = <T>(queryKey: readonly unknown[], queryFn: () => Promise<Tagged<T>>) =>
  useQuery({ queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
