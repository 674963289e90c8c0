import type { EventNews } from '@burgee/protocol/event'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followEvents } from '../../api/live/followed-events.ts'
import type { Told } from '../../api/live/told.ts'
import { followsEvents, isAffected } from './affected-answers.ts'
import { EVENT_STREAM } from './event-stream.ts'

/** Delay that groups changes into one refetch, in milliseconds. */
const GATHERING_MS = 100
/** Minimum interval between refetches of a page, in milliseconds. */
const LEAST_BETWEEN_MS = 500
/**
 * Queries that every page has and that are expensive for the server, because all pages refetch them after each event.
 */
const COSTLY: ReadonlySet<unknown> = new Set(['notifications'])
const COSTLY_LEAST_BETWEEN_MS = 5000

/** Refetches visible queries after changes by other users. */
export function LiveEvents() {
  const queries = useQueryClient()
  useEffect(() => {
    const renewers = [
      renewer(queries, LEAST_BETWEEN_MS, ([kind]) => !COSTLY.has(kind)),
      renewer(queries, COSTLY_LEAST_BETWEEN_MS, ([kind]) => COSTLY.has(kind)),
    ]
    const leave = followEvents((told) => {
      if (told.kind !== 'state') for (const { hear } of renewers) hear(told)
      else if (told.isLive !== EVENT_STREAM.isOpen()) EVENT_STREAM.show(told.isLive)
    })
    return () => {
      leave()
      for (const { stop } of renewers) stop()
      EVENT_STREAM.show(false)
    }
  }, [queries])
  return null
}

interface Renewer {
  readonly hear: (news: Exclude<Told, { kind: 'state' }>) => void
  readonly stop: () => void
}

/** Creates a function that refetches some queries, selected by key, with a minimum interval. */
function renewer(queries: QueryClient, leastBetweenMs: number, isOwn: (key: QueryKey) => boolean): Renewer {
  let happened: EventNews[] = []
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
  const hear: Renewer['hear'] = (told) => {
    if (told.kind === 'gap') isGap = true
    else happened.push(...told.events)
    timer ??= window.setTimeout(renew, Math.max(GATHERING_MS, lastAt + leastBetweenMs - performance.now()))
  }
  return { hear, stop: () => clearTimeout(timer) }
}
