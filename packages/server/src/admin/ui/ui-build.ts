import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type Caller, Reply } from '@burgee/kit/http/route'

/** Directory of the built admin UI. The relative path is valid from the source file and from its build output. */
const BUILD = new URL('../../../../admin-ui/dist/', import.meta.url)
const MIN_COMPRESSED_BYTES = 1024
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
const PACKED = new Set(['.png', '.woff2'])

/** Files of the admin UI, loaded into memory so that a new build on disk does not affect a running server. */
export interface UiBuild {
  /** HTML page that contains the base path. A Buffer, so that it is compressed only once. */
  readonly page: Buffer
  /** All other files of the build. The key is the path, the value a function that replies to a request. */
  readonly files: ReadonlyMap<string, FileReply>
}

/** Loads the admin UI build; undefined if it is missing. The same build works with any base path. */
export function readUiBuild(basePath: string): UiBuild | undefined {
  const page = readPage(basePath)
  return page === undefined ? undefined : { page, files: readFiles() }
}

function readPage(basePath: string): Buffer | undefined {
  try {
    const html = readFileSync(new URL('index.html', BUILD), 'utf8')
    const href = `${basePath}/`.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    return Buffer.from(html.replace(/<head>/i, () => `<head>\n    <base href="${href}">`))
  } catch {
    return undefined
  }
}

type FileReply = (caller: Caller) => Reply

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

/**
 * Creates the function that replies with a file. File names in `assets/` contain a content hash, so browsers may cache
 * these files indefinitely.
 */
function fileReply(path: string, bytes: Buffer): FileReply {
  const type = extname(path)
  const headers = {
    'content-type': TYPES[type] ?? 'application/octet-stream',
    'cache-control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
  }
  if (PACKED.has(type) || bytes.length < MIN_COMPRESSED_BYTES) return () => new Reply(200, bytes, headers)
  let packed: Buffer | undefined
  return (caller) => {
    const varying = { ...headers, vary: 'Accept-Encoding' }
    if (!acceptsGzip(caller)) return new Reply(200, bytes, varying)
    packed ??= gzipSync(bytes, { level: 9 })
    return new Reply(200, packed, { ...varying, 'content-encoding': 'gzip' })
  }
}

function acceptsGzip({ headers }: Caller): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers['accept-encoding'] ?? ''))
}
