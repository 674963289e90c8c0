import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { WithEtag } from '../api/http.ts'
import { Loaded } from '../ui/page/list-page.tsx'

interface Props<T> {
  /** Kind and name of the edited resource; undefined for a new resource. */
  readonly of: readonly unknown[] | undefined
  readonly read: () => Promise<WithEtag<T>>
  readonly children: (opened: WithEtag<T> | undefined) => ReactNode
}

/**
 * Fetches the current resource with its ETag when an editor opens. Ignores older cached data. Does not refetch during
 * editing.
 */
export function EditorLoader<T>({ of, read, children }: Props<T>) {
  const answer = useQuery({
    queryKey: ['opened', ...(of ?? [])],
    queryFn: read,
    enabled: of !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return of === undefined ? children(undefined) : <Loaded answer={answer}>{children}</Loaded>
}
