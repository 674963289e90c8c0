import type { Coding } from './compression.ts'

/**
 * A body whose tag is known before its bytes are made, so that a client that has it already costs none, and which may
 * keep the forms it was sent in. What it gives out must not change afterwards.
 */
export interface Content {
  /** As it goes into the header: `W/"…"`; undefined where nobody has use for one. */
  readonly etag: string | undefined
  /** Of the plain body, in bytes; about that before it was made, for it decides only whether compressing is worth it. */
  readonly length: number
  /** The plain body. */
  bytes(): Buffer
  /** The plain body for a sender that says when it is done with it, which saves memory; not asked for afterwards. */
  lend?(): Loan
  /** The body in a coding. Rejects or throws when the compressor fails. */
  encoded(coding: Coding): Buffer | Promise<Buffer>
}

/** Bytes that are somebody else's again once they were sent. */
export interface Loan {
  readonly bytes: Buffer
  /** Where the bytes lie, if the sender may write in front of them. */
  readonly surroundings?: Surroundings | undefined
  /** To be called when nobody reads the bytes any more, or never. */
  giveBack(): void
}

/**
 * A Buffer that holds lent bytes from `start` to `end`. The `headroomBytes` before `start` are lent with them: a head
 * that is written there goes out in one piece with its body. The rest is not the sender's.
 */
export interface Surroundings {
  readonly memory: Buffer
  readonly start: number
  readonly end: number
  readonly headroomBytes: number
}

/** Whether a body is more than its bytes. */
export function isContent(body: string | Buffer | Content): body is Content {
  return typeof body === 'object' && !Buffer.isBuffer(body)
}
