import { NO_HEADERS } from '@burgee/kit/http/header-block'
import { Refusal } from '@burgee/kit/http/refusal'
import type { Caller, PreRequestHook } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import type { OptionTable } from '@burgee/kit/options/options'
import { flag } from '@burgee/kit/options/parsers'

/** Option that allows requests for metrics through reverse proxies; the same for the proxy, the edge and the server. */
export const FORWARDED_METRICS_OPTION = {
  forwardedMetrics: {
    env: ['FORWARDED_METRICS'],
    parse: flag,
    default: false,
    doc: 'Serve metrics and other pages below `/internal-backstage`, which require no token, to requests that came through a reverse proxy or an Ingress too. By default such requests get 404, and Prometheus has to scrape the process directly. Probes are always served.',
  },
} as const satisfies OptionTable

/**
 * Headers that reverse proxies add to requests. `X-Forwarded-Proto` is not listed: the sidecars of a service mesh add
 * it to direct requests as well.
 */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

/**
 * Creates the pre-request hook that protects pages meant for operators only. Unless forwarded requests are allowed, the
 * hook answers them as if the path did not exist.
 */
export function forwardedMetricsHook(isForwardedAllowed: boolean): PreRequestHook {
  if (isForwardedAllowed) return () => NO_HEADERS
  return ({ method, url, headers }: Pick<Caller, 'method' | 'url' | 'headers'>) => {
    if (PROXY_HEADERS.every((name) => headers[name] === undefined)) return NO_HEADERS
    throw new Refusal('not-found', `Cannot ${method} ${getPath(url)}`)
  }
}
