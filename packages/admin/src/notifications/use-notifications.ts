import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { notifications } from '../api/events.ts'
import { EVENT_STREAM } from '../shell/live/event-stream.ts'

/** How often is asked where the server does not tell what happens. */
const REFRESH_MS = 60_000

/** The newest that concern me; they follow the event stream, and are asked for again and again only without it. */
export function useNotifications(limit: number, enabled = true) {
  const isTold = useSyncExternalStore(EVENT_STREAM.subscribe, EVENT_STREAM.isOpen)
  return useQuery({
    queryKey: ['notifications', limit],
    queryFn: () => notifications(limit),
    refetchInterval: isTold ? false : REFRESH_MS,
    enabled,
  })
}
