import type { Network } from '@burgee/kit/http/client-network'
import type { RateLimit, RateLimitResult } from '@burgee/kit/http/rate-limit'
import { type Caller, type PreRequestHook, Reply } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'

/** Creates a pre-request hook that counts each request against the limit of the caller's network. */
export function createRateLimitHook(limit: RateLimit, networkOf: (caller: Caller) => Network): PreRequestHook {
  return (caller) => {
    const taken = limit.take(networkOf(caller))
    return taken.waitMs > 0 ? tooMany(taken) : taken.headers
  }
}

/** Creates a 429 reply in plain text, which is what Unleash sends. Source: wire protocol "rate limits". */
export function tooMany(taken: RateLimitResult): Reply {
  return tooManyReply(tooManyProblem(taken))
}

/** Creates the 429 error. */
export function tooManyProblem({ waitMs, headers }: RateLimitResult, cause?: Error): Problem {
  const wait = String(Math.ceil(waitMs / 1000))
  return new Problem('RateLimitError', 'Too many requests, please try again later.', {
    headers: { ...headers, 'retry-after': wait },
    cause,
  })
}

/** Converts a Problem with status 429 to a reply. */
export function tooManyReply({ status, message, headers }: Problem): Reply {
  return new Reply(status, message, { ...headers, 'content-type': 'text/plain; charset=utf-8' })
}

/**
 * Returns the error for a wrong password or token, with the remaining limit in its headers. Returns the 429 error
 * instead if the caller has sent too many wrong passwords or tokens.
 */
export function toGuessProblem(problem: Problem, taken: RateLimitResult): Problem {
  return taken.waitMs > 0 ? tooManyProblem(taken) : withRemaining(problem, taken)
}

/** Adds the remaining rate limit to the headers of a Problem. */
export function withRemaining(problem: Problem, { headers }: RateLimitResult): Problem {
  const { name, message, details, extra, cause = problem } = problem
  return new Problem(name, message, {
    cause,
    extra,
    headers: { ...problem.headers, ...headers },
    ...(details === undefined ? {} : { details }),
  })
}
