import type { Coding } from './compression.ts'

/**
 * Body whose ETag is known before its bytes are built, so that a 304 needs no bytes. May cache its encoded forms.
 * Returned bytes must not change afterwards.
 */
export interface Content {
  /** Header value (`W/"…"`), or undefined if the body needs no ETag. */
  readonly etag: string | undefined
  /**
   * Size of the plain body in bytes. Before the body is built, this may be an estimate, because the size only decides
   * whether the body is compressed.
   */
  readonly length: number
  /** Returns the plain body. */
  bytes(): Buffer
  /**
   * Returns the plain body in a pooled buffer, which avoids allocating memory. The sender returns the buffer after
   * sending. Afterwards, no other method of the body may be called.
   */
  lend?(): Loan
  /** Returns the body in a content coding. Rejects or throws if compression fails. */
  encoded(coding: Coding): Buffer | Promise<Buffer>
}

/** Bytes in a buffer that belongs to a pool. The sender returns the buffer to the pool after sending. */
export interface Loan {
  readonly bytes: Buffer
  /** Buffer that contains the bytes; present if the sender may write a head in front of them. */
  readonly surroundings?: Surroundings | undefined
  /**
   * Returns the bytes to the pool. Must be called once nothing reads the bytes any more. If it is never called, the
   * buffer is garbage-collected instead of reused.
   */
  release(): void
}

/**
 * Buffer that contains pooled bytes from `start` to `end`. The sender may also write to the `headroomBytes` before
 * `start`, so that head and body can be sent in one chunk. The sender must not modify any other bytes of the Buffer.
 */
export interface Surroundings {
  readonly memory: Buffer
  readonly start: number
  readonly end: number
  readonly headroomBytes: number
}

/** Returns true if a body is a `Content`, and not plain bytes or text. */
export function isContent(body: string | Buffer | Content): body is Content {
  return typeof body === 'object' && !Buffer.isBuffer(body)
}
