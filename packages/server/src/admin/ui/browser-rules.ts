import type { Caller } from '@burgee/kit/http/route'
import { isApiPath, PRIVATE_CACHE_CONTROL } from '@burgee/serving/cache-rules'
import type { ServerOptions } from '../../core/options/options.ts'

const LOGINS = /^\/+(auth|logout)(\/|\?|$)/i
/**
 * Paths whose replies contain personal data, addresses or secrets. Every path of the admin API counts as sensitive
 * unless it is listed in `FLAG_DATA`.
 */
const SENSITIVE = /^\/+(api\/+admin|scim|invite)(\/|\?|$)/i
/**
 * Paths of flag lists and of data that is shown with them. The UI requests these paths often, so browsers cache the
 * replies and revalidate (304).
 */
const FLAG_DATA =
  /^\/+api\/+admin\/+(?:search\/+features|features|archive|segments|context|strategies|tags|tag-types|feature-types|environments|ui-config|projects\/+[^/?]+\/+(?:features|overview))(?![^?]*\/(?:comments|people)(?:[/?]|$))(?:\/|\?|$)/i

/**
 * Headers of every reply. Browsers must not guess content types, must not load or run anything from a reply, and must
 * not show a reply in a frame; pages of the UI have a different policy. Other sites receive neither the URL of the page
 * nor access to its window object.
 */
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}
/** Time in seconds for which browsers use only HTTPS for this host: one year. */
const HSTS_SECONDS = 31_536_000

type Options = Pick<ServerOptions, 'baseUriPath' | 'secureCookies' | 'serverUrl' | 'hstsIncludeSubdomains'>

/**
 * Creates the hook that returns the default security and cache headers for a reply. API replies are private, and
 * browsers revalidate them on each request, which is cheap because of ETags. Replies that contain logins, personal data
 * or secrets are never stored by browsers. If cookies require TLS or the public URL is HTTPS, the headers also tell
 * browsers to use only HTTPS for the host (HSTS).
 */
export function browserRules(options: Options): (caller: Caller) => Readonly<Record<string, string>> {
  const { baseUriPath } = options
  const common = { ...EVERYWHERE, ...buildHsts(options) }
  const notKept = { ...common, 'cache-control': 'no-store' }
  const ofApi = { ...common, 'cache-control': PRIVATE_CACHE_CONTROL }
  return ({ url }) => {
    const path = url.slice(baseUriPath.length)
    if (LOGINS.test(path) || (SENSITIVE.test(path) && !FLAG_DATA.test(path))) return notKept
    return isApiPath(path) ? ofApi : common
  }
}

/**
 * Returns the HSTS header. Subdomains are included only if an option demands it, because some subdomains do not support
 * HTTPS.
 */
function buildHsts({ secureCookies, serverUrl, hstsIncludeSubdomains }: Options): Readonly<Record<string, string>> {
  if (!(secureCookies ?? serverUrl?.startsWith('https:') === true)) return {}
  const suffix = hstsIncludeSubdomains ? '; includeSubDomains' : ''
  return { 'strict-transport-security': `max-age=${HSTS_SECONDS}${suffix}` }
}
