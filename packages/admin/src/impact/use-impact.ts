import type { FlagEdit } from '@burgee/protocol/administration/impact'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FlagPlace } from '../api/flags.ts'
import { impactOf } from '../api/strategies.ts'

/** Somebody who types asks when they pause. */
const PAUSE_MS = 400
const FRESH_MS = 5000

/**
 * What an edit would change for recent traffic; undefined until that is known, and where it cannot be. Asked again when the
 * edit has become another one, after a pause, and where contexts are not sampled not a second time.
 */
export function useImpact(place: FlagPlace, edit: FlagEdit, isReady: boolean) {
  const wanted = JSON.stringify(edit)
  const asked = useSettled(wanted)
  const [isIdle, setIdle] = useState(false)
  const { data, isError, isPlaceholderData } = useQuery({
    queryKey: ['impact', place, asked],
    queryFn: ({ signal }) => impactOf(place, JSON.parse(asked) as FlagEdit, signal),
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
  // figures of another edit would be taken for those of this one
  return isReady && !isPlaceholderData && asked === wanted ? data : undefined
}

/** The value, once it has stayed the same for a while. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
