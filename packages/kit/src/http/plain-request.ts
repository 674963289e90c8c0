import type { IncomingHttpHeaders } from 'node:http'
import { classOfNames } from '../names.ts'
import { isValidHost } from './host.ts'

/** A request that came in one piece and leaves nothing to interpret. */
export interface PlainRequest {
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  /** By lower-case name. Shared between requests that have the same ones: not to be changed. */
  readonly headers: IncomingHttpHeaders
  /** Undefined for a request that announces none. */
  readonly body: Buffer | undefined
}

const VERSION = ' HTTP/1.1\r\n'
const HEAD_END = '\r\n\r\n'
const LONGEST_HEAD_BYTES = 8192
const PATH = /^\/[\x21-\x7e]*$/
/** Lines of a name, a colon and printable ASCII, without continuations. Source: RFC 9110, 5.6.2 and 5.5. */
const LINES = /^(?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e]*\r\n)+$/
const LENGTH = /^\d{1,7}$/
/** The platform reads no more than a thousand. */
const MOST_HEADERS = 100
/** What changes how a connection or a body is read. */
const FRAMING = ['transfer-encoding', 'upgrade', 'expect', 'te', 'trailer', 'http2-settings', 'proxy-connection']
/** With what the platform gives as a list, and what it does not give. */
const NOT_PLAIN = new Set([...FRAMING, 'set-cookie', '__proto__'])

/**
 * Recognises plain requests on one connection: HTTP/1.1, GET, HEAD or POST, whole in one piece of at most 8 kB of head,
 * a path, each header once, nothing about framing but the length of a body that has come with it. This is no parser for
 * HTTP: of what is not plain to the last byte it knows nothing, and leaves it to the platform's parser.
 */
export class PlainRequests {
  readonly #longestHeadBytes: number
  /** The headers of the last request: a client says the same ones again and again. */
  #lines = ''
  #headers: IncomingHttpHeaders | undefined

  /** @param maxHeaderBytes the platform refuses longer ones */
  constructor(maxHeaderBytes: number) {
    this.#longestHeadBytes = Math.min(maxHeaderBytes, LONGEST_HEAD_BYTES)
  }

  /** The request that a piece of bytes is. Undefined for anything else: less, more, or in doubt. */
  read(piece: Buffer): PlainRequest | undefined {
    const text = piece.toString('latin1', 0, Math.min(piece.length, this.#longestHeadBytes))
    const end = text.indexOf(HEAD_END)
    const method = methodOf(text)
    if (end < 0 || method === undefined) return undefined
    const from = method.length + 1
    const to = text.indexOf(' ', from)
    if (!text.startsWith(VERSION, to)) return undefined
    const url = text.slice(from, to)
    const headers = this.#headersOf(text.slice(to + VERSION.length, end + 2))
    if (headers === undefined || !PATH.test(url)) return undefined
    const bodyAt = end + HEAD_END.length
    const length = headers['content-length']
    if (piece.length - bodyAt !== (length === undefined ? 0 : Number(length))) return undefined
    return { method, url, headers, body: length === undefined ? undefined : piece.subarray(bodyAt) }
  }

  #headersOf(lines: string): IncomingHttpHeaders | undefined {
    if (this.#headers !== undefined && lines === this.#lines) return this.#headers
    const headers = LINES.test(lines) ? readLines(lines) : undefined
    this.#lines = lines
    this.#headers = headers
    return headers
  }
}

function methodOf(text: string): string | undefined {
  if (text.startsWith('GET ')) return 'GET'
  if (text.startsWith('POST ')) return 'POST'
  return text.startsWith('HEAD ') ? 'HEAD' : undefined
}

const Names = classOfNames<string>()

/** Undefined when a name comes twice, there are many, the host is missing, or a header says how to read what follows. */
function readLines(lines: string): IncomingHttpHeaders | undefined {
  const headers = new Names()
  let count = 0
  for (let at = 0; at < lines.length; count++) {
    if (count === MOST_HEADERS) return undefined
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
