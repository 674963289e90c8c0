import type { Event } from '@burgee/protocol/event'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type EventQuery, searchEvents } from '../api/events.ts'
import { EVENT_STREAM } from '../shell/live/event-stream.ts'

const PAGE_SIZE = 50
const MAX_NEW_EVENTS = 100
const REFRESH_MS = 5000

/** Part of the event log that is loaded, including new events. */
export interface EventLog {
  /** Displayed events, newest first; undefined while loading. */
  readonly events: readonly Event[] | undefined
  /** Total number of events that match the filters. */
  readonly total: number
  /** Number of new events that are held back while the user is reading. */
  readonly newCount: number
  readonly showNew: () => void
  readonly isLive: boolean
  readonly error: Error | null
  readonly refetch: () => unknown
  /** Loads older events; undefined while loading, and if there are none. */
  readonly more: (() => void) | undefined
  readonly isLoadingMore: boolean
}

/**
 * Returns the live event log. After each change (or every few seconds if there is no stream), fetches only the events
 * after the newest known event. New events appear at the top at once. While `isReading` returns true, new events are
 * held back, because new rows would move the rows that the user is reading.
 */
export function useEventLog(query: EventQuery, isReading: () => boolean): EventLog {
  const pages = useInfiniteQuery({
    queryKey: ['events', 'log', query],
    queryFn: ({ pageParam }) => searchEvents(query, { beforeId: pageParam, limit: PAGE_SIZE }),
    initialPageParam: undefined as number | undefined,
    staleTime: 0,
    getNextPageParam: ({ events }) => (events.length < PAGE_SIZE ? undefined : events.at(-1)?.id),
  })
  const loaded = pages.data?.pages.flatMap(({ events }) => events)
  const { news, shownUpTo, show, isFailing } = useNewEvents(query, loaded, isReading)
  const visible = news.filter(({ id }) => id <= shownUpTo)
  return {
    events: loaded && [...visible, ...loaded],
    total: (pages.data?.pages[0]?.total ?? 0) + visible.length,
    newCount: news.length - visible.length,
    showNew: show,
    isLive: !isFailing,
    error: loaded === undefined ? pages.error : null,
    refetch: pages.refetch,
    more: pages.hasNextPage && !pages.isFetchingNextPage ? () => void pages.fetchNextPage() : undefined,
    isLoadingMore: pages.isFetchingNextPage,
  }
}

function useNewEvents(query: EventQuery, loaded: readonly Event[] | undefined, isReading: () => boolean) {
  const queries = useQueryClient()
  const [all, setAll] = useState<readonly Event[]>([])
  const [shownUpTo, setShownUpTo] = useState(0)
  const first = loaded?.[0]?.id ?? 0
  const news = all.filter(({ id }) => id > first)
  const newest = news[0]?.id ?? first
  const isStreamOpen = useSyncExternalStore(EVENT_STREAM.subscribe, EVENT_STREAM.isOpen)
  const poll = useQuery({
    queryKey: ['news', query, newest],
    queryFn: () => searchEvents(query, { afterId: newest, limit: MAX_NEW_EVENTS }),
    enabled: loaded !== undefined,
    refetchInterval: isStreamOpen ? false : REFRESH_MS,
    staleTime: 0,
    gcTime: 0,
  })
  const { data } = poll
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response is applied once, on arrival
  useEffect(() => {
    if (data === undefined || data.events.length === 0) return
    if (data.total > data.events.length) return void queries.invalidateQueries({ queryKey: ['events', 'log', query] })
    setAll([...data.events.filter(({ id }) => id > newest), ...news])
    if (!isReading()) setShownUpTo(data.events[0]?.id ?? 0)
  }, [data])
  const show = (): void => setShownUpTo(newest)
  return { news, shownUpTo, show, isFailing: poll.isError || poll.failureCount > 0 }
}
