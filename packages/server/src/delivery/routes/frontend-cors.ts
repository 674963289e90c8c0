import { buildCorsHeaders, buildPreflightReply, type CorsOptions } from '@burgee/kit/http/cors'
import { NO_HEADERS } from '@burgee/kit/http/header-block'
import type { Caller, Reply } from '@burgee/kit/http/route'

const FOR_PAGES = /^\/+(api\/+(frontend|proxy)|ofrep)(\/|\?|$)/i
const OFREP = /^\/+ofrep/i

/**
 * Creates the CORS hook for the frontend and OpenFeature APIs. The hook answers preflight requests, and decides which
 * pages may read replies. No other API can be called by pages of other origins. Source: wire protocol "CORS".
 */
export function corsFirst(
  origins: () => readonly string[],
  basePath: string,
  maxAgeSeconds: number,
): (caller: Caller) => Readonly<Record<string, string>> | Reply {
  return (caller) => {
    const isBelow = caller.url.toLowerCase().startsWith(basePath.toLowerCase())
    const path = caller.url.slice(basePath.length)
    if (!isBelow || !FOR_PAGES.test(path)) return NO_HEADERS
    const options = corsOptions(origins(), maxAgeSeconds, OFREP.test(path) ? 'ETag, Retry-After' : 'ETag')
    return caller.method === 'OPTIONS'
      ? buildPreflightReply(options, caller.headers)
      : buildCorsHeaders(options, caller.headers)
  }
}

function corsOptions(origin: readonly string[], maxAgeSeconds: number, exposedHeaders: string): CorsOptions {
  return {
    // a list with one origin would be sent to every page; the added blanks match no origin and make the list longer
    origin: origin.includes('*') ? ['*'] : [...origin, ' ', ' '],
    methods: 'GET, HEAD, POST',
    allowedHeaders: undefined,
    exposedHeaders,
    credentials: !origin.includes('*'),
    maxAgeSeconds,
    optionsSuccessStatus: 204,
  }
}
