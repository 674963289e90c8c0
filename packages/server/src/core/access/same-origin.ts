import { Refusal } from '@burgee/kit/http/refusal'
import type { Caller, RouteShape } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'
import type { Callers } from '../http/callers.ts'

/** Web page from which a browser sent the request. */
interface Page {
  readonly isSameOrigin: boolean
  /** Origin of the page, as reported by the request: 'http://host:port', or 'null'. */
  readonly origin: string | undefined
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/**
 * Values of `Sec-Fetch-Site`; true means that requests with this value are allowed. Browsers set this header, and pages
 * cannot change it. Source: W3C Fetch Metadata
 */
const SITES: Readonly<Record<string, boolean>> = {
  'same-origin': true,
  none: true,
  'same-site': false,
  'cross-site': false,
}
const FORMS = /^(text\/|multipart\/|application\/x-www-form-urlencoded)/i

/**
 * Rejects logins, and changes that use a session, if a page of another origin sent the request. `SameSite` protects the
 * cookie from other sites, but not from pages on neighbouring hosts or other ports. Over plain HTTP, browsers do not
 * send `Sec-Fetch-Site`, so the origin or referer of the request must belong to this server. Every browser sends an
 * origin or a referer with a change; a request with neither comes from a script and is accepted. Throws NoAccessError.
 */
export function refuseOtherPages(caller: Caller, callers: Callers): void {
  if (READS.has(caller.method)) return
  const page = findPage(caller, callers)
  if (page?.isSameOrigin === false) throw toRefusal(describeOtherPage(page, callers.listOrigins(caller)))
}

/** Returns true if the headers of a request show that a page of this server sent it. */
export function isFromServerPage(caller: Caller, callers: Callers): boolean {
  const site = caller.headers['sec-fetch-site']
  return site === undefined ? findPage(caller, callers)?.isSameOrigin === true : site === 'same-origin'
}

/** Returns true if the headers of a request show that a page of another origin sent it, for example through a link. */
export function isFromOtherPage(caller: Caller, callers: Callers): boolean {
  return findPage(caller, callers)?.isSameOrigin === false
}

/**
 * On API routes without a body, rejects content types that an HTML form can send. Routes without a body do not check
 * the content type in any other way. Throws a Refusal for an unsupported media type.
 */
export function refuseForms({ headers }: Caller, { method, url, body }: RouteShape): void {
  const type = headers['content-type'] ?? ''
  // an HTML form can send requests to paths outside `/api/`, such as the logout path
  if (body !== undefined || READS.has(method) || !url.startsWith('/api/') || !FORMS.test(type)) return
  throw new Refusal('media-type', type)
}

function findPage(caller: Caller, callers: Callers): Page | undefined {
  const { origin, referer, 'sec-fetch-site': site } = caller.headers
  if (typeof site === 'string' && Object.hasOwn(SITES, site))
    return { isSameOrigin: SITES[site] === true, origin: undefined }
  const address = origin ?? referer
  if (address === undefined) return site === undefined ? undefined : { isSameOrigin: false, origin: undefined }
  const from = URL.canParse(address) ? new URL(address).origin : 'null'
  return { isSameOrigin: callers.listOrigins(caller).includes(from), origin: from }
}

function describeOtherPage({ origin }: Page, own: readonly string[]): string {
  if (origin === undefined) return 'A page of another origin must not make changes with a session.'
  const here = own.length === 0 ? 'was called without a host name' : `is ${own.join(' or ')}`
  return `A page of ${origin} must not make changes with a session: this server ${here}. If users reach it at another address, set UNLEASH_URL to that address, or TRUST_PROXY to the reverse proxy.`
}

function toRefusal(message: string): Problem {
  return new Problem('NoAccessError', message)
}
