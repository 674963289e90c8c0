import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api/http.ts'

const MAX_RETRIES = 2

/** Returns true for reads that got no response and did not time out. Only reads of this kind are retried. */
const shouldRetry = (count: number, error: Error): boolean =>
  count < MAX_RETRIES && error instanceof ApiError && error.isUnanswered && !error.isTimeout

/**
 * Query cache. When the browser is offline, reads and changes fail immediately instead of waiting, and changes are
 * never retried. Visible queries are refetched on reconnect.
 */
export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', refetchOnReconnect: 'always', retry: shouldRetry, staleTime: 5000 },
    mutations: { networkMode: 'always', retry: false },
  },
})
