import type { EventNews } from '@burgee/protocol/event'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followEvents } from '../../api/live/followed-events.ts'
import type { Told } from '../../api/live/told.ts'
import { followsEvents, isAffected } from './affected-answers.ts'
import { EVENT_STREAM } from './event-stream.ts'

/** Changes come in groups; one reading follows them all. */
const GATHERING_MS = 100
/** However much happens, the page is read anew no more often than this. */
const LEAST_BETWEEN_MS = 500
/** What is there on every page and costs the server many queries: everybody's pages ask for it after each event. */
const COSTLY: ReadonlySet<unknown> = new Set(['notifications'])
const COSTLY_LEAST_BETWEEN_MS = 5000

/** Reads anew what is on the page when somebody else has changed it. */
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

/** Reads some answers anew, by their keys, so often at most. */
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
      // a page that nobody looks at reads when somebody does
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
