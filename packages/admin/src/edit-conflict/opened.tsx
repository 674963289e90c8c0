import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Tagged } from '../api/http.ts'
import { Loaded } from '../ui/page/list-page.tsx'

interface Props<T> {
  /** Kind and name of what is edited; undefined for a new one. */
  readonly of: readonly unknown[] | undefined
  readonly read: () => Promise<Tagged<T>>
  readonly children: (opened: Tagged<T> | undefined) => ReactNode
}

/**
 * What an editor begins with: a thing as it is when the editor opens, with its state; not what the page got some time
 * ago, and not changed again under the person's hands.
 */
export function Opened<T>({ of, read, children }: Props<T>) {
  const answer = useQuery({
    queryKey: ['opened', ...(of ?? [])],
    queryFn: read,
    enabled: of !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return of === undefined ? children(undefined) : <Loaded answer={answer}>{children}</Loaded>
}
