import { type Caller, type First, Reply } from '@burgee/kit/route'
import { Problem } from '@burgee/protocol/problem'

const LOGINS = /^\/+(auth|logout)(\/|\?|$)/i
const PRIVATE = /^\/+(api|edge)(\/|\?|$)/i

/**
 * What is told to browsers and caches with every reply, unless the route says otherwise: what the API answers is for its
 * caller alone and is asked for again each time (the ETag makes that cheap), what is about logins is not kept at all, and
 * nothing is taken for another type than it says.
 */
export function browserRules(basePath: string): (caller: Caller) => Readonly<Record<string, string>> {
  return ({ url }) => {
    const path = url.slice(basePath.length)
    const sniffing = { 'x-content-type-options': 'nosniff' }
    if (LOGINS.test(path)) return { ...sniffing, 'cache-control': 'no-store' }
    return PRIVATE.test(path) ? { ...sniffing, 'cache-control': 'private, no-cache' } : sniffing
  }
}

/** Says all of `rules`, and what `next` says. */
export function withRules(rules: (caller: Caller) => Readonly<Record<string, string>>, next: First): First {
  return (caller) => {
    const answer = next(caller)
    return answer instanceof Reply ? answer : { ...rules(caller), ...answer }
  }
}

/**
 * Refuses what a page of another origin asks for with somebody's login. `SameSite` keeps the cookie from other sites, but
 * not from pages of neighbouring hosts, which could send what takes no JSON body. Throws NoAccessError.
 */
export function refuseOtherPages({ method, headers }: Caller): void {
  const from = headers['sec-fetch-site']
  if (method === 'GET' || method === 'HEAD' || (from !== 'cross-site' && from !== 'same-site')) return
  throw new Problem('NoAccessError', 'A page of another origin may change nothing with a login.')
}
