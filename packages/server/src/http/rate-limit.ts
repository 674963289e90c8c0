import type { Network } from '@burgee/kit/http/network'
import type { RateLimit, Taken } from '@burgee/kit/http/rate-limit'
import { type Caller, type First, Reply } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'

/** Takes one per request, of the caller's network, before anything of the request is read. */
export function limited(limit: RateLimit, networkOf: (caller: Caller) => Network): First {
  return (caller) => {
    const taken = limit.take(networkOf(caller))
    return taken.waitMs > 0 ? tooMany(taken) : taken.headers
  }
}

/** Text, as the established server answers. Source: wire protocol "rate limits". */
export function tooMany(taken: Taken): Reply {
  return tooManyReply(tooManyProblem(taken))
}

function tooManyProblem({ waitMs, headers }: Taken): Problem {
  const wait = String(Math.ceil(waitMs / 1000))
  return new Problem('RateLimitError', 'Too many requests, please try again later.', {
    headers: { ...headers, 'retry-after': wait },
  })
}

/** How that failure reads. */
export function tooManyReply({ status, message, headers }: Problem): Reply {
  return new Reply(status, message, { ...headers, 'content-type': 'text/plain; charset=utf-8' })
}

/** A failure for a wrong secret: what it would be, and what is left, or that there were too many. */
export function refusedGuess(problem: Problem, taken: Taken): Problem {
  return taken.waitMs > 0 ? tooManyProblem(taken) : withLeft(problem, taken)
}

/** A failure that says as well what is left of a limit. */
export function withLeft(problem: Problem, { headers }: Taken): Problem {
  const { name, message, details, extra, cause = problem } = problem
  return new Problem(name, message, {
    ...{ cause, extra, headers: { ...problem.headers, ...headers } },
    ...(details === undefined ? {} : { details }),
  })
}
