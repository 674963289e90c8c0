import { buildLimitKey, getStrictest, type RateLimit, type RateLimitResult } from '@burgee/kit/http/rate-limit'
import type { Caller, PreRequestHook } from '@burgee/kit/http/route'
import type { Callers } from './callers.ts'
import { createRateLimitHook } from './rate-limit-replies.ts'

/**
 * Factor by which the limits for a whole account or a whole network exceed the limit for one account from one network.
 */
const WIDE_FACTOR = 10

/** Login attempts that are left for one account, from the caller's network and from all networks combined. */
export interface AccountLimits {
  readonly here: RateLimitResult
  /**
   * Attempts that are left from all networks combined. Undefined if the caller's network has no attempts left, because
   * its further attempts do not reduce what other networks have left.
   */
  readonly anywhere: RateLimitResult | undefined
}

/** Rate limits for logins and for other password checks. */
export interface LoginRateLimits {
  /**
   * Limits all logins from an IP address. Each login costs a password hash, and a client can invent thousands of names.
   */
  readonly login: PreRequestHook
  /**
   * Limits the logins to one account. Logins by username and by e-mail address share one counter. An unknown name has a
   * counter as well, as if it were an account.
   */
  readonly account: (caller: Caller, account: { readonly id: number } | { readonly name: string }) => AccountLimits
  /**
   * Limits how often users change their own password. The limit is needed because the change requires the old password,
   * which the thief of a session could try to guess.
   */
  readonly ownPassword: (userId: number) => RateLimitResult
}

/**
 * Creates the rate limits for logins. `perMinute` creates a counter; `attempts` is the allowed number of logins per
 * minute.
 */
export function createLoginRateLimits(
  perMinute: (max: number) => RateLimit,
  attempts: number,
  { getNetwork }: Pick<Callers, 'getNetwork'>,
): LoginRateLimits {
  const here = perMinute(attempts)
  const anywhere = perMinute(attempts * WIDE_FACTOR)
  const ownPasswords = perMinute(attempts)
  return {
    login: createRateLimitHook(perMinute(attempts * WIDE_FACTOR), getNetwork),
    account(caller, account) {
      const key = 'id' in account ? `id ${account.id}` : `name ${account.name.toLowerCase()}`
      const taken = here.take(buildLimitKey(key, getNetwork(caller)))
      return { here: taken, anywhere: taken.waitMs > 0 ? undefined : anywhere.take(buildLimitKey(key)) }
    },
    ownPassword: (userId) => ownPasswords.take(buildLimitKey(String(userId))),
  }
}

/**
 * Returns how many login attempts are left. For a network from which the account has logged in before, failed attempts
 * from other networks do not count.
 */
export async function getRemainingLogins(
  { here, anywhere = here }: AccountLimits,
  isKnownHere: () => Promise<boolean>,
): Promise<RateLimitResult> {
  const taken = getStrictest(here, anywhere)
  return here.waitMs === 0 && taken.waitMs > 0 && (await isKnownHere()) ? here : taken
}
