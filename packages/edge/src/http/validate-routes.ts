import type { Network } from '@burgee/kit/http/client-network'
import { RateLimit } from '@burgee/kit/http/rate-limit'
import { type Caller, type Route, routesFor } from '@burgee/kit/http/route'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { TokensQuestion, ValidTokens } from '@burgee/protocol/evaluation'
import { Problem } from '@burgee/protocol/problem'
import type { EdgeToken, EdgeTokens } from '../tokens/edge-token.ts'
import { TokenRefused, TokenUndecided } from '../tokens/token-refusal.ts'
import type { Access } from './check-token.ts'

const route = routesFor<Access>()
/** Kinds of tokens, by the names that the protocol uses. */
const WIRE_TYPES = { backend: 'client', frontend: 'frontend' } as const

/** Dependencies of the endpoint. */
export interface ValidateDeps {
  readonly tokens: EdgeTokens
  readonly networkOf: (caller: Caller) => Network
  readonly monotonic: MonotonicClock
  /** Maximum number of requests per minute and network. */
  readonly limitPerMinute: number
}

const MINUTE_MS = 60_000

/**
 * Returns the endpoint through which downstream nodes validate the tokens of their SDKs. See the wire protocol, section
 * "Endpoints Edge serves".
 */
export function validateRoutes(deps: ValidateDeps): Route<Access>[] {
  const { tokens, networkOf, monotonic, limitPerMinute } = deps
  const limit = new RateLimit({ max: limitPerMinute, windowMs: MINUTE_MS, monotonic })
  return [
    route({
      method: 'POST',
      url: '/edge/validate',
      permission: 'public',
      tag: 'Client',
      summary: 'Returns the valid tokens in the request, with their scope; requires no credentials.',
      first: (caller) => {
        const { waitMs, headers } = limit.take(networkOf(caller))
        if (waitMs <= 0) return headers
        const wait = { 'retry-after': String(Math.ceil(waitMs / 1000)) }
        throw new Problem('RateLimitError', 'Too many requests, please try again later.', {
          headers: { ...headers, ...wait },
        })
      },
      body: TokensQuestion,
      replies: { 200: { description: 'The valid tokens', schema: ValidTokens } },
      problems: ['ValidationFailed', 'NotReady', 'TooLarge', 'MediaType', 'TooManyRequests'],
      handle: async ({ body, caller }) => {
        const found = await findValidTokens(tokens, [...new Set(body.tokens)], networkOf(caller))
        return { tokens: found.map(toWireToken) }
      },
    }),
  ]
}

/**
 * Returns those of the given tokens that are valid. Rejects if it is undecided whether a token is valid, so that the
 * caller does not treat a valid token as invalid. If the network exceeds its limit for invalid tokens, returns only the
 * tokens of the request that are known to be valid. Rejects in this case if no token of the request is known to be
 * valid.
 */
async function findValidTokens(tokens: EdgeTokens, texts: readonly string[], network: Network): Promise<EdgeToken[]> {
  const good = texts.flatMap((text) => tokens.find(text) ?? [])
  const unknown = texts.filter((text) => tokens.find(text) === undefined)
  const outcomes = await Promise.allSettled(unknown.map((text) => tokens.admit(text, { network, kind: 'node' })))
  let guessed: unknown
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') good.push(outcome.value)
    else if (outcome.reason instanceof TokenUndecided && outcome.reason.reason === 'guessed') guessed = outcome.reason
    else if (!(outcome.reason instanceof TokenRefused)) throw outcome.reason
  }
  if (good.length === 0 && guessed !== undefined) throw guessed
  return good
}

function toWireToken({ text, kind, environment, projects }: EdgeToken) {
  return { token: text, type: WIRE_TYPES[kind], environment, projects: [...projects], status: 'Validated' }
}
