import type { OptionTable } from '@burgee/kit/options/options'
import { text } from '@burgee/kit/options/parsers'

/**
 * Options for proxy servers to the upstream, for the proxy and the edge alike. `createDispatcher` validates only those
 * in use: machine-wide variables that the process does not use may have any form.
 */
export const PROXY_SERVER_OPTIONS = {
  httpProxy: {
    env: ['http_proxy', 'HTTP_PROXY'],
    parse: text,
    secret: true,
    doc: 'Proxy server for http:// upstreams, as URL or host:port. An https:// upstream is not reached through it.',
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
    doc: 'Proxy server for upstreams whose scheme has no proxy server of its own.',
  },
  noProxy: {
    env: ['no_proxy', 'NO_PROXY'],
    parse: text,
    doc: 'Hosts that are reached without a proxy server, comma-separated: names with their subdomains, addresses, ranges (10.0.0.0/8), * for all; each with a port (host:8080) or without.',
  },
} as const satisfies OptionTable
