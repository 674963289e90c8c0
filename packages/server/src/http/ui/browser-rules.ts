import type { Caller } from '@burgee/kit/http/route'
import { FOR_CALLER_ALONE, isApiPath } from '@burgee/serving/cache-rules'
import type { ServerOptions } from '../../options.ts'

const LOGINS = /^\/+(auth|logout)(\/|\?|$)/i
/** Paths of replies with people, addresses or secrets, and admin API paths not reviewed for that. */
const SENSITIVE = /^\/+(api\/+admin|scim|invite)(\/|\?|$)/i
/** Paths of flag lists and their dependencies, which the UI requests often: browsers cache them and get 304. */
const FLAG_DATA =
  /^\/+api\/+admin\/+(?:search\/+features|features|archive|segments|context|strategies|tags|tag-types|feature-types|environments|ui-config|projects\/+[^/?]+\/+(?:features|overview))(?![^?]*\/(?:comments|people)(?:[/?]|$))(?:\/|\?|$)/i

/**
 * Headers of every reply. They keep browsers from guessing types, from loading or running content, and from framing it
 * (pages have their own policy). Other sites do not learn page URLs and share no window.
 */
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}
/** One year, for this host only: a flag server does not know what its subdomains serve. */
const TLS_ONLY = { 'strict-transport-security': 'max-age=31536000' }

/**
 * Creates the hook that returns the default browser and cache headers of a reply. API replies are private and
 * revalidated each time, which the ETag makes cheap. Replies about logins or people, or with secrets, are never stored.
 * If cookies require TLS, browsers are told to use HTTPS for the host as well (HSTS).
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
