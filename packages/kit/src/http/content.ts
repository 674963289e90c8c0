import type { Coding } from './compression.ts'

/**
 * A body whose ETag is known before its bytes are built, so that a 304 needs no bytes. May cache its encoded forms.
 * Returned bytes must not change afterwards.
 */
export interface Content {
  /** Header value (`W/"…"`), or undefined if the body needs no ETag. */
  readonly etag: string | undefined
  /**
   * Size of the plain body in bytes. An estimate is sufficient until the body is built, because the size only affects
   * whether the body is compressed.
   */
  readonly length: number
  /** Returns the plain body. */
  bytes(): Buffer
  /**
   * Returns the plain body in a pooled buffer, which saves memory. The sender gives the buffer back after sending. Call
   * no other method of the body afterwards.
   */
  lend?(): Loan
  /** Returns the body in a content coding. Rejects or throws if compression fails. */
  encoded(coding: Coding): Buffer | Promise<Buffer>
}

/** Bytes in a pooled buffer. The sender gives the buffer back to the pool after sending. */
export interface Loan {
  readonly bytes: Buffer
  /** Buffer that contains the pooled bytes; present if the sender is allowed to write a head in front of the bytes. */
  readonly surroundings?: Surroundings | undefined
  /**
   * Gives the bytes back to the pool. Call this once nothing reads the bytes. If this is never called, the buffer is
   * garbage-collected instead of reused.
   */
  release(): void
}

/**
 * Buffer that contains pooled bytes from `start` to `end`. The sender may also write to the `headroomBytes` before
 * `start`, so that head and body are sent in one chunk. The sender must not touch any other bytes of the Buffer.
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
