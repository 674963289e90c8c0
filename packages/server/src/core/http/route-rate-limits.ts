import { buildLimitKey, RateLimit, type RateLimitResult } from '@burgee/kit/http/rate-limit'
import type { Caller, PreRequestHook } from '@burgee/kit/http/route'
import type { ServerOptions } from '../options/options.ts'
import type { World } from '../world.ts'
import type { Callers } from './callers.ts'
import { createLoginRateLimits, type LoginRateLimits } from './login-rate-limits.ts'
import { createRateLimitHook } from './rate-limit-replies.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const MAILS_PER_HOUR = 5
/** Alertmanager sends grouped alerts and repeats them only after minutes, so a low limit suffices. */
const SIGNALS_PER_MINUTE = 120

/** Rate limits of routes. Each rate limit has its own counter. */
export interface RouteRateLimits extends LoginRateLimits {
  readonly passwordReset: PreRequestHook
  /**
   * Limits the mails that anyone can request for an e-mail address. The limit also applies to addresses that belong to
   * no user.
   */
  readonly email: (email: string) => RateLimitResult
  readonly createUser: PreRequestHook
  readonly clientRegister: PreRequestHook
  readonly clientMetrics: PreRequestHook
  readonly frontendRegister: PreRequestHook
  readonly frontendMetrics: PreRequestHook
  readonly edgeValidate: PreRequestHook
  readonly signal: PreRequestHook
  /** Counts a wrong token at any endpoint, and returns the remaining limit of the caller's network. */
  readonly wrongToken: (caller: Caller) => RateLimitResult
}

/** Creates the rate limits from the options, per minute. */
export function createRouteRateLimits(
  { monotonic }: Pick<World, 'monotonic'>,
  options: ServerOptions,
  { getNetwork }: Callers,
): RouteRateLimits {
  const perMinute = (max: number): RateLimit => new RateLimit({ max, windowMs: MINUTE_MS, monotonic })
  const perAddress = (max: number): PreRequestHook => createRateLimitHook(perMinute(max), getNetwork)
  const guesses = perMinute(options.tokenGuessLimitPerMinute)
  const mails = new RateLimit({ max: MAILS_PER_HOUR, windowMs: HOUR_MS, monotonic })
  return {
    ...createLoginRateLimits(perMinute, options.simpleLoginLimitPerMinute, { getNetwork }),
    passwordReset: perAddress(options.passwordResetLimitPerMinute),
    email: (email) => mails.take(buildLimitKey(email.toLowerCase())),
    createUser: perAddress(options.createUserRateLimitPerMinute),
    clientRegister: perAddress(options.registerClientRateLimitPerMinute),
    clientMetrics: perAddress(options.clientMetricsRateLimitPerMinute),
    frontendRegister: perAddress(options.registerFrontendRateLimitPerMinute),
    frontendMetrics: perAddress(options.frontendMetricsRateLimitPerMinute),
    edgeValidate: perAddress(options.edgeValidateLimitPerMinute),
    signal: perAddress(SIGNALS_PER_MINUTE),
    wrongToken: (caller) => guesses.take(getNetwork(caller)),
  }
}
