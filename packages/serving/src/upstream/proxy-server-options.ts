import type { OptionTable } from '@burgee/kit/options/options'
import { httpUrl, text } from '@burgee/kit/options/parsers'

/** Through which proxy servers the upstream is reached; for the proxy and the edge alike. */
export const PROXY_SERVER_OPTIONS = {
  httpProxy: {
    env: ['HTTP_PROXY', 'http_proxy'],
    parse: httpUrl,
    secret: true,
    doc: 'Proxy server for http requests to the upstream.',
  },
  httpsProxy: {
    env: ['HTTPS_PROXY', 'https_proxy'],
    parse: httpUrl,
    secret: true,
    doc: 'Proxy server for https requests to the upstream.',
  },
  noProxy: {
    env: ['NO_PROXY', 'no_proxy'],
    parse: text,
    doc: 'Hosts that are reached without a proxy server, comma-separated.',
  },
} as const satisfies OptionTable
