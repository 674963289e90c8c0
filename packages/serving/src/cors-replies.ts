import { buildPreflightReply, type CorsOptions, createCorsReader } from '@burgee/kit/http/cors'
import { htmlHeaders } from '@burgee/kit/http/html'
import { type Caller, Reply } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import type { Parsed } from '@burgee/kit/options/options'
import type { CORS_OPTIONS } from './cors-options.ts'

interface Endpoint {
  readonly method: string
  readonly url: string
}

/** Values of the CORS options, after parsing. */
export type CorsSettings = Parsed<typeof CORS_OPTIONS>

/**
 * Creates the CORS hook, which adds headers to every response. The hook answers every `OPTIONS` request before the app
 * makes any other check. With `cors.preflightContinue`, the response to an `OPTIONS` request lists the methods of the
 * endpoint at that path, or is a 404 if the path has no endpoint. The CORS rules themselves are in
 * `@burgee/kit/http/cors`.
 */
export function createCorsHook(
  options: CorsSettings,
  basePath: string,
  endpoints: readonly Endpoint[],
): (caller: Caller) => Readonly<Record<string, string>> | Reply {
  const common = createCorsRules(toCorsOptions(options))
  const ofrep = createCorsRules(toOfrepOptions(toCorsOptions(options)))
  const goesOn = options['cors.preflightContinue']
  const methods = groupMethodsByPath(basePath, endpoints)
  return ({ method, headers, url }) => {
    const { cors, headersFor } = isOfrep(url, basePath) ? ofrep : common
    if (method !== 'OPTIONS') return headersFor(headers)
    const answer = buildPreflightReply(cors, headers)
    if (!goesOn) return answer
    const { 'content-length': _none, ...permissions } = answer.headers as Record<string, string>
    const allow = methods.get(normalizePath(url))
    if (allow === undefined) return permissions
    return new Reply(200, allow, { ...permissions, allow, ...htmlHeaders() })
  }
}

function createCorsRules(cors: CorsOptions) {
  return { cors, headersFor: createCorsReader(cors) }
}

const OFREP = /^\/+ofrep(\/|\?|$)/i

function isOfrep(url: string, basePath: string): boolean {
  return OFREP.test(url.toLowerCase().startsWith(basePath.toLowerCase()) ? url.slice(basePath.length) : '')
}

/** Adds the response headers that OpenFeature providers need to the headers exposed by CORS. */
function toOfrepOptions(cors: CorsOptions): CorsOptions {
  const names = [...cors.exposedHeaders.split(','), 'ETag', 'Retry-After'].map((name) => name.trim())
  const byName = new Map(names.filter((name) => name !== '').map((name) => [name.toLowerCase(), name]))
  return { ...cors, exposedHeaders: [...byName.values()].join(', ') }
}

function groupMethodsByPath(basePath: string, endpoints: readonly Endpoint[]): ReadonlyMap<string, string> {
  const methods = new Map<string, Set<string>>()
  for (const { method, url } of endpoints) {
    const path = normalizePath(`${basePath}${url}`)
    const known = methods.get(path) ?? new Set()
    for (const one of method === 'GET' ? ['GET', 'HEAD'] : [method]) known.add(one)
    methods.set(path, known)
  }
  return new Map([...methods].map(([path, known]) => [path, [...known].sort().join(',')]))
}

/** Normalizes a path: removes the query, duplicate slashes and the trailing slash, and converts it to lower case. */
function normalizePath(url: string): string {
  return getPath(url).replace(/\/+/g, '/').replace(/\/$/, '').toLowerCase()
}

function toCorsOptions(options: CorsSettings): CorsOptions {
  return {
    origin: options['cors.origin'],
    methods: options['cors.methods'],
    allowedHeaders: options['cors.allowedHeaders'],
    exposedHeaders: options['cors.exposedHeaders'],
    credentials: options['cors.credentials'],
    maxAgeSeconds: options['cors.maxAge'],
    optionsSuccessStatus: options['cors.optionsSuccessStatus'],
  }
}
