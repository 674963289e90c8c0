import type { Inbox } from '@burgee/protocol/administration/inbox'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { INBOX_PATH } from '../api/first/first-paths.ts'
import { call } from '../api/http.ts'
import { EVENT_STREAM } from '../shell/live/event-stream.ts'

/** Polling interval without an event stream, in milliseconds. */
const REFRESH_MS = 60_000
/**
 * Polling interval with an event stream, in milliseconds. Polling is still necessary, because failed deliveries and
 * expiring tokens write no events.
 */
const SLOW_REFRESH_MS = 300_000

/** Fetches the tasks that await the user in all projects. The query follows the event stream. */
export function useInbox(enabled = true) {
  const isStreamOpen = useSyncExternalStore(EVENT_STREAM.subscribe, EVENT_STREAM.isOpen)
  return useQuery({
    queryKey: ['inbox'],
    queryFn: () => call<Inbox>('GET', INBOX_PATH),
    refetchInterval: isStreamOpen ? SLOW_REFRESH_MS : REFRESH_MS,
    enabled,
  })
}
