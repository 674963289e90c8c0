import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { fetchNotifications } from '../api/events.ts'
import { EVENT_STREAM } from '../shell/live/event-stream.ts'

/** Polling interval without an event stream, in milliseconds. */
const REFRESH_MS = 60_000

/** Fetches the newest notifications. The query follows the event stream, and polls only while there is no stream. */
export function useNotifications(limit: number, enabled = true) {
  const isStreamOpen = useSyncExternalStore(EVENT_STREAM.subscribe, EVENT_STREAM.isOpen)
  return useQuery({
    queryKey: ['notifications', limit],
    queryFn: () => fetchNotifications(limit),
    refetchInterval: isStreamOpen ? false : REFRESH_MS,
    enabled,
  })
}
