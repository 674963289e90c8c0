import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api/http.ts'

const MOST_RETRIES = 2

/** A read that got no answer at all; one that the server was too slow for is not asked of it again. */
const isWorthRetrying = (count: number, error: Error): boolean =>
  count < MOST_RETRIES && error instanceof ApiError && error.isUnanswered && !error.isLate

/**
 * The cache of what the server said. Offline nothing waits in the dark: a read or a change fails at once, and a change
 * is never sent by itself, neither again nor later. What is on the page is read anew when the connection is back.
 */
export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', refetchOnReconnect: 'always', retry: isWorthRetrying, staleTime: 5000 },
    mutations: { networkMode: 'always', retry: false },
  },
})
