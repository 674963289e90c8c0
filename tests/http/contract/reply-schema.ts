import type { BurgeeServer } from '@burgee/server'
import { type ApiDocument, replyChecker } from '../../support/openapi.ts'

/** A reply as `inject` gives it. */
interface SomeReply {
  readonly statusCode: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

type Check = (call: string, reply: SomeReply) => string[]

const checks = new Map<string, Check>()
/** What nothing answers: nobody learns more than that. */
const ELSEWHERE = new Set([401, 403, 404, 429])

/** What is described; one server may show its description and another one not. */
function keyOf(server: BurgeeServer, basePath: string): string {
  const endpoints = server.routes.map(({ method, url }) => `${method} ${url}`)
  return [basePath, ...endpoints.filter((endpoint) => !endpoint.includes('/docs'))].join('\n')
}

const API = /^\/+(api|auth|edge|health|ready|logout|ofrep|openfeature)\b/i

/** Makes the check of replies against the server's own description; made once per base path and set of routes. */
export async function replyCheckOf(server: BurgeeServer, basePath = ''): Promise<Check> {
  const described = keyOf(server, basePath)
  const known = checks.get(described)
  if (known !== undefined) return known
  const description = await server.app.inject({ url: `${basePath}/docs/openapi.json` })
  const check = replyChecker(description.json() as ApiDocument)
  const checkOne: Check = (call, reply) => {
    const [method = '', url = ''] = call.split(' ')
    // a 500 is nobody's promise, and pages are no API
    if (reply.statusCode >= 500 || url.includes('..') || !API.test(url.slice(basePath.length))) return []
    const contentType = reply.headers['content-type']
    const errors = check({
      method,
      // the manifest's own address given as that of its provider leads to the same place
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
