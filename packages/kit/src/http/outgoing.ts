import type { IncomingHttpHeaders } from 'node:http'
import { type Coding, codingFor, compress } from './compression.ts'
import { type Content, isContent, type Loan } from './content.ts'
import { isNotModified, weakEtag } from './etag.ts'
import type { Reply } from './route.ts'

/** What of a request decides how its reply is sent. */
export interface Asking {
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** What of a reply's headers decides how it is sent. */
export interface Sending {
  /** The body may be compressed. */
  readonly compress: boolean
  /** The tag that the reply itself has; wins over the body's own. */
  readonly etag: string | undefined
}

/** What goes out: decided in one place for all exits. Only a reply with a body has a tag; only 304 has a tag alone. */
export interface Outgoing {
  readonly status: number
  readonly etag: string | undefined
  readonly coding: Coding | undefined
  readonly body: string | Buffer | undefined
  /** Where the body is lent: to be given back when it was sent. */
  readonly loan?: Loan | undefined
}

/**
 * Decides what is sent: a weak ETag, or 304 without body when the client has it already (GET and HEAD, status 200; also
 * with `Cache-Control: no-cache`, which is meant for caches, and which `fetch` adds to If-None-Match). Compresses bodies
 * of at least 1024 bytes as Accept-Encoding asks; the ETag stays that of the plain body.
 */
export function outgoing(
  asking: Asking,
  answer: Reply,
  { compress: mayCompress, etag: given }: Sending,
): Outgoing | Promise<Outgoing> {
  const { status, body } = answer
  if (body === undefined) return { status, etag: undefined, coding: undefined, body }
  const etag = given ?? (isContent(body) ? body.etag : weakEtag(body))
  if (
    etag !== undefined &&
    isNotModified(answer.isSafe ? { method: 'GET', headers: asking.headers } : asking, status, etag)
  )
    return { status: 304, etag, coding: undefined, body: undefined }
  const coding =
    mayCompress && asking.method !== 'HEAD'
      ? codingFor(asking.headers['accept-encoding'] as string | undefined, lengthOf(body))
      : undefined
  const plain = () => ({ status, etag, coding: undefined, body: isContent(body) ? body.bytes() : body })
  if (coding === undefined) return isContent(body) ? lent(status, etag, body) : plain()
  try {
    const small = isContent(body) ? body.encoded(coding) : compress(body, coding)
    if (Buffer.isBuffer(small)) return { status, etag, coding, body: small }
    // the body as it is, should the compressor fail
    return small.then((bytes) => ({ status, etag, coding, body: bytes }), plain)
  } catch {
    return plain()
  }
}

function lent(status: number, etag: string | undefined, content: Content): Outgoing {
  const loan = content.lend?.()
  if (loan === undefined) return { status, etag, coding: undefined, body: content.bytes() }
  return { status, etag, coding: undefined, body: loan.bytes, loan }
}

function lengthOf(body: string | Buffer | Content): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length
}
