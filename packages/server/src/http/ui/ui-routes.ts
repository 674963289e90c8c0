import { htmlHeaders } from '@burgee/kit/http/html'
import { Reply } from '@burgee/kit/http/route'
import { nothingAt } from '../errors.ts'
import { type Routes, route } from '../route.ts'
import type { UiBuild } from './ui-build.ts'

/** Neither scripts nor styles within the page: what the UI styles at run-time goes through the CSSOM. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
].join('; ')

const HTML_HEADERS = {
  ...htmlHeaders(POLICY),
  'cache-control': 'no-cache',
}

/** First parts of paths that are never a page of the UI. Source: wire protocol "paths". */
const NO_PAGES =
  /^\/*(api|auth|logout|health|ready|internal-backstage|docs|edge|invite|assets|ofrep|openfeature)(\/|$)/i

/** The page of the admin UI at `/`. */
export const uiRoutes: Routes = [
  route({
    method: 'GET',
    url: '/',
    permission: 'public',
    tag: 'System',
    summary: 'The admin UI.',
    replies: { 200: { description: 'The page', contentType: 'text/html' } },
    problems: [],
    handle: (_input, { ui }) => pageReply(ui),
  }),
]

/** The files of the admin UI, and its page at every other address outside the API. */
export const uiFileRoutes: Routes = [
  route({
    method: 'GET',
    url: '/*',
    permission: 'public',
    tag: 'System',
    summary: 'Pages and files of the admin UI.',
    replies: { 200: { description: 'The file', contentType: 'text/html' } },
    problems: ['NotFoundError'],
    handle: ({ caller }, { ui }) => {
      const path = caller.params['*'] ?? ''
      const file = ui?.files.get(path)
      if (file !== undefined) return file(caller)
      if (NO_PAGES.test(path)) throw nothingAt(caller.url.split('?', 1)[0] ?? caller.url)
      return pageReply(ui)
    },
  }),
]

function pageReply(ui: UiBuild | undefined): Reply {
  return new Reply(200, ui?.page, HTML_HEADERS)
}
