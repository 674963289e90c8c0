import type { Response } from 'undici'
import { getRetryAfterMs } from './upstream.ts'

const REFUSED_RETRY_MS = 60_000
/** Retry interval for streams if the upstream does not support streams yet. */
export const UNKNOWN_RETRY_MS = 600_000
const REFUSALS = new Set([401, 403, 429])

/** Thrown if the response of the upstream to a stream request is not a stream. */
export class NoStreamError extends Error {
  readonly status: number | undefined
  /** Minimum wait before the next request, if the upstream requested one. */
  readonly retryAfterMs: number
  constructor(why: string, response?: Response) {
    super(why)
    this.status = response?.status
    this.retryAfterMs = response === undefined ? 0 : (getRetryAfterMs(response) ?? 0)
  }
}

/** Thrown if the upstream does not currently offer a stream to this proxy. */
export class StreamNotOfferedError extends NoStreamError {
  readonly retryMs: number
  constructor(why: string, retryMs: number, response?: Response) {
    super(why, response)
    this.retryMs = retryMs
  }
}

/** Returns true if a response is an event stream. */
export function isStream({ status, headers }: Response): boolean {
  return status === 200 && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
}

/**
 * Creates the error for a response that is not a stream. The retry interval is short after server errors, which are
 * usually brief, and long if the upstream offers no streams.
 */
export function toStreamError(response: Response): Error {
  const { status } = response
  if (REFUSALS.has(status)) return new StreamNotOfferedError(`is rejected with ${status}`, REFUSED_RETRY_MS, response)
  if (status >= 500 && status !== 501) return new NoStreamError(`is answered with ${status}`, response)
  return new StreamNotOfferedError(`is not supported (${status})`, UNKNOWN_RETRY_MS)
}
