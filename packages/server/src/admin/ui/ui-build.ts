import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compress } from '@burgee/kit/http/compression'
import type { Content } from '@burgee/kit/http/content'
import { computeWeakEtag } from '@burgee/kit/http/etag'
import { Reply } from '@burgee/kit/http/route'

/** Directory of the built admin UI. The relative path is the same from the source file and from its build output. */
const BUILD = new URL('../../../../admin-ui/dist/', import.meta.url)
/** Suffix of the Brotli-compressed copy that the build writes next to a file. */
const BROTLI = '.br'
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Files of the admin UI, loaded into memory so that a new build on disk does not affect a running server. */
export interface UiBuild {
  /** HTML page, which contains the base path. The page is a Buffer, so that it is compressed only once. */
  readonly page: Buffer
  /** All other files of the build, keyed by path. Each value is a function that creates the reply. */
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
    return Buffer.from(setBasePath(html, basePath.replaceAll('&', '&amp;').replaceAll('"', '&quot;')))
  } catch {
    return undefined
  }
}

/**
 * Makes the relative addresses in a built page absolute, and tells its scripts the base path. The page needs no
 * `<base>`. The content security policy forbids `<base>`, because an injected one would redirect all relative
 * addresses.
 */
function setBasePath(html: string, basePath: string): string {
  return html
    .replaceAll(/ (href|src)="\.\//g, (_, name: string) => ` ${name}="${basePath}/`)
    .replace(/<head>/i, () => `<head>\n    <meta name="base-path" content="${basePath}">`)
}

type FileReply = () => Reply

function readFiles(): ReadonlyMap<string, FileReply> {
  const root = fileURLToPath(BUILD)
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
  const paths = names
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replaceAll('\\', '/').replace(/^\/+/, ''))
  const all = new Set(paths)
  const read = (path: string): Buffer => readFileSync(new URL(path, BUILD))
  return new Map(
    paths
      .filter((path) => path !== 'index.html' && extname(path) !== BROTLI)
      .map((path) => {
        const brotli = all.has(`${path}${BROTLI}`) ? read(`${path}${BROTLI}`) : undefined
        return [path, createFileReply(path, read(path), brotli)]
      }),
  )
}

/**
 * Creates the function that replies with a file. File names in `assets/` contain a content hash, so browsers can cache
 * these files indefinitely.
 */
function createFileReply(path: string, bytes: Buffer, brotli: Buffer | undefined): FileReply {
  const headers = {
    'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
    'cache-control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
  }
  const body = brotli === undefined ? bytes : createCompressedContent(bytes, brotli)
  return () => new Reply(200, body, headers)
}

/** Creates a body whose Brotli-compressed form comes from the build, which compresses better than the server. */
function createCompressedContent(bytes: Buffer, brotli: Buffer): Content {
  return {
    etag: computeWeakEtag(bytes),
    length: bytes.length,
    bytes: () => bytes,
    encoded: (coding) => (coding === 'br' ? brotli : compress(bytes, coding)),
  }
}
