import type { Caller } from '@burgee/kit/http/route'
import { FOR_CALLER_ALONE, isApiPath } from '@burgee/serving/cache-rules'
import type { ServerOptions } from '../../options.ts'

const LOGINS = /^\/+(auth|logout)(\/|\?|$)/i
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
  const ofApi = { ...common, 'cache-control': FOR_CALLER_ALONE }
  return ({ url }) => {
    const path = url.slice(baseUriPath.length)
    if (LOGINS.test(path) || (SENSITIVE.test(path) && !FLAG_DATA.test(path))) return notKept
    return isApiPath(path) ? ofApi : common
  }
}
