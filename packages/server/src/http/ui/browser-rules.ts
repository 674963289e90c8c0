import { NO_HEADERS } from '@burgee/kit/http/header-block'
import { type Caller, type First, Reply } from '@burgee/kit/http/route'
import type { ServerOptions } from '../../options.ts'

const LOGINS = /^\/+(auth|logout)(\/|\?|$)/i
const PRIVATE = /^\/+(api|edge|ofrep|openfeature)(\/|\?|$)/i
/** Replies with people, addresses and secrets, and those of the admin API that nobody has looked at in this respect. */
const SENSITIVE = /^\/+(api\/+admin|scim|invite)(\/|\?|$)/i
/** Long lists of flags and what they stand on, which the UI asks for often: browsers keep them, and get 304. */
const FLAG_DATA =
  /^\/+api\/+admin\/+(?:search\/+features|features|archive|segments|context|strategies|tags|tag-types|feature-types|environments|ui-config|projects\/+[^/?]+\/+(?:features|overview))(?![^?]*\/(?:comments|people)(?:[/?]|$))(?:\/|\?|$)/i

/**
 * Headers of every reply: browsers take it for no other type than it says, load and run nothing of it and frame it
 * nowhere (pages have a policy of their own); no other site learns the address of a page or shares a window with it.
 */
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}
/** A year, for this host alone: what else its domain serves is nothing that a flag server could know. */
const TLS_ONLY = { 'strict-transport-security': 'max-age=31536000' }

/**
 * What is told to browsers and caches with every reply, unless the route says otherwise: what the API answers is for
 * its caller alone and is asked for again each time (the ETag makes that cheap), and what is about logins or people, or
 * may hold a secret, is not kept at all. Where cookies are for TLS alone, the host is too.
 */
export function browserRules({
  baseUriPath,
  secureCookies,
}: Pick<ServerOptions, 'baseUriPath' | 'secureCookies'>): (caller: Caller) => Readonly<Record<string, string>> {
  const common = { ...EVERYWHERE, ...(secureCookies ? TLS_ONLY : {}) }
  const notKept = { ...common, 'cache-control': 'no-store' }
  const ofApi = { ...common, 'cache-control': 'private, no-cache' }
  return ({ url }) => {
    const path = url.slice(baseUriPath.length)
    if (LOGINS.test(path) || (SENSITIVE.test(path) && !FLAG_DATA.test(path))) return notKept
    return PRIVATE.test(path) ? ofApi : common
  }
}

/** Says all of `rules`, and what `next` says; where that is nothing, the same object each time. */
export function withRules(rules: (caller: Caller) => Readonly<Record<string, string>>, next: First): First {
  return (caller) => {
    const answer = next(caller)
    if (answer instanceof Reply) return answer
    return answer === NO_HEADERS ? rules(caller) : { ...rules(caller), ...answer }
  }
}
