import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../api/http.ts'
import { EVENT_STREAM } from '../live/event-stream.ts'

/** Interval between attempts to reach the server again, in milliseconds. */
const RETRY_MS = 5000
/** Request that reveals whether the server answers. The header of every page uses this request. */
const PROBE = ['notifications']

/**
 * Returns the time of the last successful request while the server does not answer; undefined while it answers. Retries
 * until the server answers again, then refetches the data of the page.
 */
export function useConnectionLoss(): Date | undefined {
  const queries = useQueryClient()
  const [lostSince, setLostSince] = useState<Date>()
  const isLost = lostSince !== undefined
  useEffect(() => {
    let answeredAt = new Date()
    return queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return
      if (event.action.type === 'success' && event.action.manual !== true) {
        answeredAt = new Date()
        setLostSince(undefined)
      } else if (isUnanswered(event.query)) setLostSince((known) => known ?? answeredAt)
    })
  }, [queries])
  useProbes()
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => void probe(queries), RETRY_MS)
    return () => {
      clearInterval(timer)
      void queries.refetchQueries({ type: 'active', stale: true })
    }
  }, [queries, isLost])
  return lostSince
}

/**
 * Sends a request when the event stream ends or a script cannot be loaded, to find out whether the server still
 * answers. This request is necessary because after a broken stream or a failed script, no other request might follow
 * that would reveal a lost connection.
 */
function useProbes(): void {
  const queries = useQueryClient()
  const isStreaming = useSyncExternalStore(EVENT_STREAM.subscribe, EVENT_STREAM.isOpen)
  const [wasStreaming, setWasStreaming] = useState(false)
  useEffect(() => {
    if (wasStreaming && !isStreaming) void probe(queries)
    setWasStreaming(isStreaming)
  }, [queries, isStreaming, wasStreaming])
  useEffect(() => {
    const onPreloadError = () => void probe(queries)
    window.addEventListener('vite:preloadError', onPreloadError)
    return () => window.removeEventListener('vite:preloadError', onPreloadError)
  }, [queries])
}

const probe = (queries: QueryClient) => queries.refetchQueries({ queryKey: PROBE, type: 'active' })

function isUnanswered({ state: { error, fetchFailureReason } }: Query): boolean {
  const problem = error ?? fetchFailureReason
  return problem instanceof ApiError && problem.isUnanswered && !problem.isTimeout
}
