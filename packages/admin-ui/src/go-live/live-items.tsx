import { Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../text/texts.tsx'
import { ProblemNotice } from '../ui/page/problem.tsx'
import { GoLiveDetails } from './go-live-details.tsx'
import { type LiveItem, MAX_SHOWN_CHANGES, planChanges } from './planned-change.ts'

interface Props {
  readonly items: readonly LiveItem[]
  /** Note for an environment in which the changes are added to a draft. */
  readonly guarded: string | undefined
}

/** Summary shown before changes go live, for dialogs in which the user chooses the changes. */
export function LiveItems({ items, guarded }: Props) {
  const t = useTexts()
  const queries = useQueryClient()
  const shown = items.slice(0, MAX_SHOWN_CHANGES)
  const { data, error, refetch } = useQuery({
    queryKey: ['planned-changes', shown],
    queryFn: () => planChanges(queries, shown),
    // Do not use cached states: they could be older than the data from which the user chose.
    gcTime: 0,
  })
  if (error !== null) return <ProblemNotice error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={96} role="status" aria-label={t.common.loading} />
  return <GoLiveDetails changes={data} hiddenCount={items.length - data.length} note={undefined} guarded={guarded} />
}
