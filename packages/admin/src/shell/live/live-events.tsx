import type { EventNews } from '@burgee/protocol/event'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followEvents } from '../../api/live/followed-events.ts'
import type { Tell } from '../../api/live/told.ts'
import { followsEvents, isAffected } from './affected-answers.ts'
import { EVENT_STREAM } from './event-stream.ts'

/** Changes come in groups; one reading follows them all. */
const GATHERING_MS = 100
/** However much happens, the page is read anew no more often than this. */
const LEAST_BETWEEN_MS = 500

/** Reads anew what is on the page when somebody else has changed it. */
export function LiveEvents() {
  const queries = useQueryClient()
  useEffect(() => {
    const { hear, stop } = renewer(queries)
    const leave = followEvents(hear)
    return () => {
      leave()
      stop()
      EVENT_STREAM.show(false)
    }
  }, [queries])
  return null
}

function renewer(queries: QueryClient): { hear: Tell; stop: () => void } {
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
      predicate: ({ queryKey }) => (all ? followsEvents(queryKey) : isAffected(queryKey, news)),
      // a page that nobody looks at reads when somebody does
      refetchType: document.visibilityState === 'visible' ? 'active' : 'none',
    })
  }
  const hear: Tell = (told) => {
    if (told.kind === 'state') {
      if (told.isLive !== EVENT_STREAM.isOpen()) EVENT_STREAM.show(told.isLive)
      return
    }
    if (told.kind === 'gap') isGap = true
    else happened.push(...told.events)
    timer ??= window.setTimeout(renew, Math.max(GATHERING_MS, lastAt + LEAST_BETWEEN_MS - performance.now()))
  }
  return { hear, stop: () => clearTimeout(timer) }
}
