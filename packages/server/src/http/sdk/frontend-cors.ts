import { type CorsOptions, corsHeaders, preflight } from '@burgee/kit/http/cors'
import { NO_HEADERS } from '@burgee/kit/http/header-block'
import type { Caller, Reply } from '@burgee/kit/http/route'

const FOR_PAGES = /^\/+api\/+(frontend|proxy)(\/|\?|$)/i

/**
 * Answers preflights of the frontend API, and says which pages may read its replies; nothing else may be called from a
 * page of another origin. Source: wire protocol "CORS".
 */
export function corsFirst(
  origins: () => readonly string[],
  basePath: string,
  maxAgeSeconds: number,
): (caller: Caller) => Readonly<Record<string, string>> | Reply {
  return (caller) => {
    const isBelow = caller.url.toLowerCase().startsWith(basePath.toLowerCase())
    if (!isBelow || !FOR_PAGES.test(caller.url.slice(basePath.length))) return NO_HEADERS
    const options = corsOptions(origins(), maxAgeSeconds)
    return caller.method === 'OPTIONS' ? preflight(options, caller.headers) : corsHeaders(options, caller.headers)
  }
}

function corsOptions(origin: readonly string[], maxAgeSeconds: number): CorsOptions {
  return {
    // a list of one would be announced to everybody; no origin is a blank
    origin: origin.includes('*') ? ['*'] : [...origin, ' ', ' '],
    methods: 'GET, HEAD, POST',
    allowedHeaders: undefined,
    exposedHeaders: 'ETag',
    credentials: !origin.includes('*'),
    maxAgeSeconds,
    optionsSuccessStatus: 204,
  }
}
