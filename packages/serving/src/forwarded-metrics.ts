import { NO_HEADERS } from '@burgee/kit/http/header-block'
import { Refusal } from '@burgee/kit/http/refusal'
import type { Caller, PreRequestHook } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import type { OptionTable } from '@burgee/kit/options/options'
import { flag } from '@burgee/kit/options/parsers'

/** Option for metrics behind reverse proxies, for the proxy, the edge and the server alike. */
export const FORWARDED_METRICS_OPTION = {
  forwardedMetrics: {
    env: ['FORWARDED_METRICS'],
    parse: flag,
    default: false,
    doc: 'Serve metrics and other pages below `/internal-backstage`, which require no token, to requests that came through a reverse proxy or an Ingress too. By default such requests get 404, and Prometheus has to scrape the process directly. Probes are always served.',
  },
} as const satisfies OptionTable

/**
 * Headers that reverse proxies add. `X-Forwarded-Proto` is not listed: the sidecars of a service mesh add it to direct
 * requests as well.
 */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

/**
 * Creates the pre-request hook of pages that only operators may use. The hook rejects forwarded requests in the same
 * way as requests for an unknown path, unless forwarded requests are allowed.
 */
export function forwardedMetricsHook(isForwardedAllowed: boolean): PreRequestHook {
  if (isForwardedAllowed) return () => NO_HEADERS
  return ({ method, url, headers }: Pick<Caller, 'method' | 'url' | 'headers'>) => {
    if (PROXY_HEADERS.every((name) => headers[name] === undefined)) return NO_HEADERS
    throw new Refusal('not-found', `Cannot ${method} ${getPath(url)}`)
  }
}
