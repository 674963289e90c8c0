import { GroupTotals } from '@burgee/kit/group-totals'
import type { Network } from '@burgee/kit/http/client-network'
import type { Caller, Route } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'
import { type Access, isForSdks } from '../access/access.ts'
import { findCookie } from '../access/cookies.ts'
import type { Callers } from './callers.ts'

/** Maximum number of requests from one user or token that wait at the same time. SDK requests do not count. */
const MAX_PENDING_OF_HOLDER = 200
/** Maximum number of waiting requests from one network, summed over all its users. */
const MAX_PENDING_OF_NETWORK = 500
/** Maximum number of waiting credential checks from one network. */
const MAX_PENDING_CHECKS = 300
/**
 * Maximum number of waiting checks of one session or secret. The limit applies while the owner of the session or secret
 * is still unknown.
 */
const MAX_PENDING_CHECKS_OF_CREDENTIALS = 100

/**
 * Paths that orchestrators and monitoring call. Requests for these paths do not use the database, and must not fail
 * when other callers cause load.
 */
const PROBES = new Set(['/health', '/ready', '/internal-backstage/prometheus', '/internal-backstage/impact/metrics'])

/** Returns true if requests for a route count against the quota, as all requests except probes and SDK requests do. */
export function isLimited({ url, permission }: Pick<Route, 'url' | 'permission'>): boolean {
  return !PROBES.has(url) && !isForSdks(permission)
}

/** Key of a counter, and the counter's maximum value. */
interface Bounded {
  readonly key: string
  readonly max: number
}

/**
 * Limits how many requests of each caller wait for the database at the same time, so that no caller fills the queue for
 * connections.
 */
export class PendingQuota {
  readonly #callers: Pick<Callers, 'getNetwork' | 'getCookieOptions'>
  readonly #pending = new GroupTotals()

  constructor(callers: Pick<Callers, 'getNetwork' | 'getCookieOptions'>) {
    this.#callers = callers
  }

  /**
   * Runs a credential check. Throws Problem 'RateLimitError' if too many checks from this network, or of the same
   * credentials, are already waiting.
   */
  check<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const { cookie, authorization } = caller.headers
    const bounds = [{ key: `check ${this.#networkOf(caller)}`, max: MAX_PENDING_CHECKS }]
    const session = findCookie(cookie, this.#callers.getCookieOptions(caller))
    for (const credentials of [session, authorization]) {
      if (credentials === undefined) continue
      bounds.push({ key: `check of ${credentials}`, max: MAX_PENDING_CHECKS_OF_CREDENTIALS })
    }
    return this.#run(bounds, work)
  }

  /**
   * Wraps a route so that it throws Problem 'RateLimitError' if too many requests from its caller are already waiting.
   */
  bound<World>(route: Route<Access, World>): Route<Access, World> {
    if (!isLimited(route)) return route
    const { handle } = route
    return { ...route, handle: (input, world) => this.#run(this.#bounds(input), () => handle(input, world)) }
  }

  #bounds({ caller, access }: { readonly caller: Caller; readonly access: Access }): Bounded[] {
    const ofNetwork = { key: this.#networkOf(caller), max: MAX_PENDING_OF_NETWORK }
    const { holder } = access
    return holder === undefined ? [ofNetwork] : [ofNetwork, { key: holder, max: MAX_PENDING_OF_HOLDER }]
  }

  #networkOf(caller: Caller): Network {
    return this.#callers.getNetwork(caller)
  }

  #run<R>(bounds: readonly Bounded[], work: () => R): R {
    if (bounds.some(({ key, max }) => this.#pending.get(key) >= max)) throw tooManyPending()
    const add = (amount: number) => {
      for (const { key } of bounds) this.#pending.add(key, amount)
    }
    add(1)
    const end = () => add(-1)
    try {
      const result = work()
      if (result instanceof Promise) result.then(end, end)
      else end()
      return result
    } catch (error) {
      end()
      throw error
    }
  }
}

function tooManyPending(): Problem {
  const message = 'Too many of your requests are still pending; try again later.'
  return new Problem('RateLimitError', message, { headers: { 'retry-after': '1' } })
}
