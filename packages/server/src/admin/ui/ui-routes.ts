import { htmlHeaders } from '@burgee/kit/http/html'
import { Reply } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import { createPathNotFound } from '../../core/http/errors.ts'
import { type Routes, route } from '../../core/http/route.ts'
import type { UiBuild } from './ui-build.ts'

/**
 * Content security policy of the UI page. The policy forbids inline scripts and styles; styles that are created at run
 * time use the CSSOM.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const HTML_HEADERS = {
  ...htmlHeaders(POLICY),
  'cache-control': 'no-cache',
}

/** First path segments of URLs that never lead to the UI page. Source: wire protocol "paths". */
const NO_PAGES =
  /^\/*(api|auth|logout|health|ready|internal-backstage|docs|edge|invite|assets|ofrep|openfeature)(\/|$)/i

/** Route that serves the admin UI page at `/`. */
export const uiRoutes: Routes = [
  route({
    method: 'GET',
    url: '/',
    permission: 'public',
    tag: 'System',
    summary: 'Returns the admin UI.',
    replies: { 200: { description: 'The page', contentType: 'text/html' } },
    problems: [],
    handle: (_input, { ui }) => pageReply(ui),
  }),
]

/** Routes that serve the files of the admin UI, and its page at all other paths that do not belong to an API. */
export const uiFileRoutes: Routes = [
  route({
    method: 'GET',
    url: '/*',
    permission: 'public',
    tag: 'System',
    summary: 'Returns a page or file of the admin UI.',
    replies: { 200: { description: 'The file', contentType: 'text/html' } },
    problems: ['NotFoundError'],
    handle: ({ caller }, { ui }) => {
      const path = caller.params['*'] ?? ''
      const file = ui?.files.get(path)
      if (file !== undefined) return file()
      if (NO_PAGES.test(path)) throw createPathNotFound(getPath(caller.url))
      return pageReply(ui)
    },
  }),
]

function pageReply(ui: UiBuild | undefined): Reply {
  return new Reply(200, ui?.page, HTML_HEADERS)
}
