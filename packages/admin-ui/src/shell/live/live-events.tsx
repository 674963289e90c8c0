import type { EventSummary } from '@burgee/protocol/event'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { subscribeToEvents } from '../../api/live/event-subscription.ts'
import type { LiveMessage } from '../../api/live/live-message.ts'
import { followsEvents, isAffected } from './affected-queries.ts'
import { EVENT_STREAM } from './event-stream.ts'

/** Delay in milliseconds, so that several changes cause only one refetch. */
const BATCH_DELAY_MS = 100
/** Minimum interval between refetches of a page, in milliseconds. */
const MIN_REFETCH_INTERVAL_MS = 500
/**
 * Queries that every page contains. These queries are expensive for the server, because all open pages refetch them
 * after each event, so their minimum interval is longer.
 */
const COSTLY_QUERIES: ReadonlySet<unknown> = new Set(['notifications'])
const MIN_COSTLY_REFETCH_INTERVAL_MS = 5000

/** Component that refetches visible queries after changes by other users. */
export function LiveEvents() {
  const queries = useQueryClient()
  useEffect(() => {
    const renewers = [
      createRefetcher(queries, MIN_REFETCH_INTERVAL_MS, ([kind]) => !COSTLY_QUERIES.has(kind)),
      createRefetcher(queries, MIN_COSTLY_REFETCH_INTERVAL_MS, ([kind]) => COSTLY_QUERIES.has(kind)),
    ]
    const leave = subscribeToEvents((message) => {
      if (message.kind === 'delivery') refetchReceipts(queries)
      else if (message.kind !== 'state') for (const { hear } of renewers) hear(message)
      else if (message.isLive !== EVENT_STREAM.isOpen()) EVENT_STREAM.show(message.isLive)
    })
    return () => {
      leave()
      for (const { stop } of renewers) stop()
      EVENT_STREAM.show(false)
    }
  }, [queries])
  return null
}

interface Refetcher {
  readonly hear: (news: Exclude<LiveMessage, { kind: 'state' | 'delivery' }>) => void
  readonly stop: () => void
}

/** Refetches visible receipts. The server itself limits how many messages about receipts it sends. */
function refetchReceipts(queries: QueryClient): void {
  void queries.invalidateQueries({
    predicate: ({ queryKey: [kind] }) => kind === 'delivery' || kind === 'fleet',
    refetchType: document.visibilityState === 'visible' ? 'active' : 'none',
  })
}

/** Creates a function that refetches some queries, selected by key, with a minimum interval. */
function createRefetcher(queries: QueryClient, leastBetweenMs: number, isOwn: (key: QueryKey) => boolean): Refetcher {
  let happened: EventSummary[] = []
  let isGap = false
  let timer: number | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  const renew = () => {
    timer = undefined
    lastAt = performance.now()
    const news = happened
    const all = isGap
    happened = []
    isGap = false
    void queries.invalidateQueries({
      predicate: ({ queryKey: key }) => isOwn(key) && (all ? followsEvents(key) : isAffected(key, news)),
      // Hidden pages refetch when they become visible.
      refetchType: document.visibilityState === 'visible' ? 'active' : 'none',
    })
  }
  const hear: Refetcher['hear'] = (told) => {
    if (told.kind === 'gap') isGap = true
    else happened.push(...told.events)
    timer ??= window.setTimeout(renew, Math.max(BATCH_DELAY_MS, lastAt + leastBetweenMs - performance.now()))
  }
  return { hear, stop: () => clearTimeout(timer) }
}
