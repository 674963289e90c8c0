import type { IncomingHttpHeaders } from 'node:http'
import { type Coding, compress, selectCoding } from './compression.ts'
import { type Content, isContent, type Loan } from './content.ts'
import { computeWeakEtag, isNotModified } from './etag.ts'
import type { Reply } from './route.ts'

/** Parts of a request that determine how its reply is sent. */
export interface RequestHead {
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** Properties of the reply headers that determine how the reply is sent. */
export interface SendOptions {
  /** True if the body may be compressed. */
  readonly compress: boolean
  /** ETag that the reply itself sets; overrides the ETag of the body. */
  readonly etag: string | undefined
}

/** Reply in the form that every `Exit` sends. A reply has an ETag only if it is a 304 or has a body. */
export interface OutgoingReply {
  readonly status: number
  readonly etag: string | undefined
  readonly coding: Coding | undefined
  readonly body: string | Buffer | undefined
  /**
   * Pooled buffer that contains the body; undefined if the body is in no pooled buffer. The buffer must be given back
   * after sending.
   */
  readonly loan?: Loan | undefined
}

/**
 * Prepares a reply for sending. Returns a 304 without a body if the client already has the current ETag and a 304 is
 * allowed: the reply is a SafeReply, or a 200 to GET or HEAD. Otherwise returns the body with a weak ETag. Bodies of at
 * least 1024 bytes are compressed as Accept-Encoding permits; compression does not change the ETag. Ignores
 * `Cache-Control: no-cache` of the request, because this directive is meant for caches and `fetch` adds it when
 * If-None-Match is set.
 */
export function prepareReply(
  asking: RequestHead,
  answer: Reply,
  { compress: mayCompress, etag: given }: SendOptions,
): OutgoingReply | Promise<OutgoingReply> {
  const { status, body } = answer
  if (body === undefined) return { status, etag: undefined, coding: undefined, body }
  const etag = given ?? (isContent(body) ? body.etag : computeWeakEtag(body))
  if (
    etag !== undefined &&
    isNotModified(answer.isSafe ? { method: 'GET', headers: asking.headers } : asking, status, etag)
  )
    return { status: 304, etag, coding: undefined, body: undefined }
  const coding =
    mayCompress && asking.method !== 'HEAD'
      ? selectCoding(asking.headers['accept-encoding'] as string | undefined, getByteLength(body))
      : undefined
  const plain = () => ({ status, etag, coding: undefined, body: isContent(body) ? body.bytes() : body })
  if (coding === undefined) return isContent(body) ? toLentReply(status, etag, body) : plain()
  try {
    const small = isContent(body) ? body.encoded(coding) : compress(body, coding)
    if (Buffer.isBuffer(small)) return { status, etag, coding, body: small }
    // falls back to the plain body if compression fails
    return small.then((bytes) => ({ status, etag, coding, body: bytes }), plain)
  } catch {
    return plain()
  }
}

function toLentReply(status: number, etag: string | undefined, content: Content): OutgoingReply {
  const loan = content.lend?.()
  if (loan === undefined) return { status, etag, coding: undefined, body: content.bytes() }
  return { status, etag, coding: undefined, body: loan.bytes, loan }
}

function getByteLength(body: string | Buffer | Content): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length
}
