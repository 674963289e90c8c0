import type { FlagEdit, Impact } from '@burgee/protocol/administration/impact'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FlagEnvironment } from '../api/flags.ts'
import { fetchImpact } from '../api/strategies.ts'

/** Debounce delay while typing, in milliseconds. */
const DEBOUNCE_MS = 400
const FRESH_MS = 5000

/** Impact in an environment whose traffic is not sampled. */
const UNSAMPLED: Impact = {
  sampling: false,
  evaluations: 0,
  offToOn: 0,
  onToOff: 0,
  otherVariant: 0,
  from: null,
  to: null,
}

/**
 * Fetches the effect of an edit on recent traffic. Returns undefined until the response arrives, and if the effect is
 * unavailable. When the edit changes, requests the effect again after a pause, unless the environment is not sampled.
 * Reset the queries `['impact']` once sampling has been turned on.
 */
export function useImpact(place: FlagEnvironment, edit: FlagEdit, isReady: boolean): Impact | undefined {
  const queries = useQueryClient()
  const wanted = JSON.stringify(edit)
  const requested = useDebounced(wanted)
  const unsampledKey = ['impact', 'unsampled', place.environment]
  const { data: isIdle = false } = useQuery<boolean>({
    queryKey: unsampledKey,
    queryFn: () => false,
    enabled: false,
    gcTime: FRESH_MS,
  })
  const { data, isError, isPlaceholderData } = useQuery({
    queryKey: ['impact', place, requested],
    queryFn: async ({ signal }) => {
      const impact = await fetchImpact(place, JSON.parse(requested) as FlagEdit, signal)
      if (!impact.sampling) queries.setQueryData(unsampledKey, true)
      return impact
    },
    enabled: isReady && !isIdle,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
    retry: false,
  })
  if (isIdle) return UNSAMPLED
  if (isError) return undefined
  // Never show the figures of a previous edit.
  return isReady && !isPlaceholderData && requested === wanted ? data : undefined
}

/** Returns the latest value that has stayed the same for a while. */
function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
