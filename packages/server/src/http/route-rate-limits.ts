import { limitKey, RateLimit, type Taken } from '@burgee/kit/http/rate-limit'
import type { Caller, First } from '@burgee/kit/http/route'
import type { ServerOptions } from '../options.ts'
import type { World } from '../services/world.ts'
import type { Callers } from './callers.ts'
import { limited } from './rate-limit.ts'

const MINUTE_MS = 60_000
const WIDE_FACTOR = 10
const HOUR_MS = 60 * MINUTE_MS
const MAILS_PER_HOUR = 5

/** Remaining login attempts for one account: from the caller's network, and from all networks together. */
export interface AccountTaken {
  readonly here: Taken
  /** Undefined if the network has no attempts left: further attempts from it do not count against other networks. */
  readonly anywhere: Taken | undefined
}

/** Rate limits of routes. Each limit has its own counter. */
export interface RouteRateLimits {
  /**
   * Limits all logins from an address. Each login costs a password hash, and a client can invent thousands of names.
   */
  readonly login: First
  /**
   * Limits the logins to one account, counted together for its username and e-mail address. An unknown name counts as
   * an account.
   */
  readonly account: (caller: Caller, account: { readonly id: number } | { readonly name: string }) => AccountTaken
  /**
   * Limits how often users change their own password. The old password is required, so a thief of the session could try
   * passwords.
   */
  readonly ownPassword: (userId: number) => Taken
  readonly passwordReset: First
  /**
   * Limits the mails that anyone can request for an e-mail address. Applies whether or not the address belongs to a
   * user.
   */
  readonly mailsTo: (email: string) => Taken
  readonly createUser: First
  readonly clientRegister: First
  readonly clientMetrics: First
  readonly frontendRegister: First
  readonly frontendMetrics: First
  readonly edgeValidate: First
  /** Counts a wrong token at any endpoint, and returns the remaining limit of the caller's network. */
  readonly wrongToken: (caller: Caller) => Taken
}

/** Creates the rate limits from the options, per minute. */
export function createRouteRateLimits(
  { monotonic }: Pick<World, 'monotonic'>,
  options: ServerOptions,
  { networkOf }: Callers,
): RouteRateLimits {
  const perMinute = (most: number): RateLimit => new RateLimit({ most, windowMs: MINUTE_MS, monotonic })
  const perAddress = (most: number): First => limited(perMinute(most), networkOf)
  const logins = options.simpleLoginLimitPerMinute
  const here = perMinute(logins)
  const ownPasswords = perMinute(logins)
  const guesses = perMinute(options.tokenGuessLimitPerMinute)
  const mails = new RateLimit({ most: MAILS_PER_HOUR, windowMs: HOUR_MS, monotonic })
  const anywhere = perMinute(logins * WIDE_FACTOR)
  return {
    login: perAddress(logins * WIDE_FACTOR),
    account(caller, account) {
      const key = 'id' in account ? `id ${account.id}` : `name ${account.name.toLowerCase()}`
      const taken = here.take(limitKey(key, networkOf(caller)))
      return { here: taken, anywhere: taken.waitMs > 0 ? undefined : anywhere.take(limitKey(key)) }
    },
    ownPassword: (userId) => ownPasswords.take(limitKey(String(userId))),
    passwordReset: perAddress(options.passwordResetLimitPerMinute),
    mailsTo: (email) => mails.take(limitKey(email.toLowerCase())),
    createUser: perAddress(options.createUserRateLimitPerMinute),
    clientRegister: perAddress(options.registerClientRateLimitPerMinute),
    clientMetrics: perAddress(options.clientMetricsRateLimitPerMinute),
    frontendRegister: perAddress(options.registerFrontendRateLimitPerMinute),
    frontendMetrics: perAddress(options.frontendMetricsRateLimitPerMinute),
    edgeValidate: perAddress(options.edgeValidateLimitPerMinute),
    wrongToken: (caller) => guesses.take(networkOf(caller)),
  }
}
