import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { Event } from '@burgee/protocol/event'
import { useQuery } from '@tanstack/react-query'
import { fetchFlagEvents } from '../../api/events.ts'
import { joinParts } from '../../events/event-sentence.ts'
import { useEventSentences } from '../../events/sentence.tsx'
import { type RolloutHistory, traceRollout } from './rollout-history.ts'

/** Maximum number of events from which the charts are derived. */
const MAX_EVENTS = 200

/** Changes to a flag, for its charts. */
export interface FlagChanges {
  /** False until the events are loaded. */
  readonly isLoaded: boolean
  /** Time at which the flag was created or, if that event is not loaded, time of the oldest loaded event. */
  readonly from: number
  readonly trace: (environment: string) => RolloutHistory
  readonly describe: (event: Event) => string
}

/** Returns the changes to a flag, derived from its latest events. */
export function useFlagChanges(flag: AdminFeature): FlagChanges {
  const { data } = useQuery({
    queryKey: ['events', 'flag', flag.name, MAX_EVENTS],
    queryFn: () => fetchFlagEvents(flag.name, 0, MAX_EVENTS),
    staleTime: 0,
  })
  const events = data?.events ?? []
  const sentences = useEventSentences(events)
  const isWhole = data !== undefined && data.totalEvents <= events.length
  const oldest = events.at(-1)
  return {
    isLoaded: data !== undefined,
    from: Date.parse(isWhole || oldest === undefined ? flag.createdAt : oldest.createdAt),
    trace: (environment) => traceRollout(flag, environment, events),
    describe: (event) => `${sentences.nameAuthor(event)} ${joinParts(sentences.describe(event))}`,
  }
}
