import type { FlagEdit } from '@burgee/protocol/administration/impact'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FlagEnvironment } from '../api/flags.ts'
import { fetchImpact } from '../api/strategies.ts'

/** Debounce delay while typing, in milliseconds. */
const DEBOUNCE_MS = 400
const FRESH_MS = 5000

/**
 * Fetches the effect of an edit on recent traffic. Undefined until the response arrives, and if the effect is
 * unavailable. When the edit changes, repeats the request after a pause, unless the environment is not sampled.
 */
export function useImpact(place: FlagEnvironment, edit: FlagEdit, isReady: boolean) {
  const wanted = JSON.stringify(edit)
  const asked = useDebounced(wanted)
  const [isIdle, setIdle] = useState(false)
  const { data, isError, isPlaceholderData } = useQuery({
    queryKey: ['impact', place, asked],
    queryFn: ({ signal }) => fetchImpact(place, JSON.parse(asked) as FlagEdit, signal),
    enabled: isReady && !isIdle,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
    retry: false,
  })
  const isUnsampled = data?.sampling === false
  useEffect(() => {
    if (isUnsampled) setIdle(true)
  }, [isUnsampled])
  if (isError || isUnsampled) return isError ? undefined : data
  // Never show the figures of a previous edit.
  return isReady && !isPlaceholderData && asked === wanted ? data : undefined
}

/** Returns the value after it has stayed the same for a while. */
function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
