import { NO_HEADERS } from '@burgee/kit/http/header-block'
import { type Caller, type PreRequestHook, Reply } from '@burgee/kit/http/route'

/** Headers by name. */
type Headers = Readonly<Record<string, string>>

const API = /^\/+(api|edge|ofrep|openfeature)(\/|\?|$)/i

/**
 * `Cache-Control` of a private response. Clients revalidate the response each time, which is cheap because of its ETag.
 * Shared caches do not store the response. Without this header, some shared caches would store the response for a day.
 */
export const PRIVATE_CACHE_CONTROL = 'private, no-cache'

/** Header that stops browsers from sniffing the content type. */
export const NOSNIFF_HEADERS: Headers = { 'x-content-type-options': 'nosniff' }

/**
 * Headers of every private response. All responses share this object, because data derived from headers is cached by
 * object identity.
 */
export const PRIVATE_HEADERS: Headers = { 'cache-control': PRIVATE_CACHE_CONTROL, ...NOSNIFF_HEADERS }

/** Returns true for paths of APIs whose responses depend on the caller's token. */
export function isApiPath(path: string): boolean {
  return API.test(path)
}

/** Adds `nosniff` to every response, and `Cache-Control` to responses whose route sets none. */
export function withPrivateHeaders(next: PreRequestHook): PreRequestHook {
  return withDefaultHeaders(() => PRIVATE_HEADERS, next)
}

/**
 * Merges the headers of `rules` and `next`; headers of `next` take precedence. Returns the same object each time for
 * the same pair of objects.
 */
export function withDefaultHeaders(rules: (caller: Caller) => Headers, next: PreRequestHook): PreRequestHook {
  const merged = new WeakMap<Headers, WeakMap<Headers, Headers>>()
  return (caller) => {
    const answer = next(caller)
    if (answer instanceof Reply) return answer
    const rule = rules(caller)
    if (answer === NO_HEADERS) return rule
    let behind = merged.get(rule)
    if (behind === undefined) {
      behind = new WeakMap()
      merged.set(rule, behind)
    }
    const known = behind.get(answer) ?? { ...rule, ...answer }
    behind.set(answer, known)
    return known
  }
}
