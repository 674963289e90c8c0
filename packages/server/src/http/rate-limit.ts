import type { Network } from '@burgee/kit/http/network'
import type { RateLimit, Taken } from '@burgee/kit/http/rate-limit'
import { type Caller, type First, Reply } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'

/** Creates a pre-request hook that counts each request against the limit of the caller's network. */
export function limited(limit: RateLimit, networkOf: (caller: Caller) => Network): First {
  return (caller) => {
    const taken = limit.take(networkOf(caller))
    return taken.waitMs > 0 ? tooMany(taken) : taken.headers
  }
}

/** Creates a 429 reply as plain text, as Unleash does. Source: wire protocol "rate limits". */
export function tooMany(taken: Taken): Reply {
  return tooManyReply(tooManyProblem(taken))
}

function tooManyProblem({ waitMs, headers }: Taken): Problem {
  const wait = String(Math.ceil(waitMs / 1000))
  return new Problem('RateLimitError', 'Too many requests, please try again later.', {
    headers: { ...headers, 'retry-after': wait },
  })
}

/** Converts the 429 problem to a reply. */
export function tooManyReply({ status, message, headers }: Problem): Reply {
  return new Reply(status, message, { ...headers, 'content-type': 'text/plain; charset=utf-8' })
}

/** Returns the problem of a wrong secret with the remaining limit, or the 429 problem if there were too many. */
export function refusedGuess(problem: Problem, taken: Taken): Problem {
  return taken.waitMs > 0 ? tooManyProblem(taken) : withLeft(problem, taken)
}

/** Adds the remaining limit to the headers of a problem. */
export function withLeft(problem: Problem, { headers }: Taken): Problem {
  const { name, message, details, extra, cause = problem } = problem
  return new Problem(name, message, {
    ...{ cause, extra, headers: { ...problem.headers, ...headers } },
    ...(details === undefined ? {} : { details }),
  })
}
