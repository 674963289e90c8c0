import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type Caller, Reply, type Route, routesFor } from '@burgee/kit/http/route'
import type { Access } from '../access/auth.ts'
import { nothingAt } from '../errors.ts'
import { landingRoutes } from './landing-routes.ts'

const route = routesFor<Access>()
/** Where the build of the admin UI is, seen from the sources and from the build of this file alike. */
const BUILD = new URL('../../../../admin/dist/', import.meta.url)
const LEAST_COMPRESSED_BYTES = 1024

/** Neither scripts nor styles within the page: what the UI styles at run-time goes through the CSSOM. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
const PACKED = new Set(['.png', '.woff2'])

/** First parts of paths that are never a page of the UI. Source: wire protocol "paths". */
const NO_PAGES = /^\/*(api|auth|logout|health|ready|internal-backstage|docs|edge|invite|assets)(\/|$)/i

/** The page at `/`: the admin UI, or where it is not built a page that says what is here. */
export function uiRoutes(basePath: string): Route<Access>[] {
  const html = pageOf(basePath)
  if (html === undefined) return landingRoutes(basePath)
  return [
    route({
      method: 'GET',
      url: '/',
      permission: 'public',
      tag: 'System',
      summary: 'The admin UI.',
      replies: { 200: { description: 'The page', contentType: 'text/html' } },
      problems: [],
      handle: () => new Reply(200, html, HTML_HEADERS),
    }),
  ]
}

/** The files of the admin UI, and its page at every other address that is none of the API; nothing where it is not built. */
export function uiFileRoutes(basePath: string): Route<Access>[] {
  const html = pageOf(basePath)
  if (html === undefined) return []
  const files = readFiles()
  return [
    route({
      method: 'GET',
      url: '/*',
      permission: 'public',
      tag: 'System',
      summary: 'Pages and files of the admin UI.',
      replies: { 200: { description: 'The file', contentType: 'text/html' } },
      problems: ['NotFoundError'],
      handle: ({ caller }) => {
        const path = caller.params['*'] ?? ''
        const file = files.get(path)
        if (file !== undefined) return file(caller)
        if (NO_PAGES.test(path)) throw nothingAt(caller.url.split('?', 1)[0] ?? caller.url)
        return new Reply(200, html, HTML_HEADERS)
      },
    }),
  ]
}

/** The page, told where it lives: it is the same build below any base path. Bytes, so that they are compressed once. */
function pageOf(basePath: string): Buffer | undefined {
  try {
    const html = readFileSync(new URL('index.html', BUILD), 'utf8')
    const href = `${basePath}/`.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    return Buffer.from(html.replace(/<head>/i, () => `<head>\n    <base href="${href}">`))
  } catch {
    return undefined
  }
}

type FileReply = (caller: Caller) => Reply

/** Everything of the build but its page, in memory: a later build does not take files from under a running server. */
function readFiles(): ReadonlyMap<string, FileReply> {
  const names = readdirSync(fileURLToPath(BUILD), { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`)
  const root = fileURLToPath(BUILD)
  return new Map(
    files
      .map((file) => file.slice(root.length).replaceAll('\\', '/').replace(/^\/+/, ''))
      .filter((path) => path !== 'index.html')
      .map((path) => [path, fileReply(path, readFileSync(new URL(path, BUILD)))]),
  )
}

/** Names in `assets/` carry a hash of their content, so they may be kept for ever. */
function fileReply(path: string, bytes: Buffer): FileReply {
  const type = extname(path)
  const headers = {
    'content-type': TYPES[type] ?? 'application/octet-stream',
    'cache-control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
  }
  if (PACKED.has(type) || bytes.length < LEAST_COMPRESSED_BYTES) return () => new Reply(200, bytes, headers)
  let packed: Buffer | undefined
  return (caller) => {
    const varying = { ...headers, vary: 'Accept-Encoding' }
    if (!takesGzip(caller)) return new Reply(200, bytes, varying)
    packed ??= gzipSync(bytes, { level: 9 })
    return new Reply(200, packed, { ...varying, 'content-encoding': 'gzip' })
  }
}

function takesGzip({ headers }: Caller): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers['accept-encoding'] ?? ''))
}
