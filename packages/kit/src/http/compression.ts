import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createDeflate, createGzip, deflate, gzip } from 'node:zlib'

/** Supported content codings, best first. */
const CODINGS = ['br', 'gzip', 'deflate'] as const
export type Coding = (typeof CODINGS)[number]

/** Minimum body size for which compression is worthwhile. */
const MIN_COMPRESSED_BYTES = 1024

const BROTLI_QUALITY = 4
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const compressDeflate = promisify(deflate)

const COMPRESS: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    compressBrotli(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body) => compressGzip(body),
  deflate: (body) => compressDeflate(body),
}

/** Creates a stream that compresses with a content coding, for bodies that are built in pieces. */
export function createCompressor(coding: Coding): Transform {
  if (coding === 'br') return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
  return coding === 'gzip' ? createGzip() : createDeflate()
}

/**
 * Returns the coding that an Accept-Encoding header prefers. The highest q value wins; among equal q values the order
 * is br, gzip, deflate. `*` stands for all codings that the header does not name. Returns undefined if the body should
 * be sent uncompressed, even if the header forbids that. Source: RFC 9110 §12.5.3.
 */
export function chooseCoding(acceptEncoding: string | undefined): Coding | undefined {
  if (acceptEncoding === undefined) return undefined
  const weights = new Map<string, number>()
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, parseWeight(parameters))
  }
  const others = weights.get('*') ?? 0
  let best: Coding | undefined
  let most = weights.get('identity') ?? 0
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? others
    if (weight > most || (weight === most && weight > 0 && best === undefined)) {
      best = coding
      most = weight
    }
  }
  return best
}

const MAX_CACHED_HEADERS = 100
const MAX_HEADER_LENGTH = 200

/**
 * Cache of `chooseCoding` results by header. The cache stays small, because all clients of one kind send the same
 * Accept-Encoding header.
 */
const codingCache = new Map<string, Coding | undefined>()

/** Returns the coding for a body of this length, or undefined if the body is too short to compress. */
export function selectCoding(acceptEncoding: string | undefined, bytes: number): Coding | undefined {
  if (acceptEncoding === undefined || bytes < MIN_COMPRESSED_BYTES) return undefined
  if (codingCache.has(acceptEncoding)) return codingCache.get(acceptEncoding)
  const coding = chooseCoding(acceptEncoding)
  if (codingCache.size >= MAX_CACHED_HEADERS) codingCache.clear()
  if (acceptEncoding.length <= MAX_HEADER_LENGTH) codingCache.set(acceptEncoding, coding)
  return coding
}

/** Parses the q parameter. A value that is not a number from 0 to 1 counts as 0 (not acceptable). */
function parseWeight(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  if (q === undefined) return 1
  return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q.slice('q='.length)) : 0
}

/** Returns true if bodies of a media type compress well: text, JSON, XML, scripts, SVG. */
export function isCompressible(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^text\/(?!event-stream)|[/+](json|xml|javascript|x-ndjson)$|^image\/svg/.test(type)
}

interface CompressedForm {
  readonly body: Promise<Buffer>
  /** Size in bytes; 0 until compressed. */
  bytes: number
}

/** Compressed forms of bodies, keyed by the identity of the body's Buffer. */
const compressedForms = new WeakMap<Buffer, Map<Coding, CompressedForm>>()

/**
 * Compresses a body off the event loop. Rejects if compression fails. Caches the compressed forms of a Buffer for as
 * long as the Buffer exists, so its content must not change afterwards.
 */
export function compress(body: string | Buffer, coding: Coding): Promise<Buffer> {
  if (typeof body === 'string') return COMPRESS[coding](Buffer.from(body))
  const known = compressedForms.get(body) ?? new Map<Coding, CompressedForm>()
  compressedForms.set(body, known)
  const before = known.get(coding)
  if (before !== undefined) return before.body
  const made: CompressedForm = { body: COMPRESS[coding](body), bytes: 0 }
  known.set(coding, made)
  made.body.then(
    ({ length }) => {
      made.bytes = length
    },
    () => known.delete(coding),
  )
  return made.body
}

/** Returns the total size of all cached compressed forms of a body. */
export function countCompressedBytes(body: Buffer): number {
  let bytes = 0
  for (const form of compressedForms.get(body)?.values() ?? []) bytes += form.bytes
  return bytes
}
