import type { IncomingHttpHeaders } from 'node:http'
import { Reply } from './route.ts'

/** CORS settings. Source: spec, options `cors.*`. */
export interface CorsOptions {
  /**
   * `*`, one origin (sent with every reply), or several origins (each sent only in replies to requests from that
   * origin).
   */
  readonly origin: readonly string[]
  readonly methods: string
  /** Allowed request headers. If undefined, all headers that the web page requests are allowed. */
  readonly allowedHeaders: readonly string[] | undefined
  readonly exposedHeaders: string
  readonly credentials: boolean
  readonly maxAgeSeconds: number
  readonly optionsSuccessStatus: number
}

/** Returns the CORS headers for any reply to a request with the given headers. */
export function buildCorsHeaders(options: CorsOptions, request: IncomingHttpHeaders): Record<string, string> {
  const headers: Record<string, string> = {}
  const [only, ...others] = options.origin
  if (options.origin.includes('*')) headers['access-control-allow-origin'] = '*'
  else {
    headers.vary = 'Origin'
    const asking = request.origin
    if (others.length === 0 && only !== undefined) headers['access-control-allow-origin'] = only
    else if (asking !== undefined && options.origin.includes(asking)) headers['access-control-allow-origin'] = asking
  }
  if (options.credentials) headers['access-control-allow-credentials'] = 'true'
  if (options.exposedHeaders !== '') headers['access-control-expose-headers'] = options.exposedHeaders
  return headers
}

/**
 * Returns a variant of `buildCorsHeaders` that has computed all headers in advance: one object per allowed origin, and
 * one for all other origins. Replies can therefore share header objects.
 */
export function createCorsReader(
  options: CorsOptions,
): (request: IncomingHttpHeaders) => Readonly<Record<string, string>> {
  const others = buildCorsHeaders(options, {})
  const known = new Map(options.origin.map((origin) => [origin, buildCorsHeaders(options, { origin })]))
  return ({ origin }) => (origin === undefined ? others : (known.get(origin) ?? others))
}

/** Returns the reply to a preflight request (any OPTIONS request). */
export function buildPreflightReply(options: CorsOptions, request: IncomingHttpHeaders): Reply {
  const headers = buildCorsHeaders(options, request)
  headers['access-control-allow-methods'] = options.methods
  headers['access-control-max-age'] = String(options.maxAgeSeconds)
  const requested = request['access-control-request-headers']
  if (options.allowedHeaders !== undefined) headers['access-control-allow-headers'] = options.allowedHeaders.join(',')
  else {
    headers.vary = [headers.vary, 'Access-Control-Request-Headers'].filter((name) => name !== undefined).join(', ')
    if (requested) headers['access-control-allow-headers'] = requested
  }
  return new Reply(options.optionsSuccessStatus, undefined, { ...headers, 'content-length': '0' })
}
