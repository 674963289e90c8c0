import type { OptionTable } from '@burgee/kit/options/options'
import { text } from '@burgee/kit/options/parsers'

/**
 * Options for proxy servers on the way to the upstream; the same for the proxy and the edge. `createDispatcher`
 * validates only the options that it uses, because machine-wide variables that this process does not use can have any
 * form.
 */
export const PROXY_SERVER_OPTIONS = {
  httpProxy: {
    env: ['http_proxy', 'HTTP_PROXY'],
    parse: text,
    secret: true,
    doc: 'Proxy server for http:// upstreams, as URL or host:port. It is not used for https:// upstreams.',
  },
  httpsProxy: {
    env: ['https_proxy', 'HTTPS_PROXY'],
    parse: text,
    secret: true,
    doc: 'Proxy server for https:// upstreams, as URL or host:port.',
  },
  allProxy: {
    env: ['all_proxy', 'ALL_PROXY'],
    parse: text,
    secret: true,
    doc: 'Proxy server for upstreams whose scheme has no proxy server set.',
  },
  noProxy: {
    env: ['no_proxy', 'NO_PROXY'],
    parse: text,
    doc: 'Hosts to connect to without a proxy server, comma-separated: names with their subdomains, addresses, ranges (10.0.0.0/8), or * for all; each with or without a port (host:8080).',
  },
} as const satisfies OptionTable
