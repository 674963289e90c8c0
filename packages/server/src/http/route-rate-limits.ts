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

/** Remaining logins of one account: from the caller's network, and from anywhere. */
export interface AccountTaken {
  readonly here: Taken
  /** Undefined if the network has none left: its refused attempts do not count against other networks. */
  readonly anywhere: Taken | undefined
}

/** Rate limits of routes, each with its own count. */
export interface RouteRateLimits {
  /** Limits all logins from an address: each costs a password hash, and names can be invented by the thousand. */
  readonly login: First
  /** Limits the logins of one account under any of its names; an unknown name counts as an account. */
  readonly account: (caller: Caller, account: { readonly id: number } | { readonly name: string }) => AccountTaken
  /** Limits changes of one's own password, which require the old one: the session may be stolen. */
  readonly ownPassword: (userId: number) => Taken
  readonly passwordReset: First
  /** Limits the mails that anyone can request for an address, whether or not it belongs to a user. */
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
