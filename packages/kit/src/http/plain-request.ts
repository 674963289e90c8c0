import type { IncomingHttpHeaders } from 'node:http'
import { createRecordClass } from '../record-class.ts'
import { isValidHost } from './host.ts'

/** Request that arrived in a single chunk and that can be parsed unambiguously. */
export interface PlainRequest {
  readonly method: string
  /** Path and query of the URL, as the client sent them. */
  readonly url: string
  /**
   * Headers keyed by lower-case name. This object must not be modified, because requests with identical headers share
   * it.
   */
  readonly headers: IncomingHttpHeaders
  /** Undefined if the headers announce no body. */
  readonly body: Buffer | undefined
}

const VERSION = ' HTTP/1.1\r\n'
const HEAD_END = '\r\n\r\n'
const MAX_HEAD_BYTES = 8192
const PATH = /^\/[\x21-\x7e]*$/
/**
 * Header lines that each have a name, a colon and printable ASCII; continuation lines do not match. Source: RFC 9110,
 * 5.6.2 and 5.5.
 */
const LINES = /^(?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e]*\r\n)+$/
const LENGTH = /^\d{1,7}$/
/** Maximum number of headers in a plain request, well below the platform's limit of 1000. */
const MAX_HEADERS = 100
/** Headers that affect how the connection or the body is read. */
const FRAMING = ['transfer-encoding', 'upgrade', 'expect', 'te', 'trailer', 'http2-settings', 'proxy-connection']
/**
 * Headers that a plain request must not have. `set-cookie` and `__proto__` are included because the platform returns
 * the first as an array and omits the second.
 */
const NOT_PLAIN = new Set([...FRAMING, 'set-cookie', '__proto__'])

/**
 * Recognizes plain requests on one connection. A plain request is an HTTP/1.1 GET, HEAD or POST that arrives as a
 * single chunk. The head of a plain request has at most 8 KiB and no repeated header. If a plain request has a body,
 * the body is in the same chunk and its length is given by Content-Length. All other requests are left to the HTTP
 * parser of the platform.
 */
export class PlainRequests {
  readonly #maxHeadBytes: number
  /**
   * Header lines of the last request, for which the parsed headers are cached because a client usually repeats its
   * headers.
   */
  #lines = ''
  #headers: IncomingHttpHeaders | undefined

  /** @param maxHeaderBytes maximum length of a head in bytes; the platform rejects longer heads */
  constructor(maxHeaderBytes: number) {
    this.#maxHeadBytes = Math.min(maxHeaderBytes, MAX_HEAD_BYTES)
  }

  /**
   * Returns the plain request that a chunk contains. Returns undefined if the chunk is incomplete or ambiguous, or
   * contains more than one request.
   */
  read(piece: Buffer): PlainRequest | undefined {
    const text = piece.toString('latin1', 0, Math.min(piece.length, this.#maxHeadBytes))
    const end = text.indexOf(HEAD_END)
    const method = parseMethod(text)
    if (end < 0 || method === undefined) return undefined
    const from = method.length + 1
    const to = text.indexOf(' ', from)
    if (!text.startsWith(VERSION, to)) return undefined
    const url = text.slice(from, to)
    const headers = this.#parseHeaders(text.slice(to + VERSION.length, end + 2))
    if (headers === undefined || !PATH.test(url)) return undefined
    const bodyAt = end + HEAD_END.length
    const length = headers['content-length']
    if (piece.length - bodyAt !== (length === undefined ? 0 : Number(length))) return undefined
    return { method, url, headers, body: length === undefined ? undefined : piece.subarray(bodyAt) }
  }

  #parseHeaders(lines: string): IncomingHttpHeaders | undefined {
    if (this.#headers !== undefined && lines === this.#lines) return this.#headers
    const headers = LINES.test(lines) ? parseHeaderLines(lines) : undefined
    this.#lines = lines
    this.#headers = headers
    return headers
  }
}

function parseMethod(text: string): string | undefined {
  if (text.startsWith('GET ')) return 'GET'
  if (text.startsWith('POST ')) return 'POST'
  return text.startsWith('HEAD ') ? 'HEAD' : undefined
}

const Names = createRecordClass<string>()

/**
 * Parses header lines. Returns undefined if a name is repeated, there are too many headers, the Host header is missing,
 * or a header affects framing or the connection.
 */
function parseHeaderLines(lines: string): IncomingHttpHeaders | undefined {
  const headers = new Names()
  let count = 0
  for (let at = 0; at < lines.length; count++) {
    if (count === MAX_HEADERS) return undefined
    const colon = lines.indexOf(':', at)
    const end = lines.indexOf('\r\n', colon)
    const name = lines.slice(at, colon).toLowerCase()
    if (headers[name] !== undefined || NOT_PLAIN.has(name)) return undefined
    headers[name] = lines.slice(colon + 1, end).trim()
    at = end + 2
  }
  const { host, connection, 'content-length': length } = headers
  if (host === undefined || !isValidHost(host) || (length !== undefined && !LENGTH.test(length))) return undefined
  return connection === undefined || connection.toLowerCase() === 'keep-alive' ? headers : undefined
}
