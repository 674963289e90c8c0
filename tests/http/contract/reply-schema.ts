import type { BurgeeServer } from '@burgee/server'
import { type ApiDocument, replyChecker } from '../../support/openapi.ts'

/** Reply in the form that `inject` returns. */
interface SomeReply {
  readonly statusCode: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

type Check = (call: string, reply: SomeReply) => string[]

const checks = new Map<string, Check>()
/** Statuses that paths may return without documenting them. */
const ELSEWHERE = new Set([401, 403, 404, 429])

/**
 * Returns a cache key for the OpenAPI document. The key depends on the routes, but not on the option to serve the
 * document.
 */
function keyOf(server: BurgeeServer, basePath: string): string {
  const endpoints = server.routes.map(({ method, url }) => `${method} ${url}`)
  return [basePath, ...endpoints.filter((endpoint) => !endpoint.includes('/docs'))].join('\n')
}

const API = /^\/+(api|auth|edge|health|ready|logout|ofrep|openfeature)\b/i

/**
 * Creates a function that checks replies against the server's own OpenAPI document, once per base path and set of
 * routes.
 */
export async function replyCheckOf(server: BurgeeServer, basePath = ''): Promise<Check> {
  const described = keyOf(server, basePath)
  const known = checks.get(described)
  if (known !== undefined) return known
  const description = await server.app.inject({ url: `${basePath}/docs/openapi.json` })
  const check = replyChecker(description.json() as ApiDocument)
  const checkOne: Check = (call, reply) => {
    const [method = '', url = ''] = call.split(' ')
    // the document never describes a 500, and pages are not part of the API
    if (reply.statusCode >= 500 || url.includes('..') || !API.test(url.slice(basePath.length))) return []
    const contentType = reply.headers['content-type']
    const errors = check({
      method,
      // a client that is configured with the URL of the manifest doubles the path, which leads to the same endpoint
      path: url.replace(/\/{2,}/g, '/').replace(/(\/openfeature\/v0\/manifest)\1/, '$1'),
      status: reply.statusCode,
      contentType: contentType === undefined ? undefined : String(contentType),
      body: reply.body,
    })
    return ELSEWHERE.has(reply.statusCode) ? errors.filter((error) => !error.endsWith(': not described')) : errors
  }
  checks.set(described, checkOne)
  return checkOne
}
