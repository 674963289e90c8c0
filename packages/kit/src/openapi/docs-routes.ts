import { readFileSync } from 'node:fs'
import { htmlHeaders } from '../http/html.ts'
import { Reply, type Route, routesFor } from '../http/route.ts'
import { getPath } from '../http/url-parts.ts'
import type { OpenApiDocument } from './openapi.ts'

const ASSETS = new URL('../../assets/', import.meta.url)
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

const PAGE_HEADERS = {
  ...htmlHeaders(POLICY),
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * Creates the public routes for the API description: `/docs/openapi.json` and an interactive page at `/docs/openapi`.
 * Calls `document` only once, at the first request. The page has no inline scripts and loads nothing from other
 * origins.
 */
export function docsRoutes<Access>(document: () => OpenApiDocument): Route<Access>[] {
  // a Buffer rather than a string, so that its compressed forms are cached
  let json: Buffer | undefined
  const asset = (file: string, contentType: string): (() => Reply) => {
    const headers = { 'content-type': contentType, 'x-content-type-options': 'nosniff' }
    let bytes: Buffer | undefined
    return () => {
      bytes ??= readFileSync(new URL(file, ASSETS))
      return new Reply(200, bytes, headers)
    }
  }
  const html = asset('openapi.html', 'text/html')
  return [
    createPageRoute<Access>('/docs/openapi.json', 'application/json', 'This description.', () => {
      json ??= Buffer.from(JSON.stringify(document()))
      return new Reply(200, json, { 'content-type': 'application/json; charset=utf-8' })
    }),
    createPageRoute<Access>('/docs/openapi', 'text/html', 'Returns a page to read and try the API.', (url) => {
      // relative URLs of the page resolve correctly only without a trailing slash
      if (url.endsWith('/')) return new Reply(301, undefined, { location: '../openapi' })
      const { status, body, headers } = html()
      return new Reply(status, body, { ...headers, ...PAGE_HEADERS })
    }),
    createPageRoute<Access>(
      '/docs/openapi/page.js',
      'text/javascript',
      'Returns the script of the page.',
      asset('page.js', 'text/javascript; charset=utf-8'),
    ),
    createPageRoute<Access>(
      '/docs/openapi/page.css',
      'text/css',
      'Returns the style sheet of the page.',
      asset('page.css', 'text/css; charset=utf-8'),
    ),
  ]
}

function createPageRoute<Access>(
  url: string,
  contentType: string,
  summary: string,
  handle: (path: string) => Reply,
): Route<Access> {
  return routesFor<Access>()({
    method: 'GET',
    url,
    tag: 'Documentation',
    permission: 'public',
    summary,
    replies: { 200: { description: summary, contentType } },
    problems: [],
    handle: ({ caller }) => handle(getPath(caller.url)),
  })
}
