import { buildLimitKey, RateLimit, type RateLimitResult } from '@burgee/kit/http/rate-limit'
import type { Caller, PreRequestHook } from '@burgee/kit/http/route'
import type { ServerOptions } from '../options/options.ts'
import type { World } from '../world.ts'
import type { Callers } from './callers.ts'
import { createRateLimitHook } from './rate-limit-replies.ts'

const MINUTE_MS = 60_000
const WIDE_FACTOR = 10
const HOUR_MS = 60 * MINUTE_MS
const MAILS_PER_HOUR = 5

/** Remaining login attempts for one account, from the caller's network and from all networks together. */
export interface AccountLimits {
  readonly here: RateLimitResult
  /**
   * Undefined if the network has no attempts left. Further attempts from that network do not reduce the limit of other
   * networks.
   */
  readonly anywhere: RateLimitResult | undefined
}

/** Rate limits of routes. Each limit has its own counter. */
export interface RouteRateLimits {
  /**
   * Limits all logins from an address. Each login costs a password hash, and a client can invent thousands of names.
   */
  readonly login: PreRequestHook
  /**
   * Limits the logins to one account. Logins by username and by e-mail address share one counter. An unknown name
   * counts as an account.
   */
  readonly account: (caller: Caller, account: { readonly id: number } | { readonly name: string }) => AccountLimits
  /**
   * Limits how often users change their own password. The change requires the old password, so a stolen session could
   * be used to guess it.
   */
  readonly ownPassword: (userId: number) => RateLimitResult
  readonly passwordReset: PreRequestHook
  /**
   * Limits the mails that anyone can request for an e-mail address. Applies whether or not the address belongs to a
   * user.
   */
  readonly email: (email: string) => RateLimitResult
  readonly createUser: PreRequestHook
  readonly clientRegister: PreRequestHook
  readonly clientMetrics: PreRequestHook
  readonly frontendRegister: PreRequestHook
  readonly frontendMetrics: PreRequestHook
  readonly edgeValidate: PreRequestHook
  /** Counts a wrong token at any endpoint, and returns the remaining limit of the caller's network. */
  readonly wrongToken: (caller: Caller) => RateLimitResult
}

/** Creates the rate limits from the options, per minute. */
export function createRouteRateLimits(
  { monotonic }: Pick<World, 'monotonic'>,
  options: ServerOptions,
  { getNetwork }: Callers,
): RouteRateLimits {
  const perMinute = (most: number): RateLimit => new RateLimit({ max: most, windowMs: MINUTE_MS, monotonic })
  const perAddress = (most: number): PreRequestHook => createRateLimitHook(perMinute(most), getNetwork)
  const logins = options.simpleLoginLimitPerMinute
  const here = perMinute(logins)
  const ownPasswords = perMinute(logins)
  const guesses = perMinute(options.tokenGuessLimitPerMinute)
  const mails = new RateLimit({ max: MAILS_PER_HOUR, windowMs: HOUR_MS, monotonic })
  const anywhere = perMinute(logins * WIDE_FACTOR)
  return {
    login: perAddress(logins * WIDE_FACTOR),
    account(caller, account) {
      const key = 'id' in account ? `id ${account.id}` : `name ${account.name.toLowerCase()}`
      const taken = here.take(buildLimitKey(key, getNetwork(caller)))
      return { here: taken, anywhere: taken.waitMs > 0 ? undefined : anywhere.take(buildLimitKey(key)) }
    },
    ownPassword: (userId) => ownPasswords.take(buildLimitKey(String(userId))),
    passwordReset: perAddress(options.passwordResetLimitPerMinute),
    email: (email) => mails.take(buildLimitKey(email.toLowerCase())),
    createUser: perAddress(options.createUserRateLimitPerMinute),
    clientRegister: perAddress(options.registerClientRateLimitPerMinute),
    clientMetrics: perAddress(options.clientMetricsRateLimitPerMinute),
    frontendRegister: perAddress(options.registerFrontendRateLimitPerMinute),
    frontendMetrics: perAddress(options.frontendMetricsRateLimitPerMinute),
    edgeValidate: perAddress(options.edgeValidateLimitPerMinute),
    wrongToken: (caller) => guesses.take(getNetwork(caller)),
  }
}
