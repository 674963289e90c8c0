import type { Coding } from './compression.ts'

/**
 * A body whose ETag is known before its bytes are built, so that a 304 costs nothing. May cache its encoded forms.
 * Bytes it has returned must not change afterwards.
 */
export interface Content {
  /** Header value (`W/"…"`), or undefined if the body needs no ETag. */
  readonly etag: string | undefined
  /**
   * Size of the plain body in bytes. May be an estimate until the body is built; it only decides whether to compress.
   */
  readonly length: number
  /** Returns the plain body. */
  bytes(): Buffer
  /** Lends the plain body to a sender that returns it when done, which saves memory. Not callable afterwards. */
  lend?(): Loan
  /** Returns the body in a content coding. Rejects or throws if compression fails. */
  encoded(coding: Coding): Buffer | Promise<Buffer>
}

/** Pooled bytes that go back to their owner once sent. */
export interface Loan {
  readonly bytes: Buffer
  /** The buffer around the bytes, if the sender may write in front of them. */
  readonly surroundings?: Surroundings | undefined
  /** Returns the bytes to their owner once nothing reads them any more. Calling it is optional. */
  giveBack(): void
}

/**
 * A Buffer with lent bytes from `start` to `end`. The `headroomBytes` before `start` are lent, too: a head written
 * there is sent in one chunk with its body. The rest does not belong to the sender.
 */
export interface Surroundings {
  readonly memory: Buffer
  readonly start: number
  readonly end: number
  readonly headroomBytes: number
}

/** Returns true if a body is a `Content`, not plain bytes or text. */
export function isContent(body: string | Buffer | Content): body is Content {
  return typeof body === 'object' && !Buffer.isBuffer(body)
}
