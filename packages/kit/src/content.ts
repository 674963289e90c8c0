import type { Coding } from './compression.ts'

/**
 * A body whose tag is known before its bytes are made, so that a client that has it already costs none, and which may
 * keep the forms it was sent in. What it gives out must not change afterwards.
 */
export interface Content {
  /** As it goes into the header: `W/"…"`. */
  readonly etag: string
  /** Of the plain body, in bytes. */
  readonly length: number
  /** The plain body. */
  bytes(): Buffer
  /** The body in a coding. Rejects or throws when the compressor fails. */
  encoded(coding: Coding): Buffer | Promise<Buffer>
}

/** Whether a body is more than its bytes. */
export function isContent(body: string | Buffer | Content): body is Content {
  return typeof body === 'object' && !Buffer.isBuffer(body)
}
