import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Coding, createCompressor } from './compression.ts'
import type { Content } from './content.ts'
import { formatEtag } from './etag.ts'

/**
 * Large body that is assembled from pieces. Encoding and hashing do not block the event loop, and the body can exceed
 * the maximum string length. All pieces must be added before the body is sent.
 */
export class PiecedContent implements Content {
  readonly #pieces: Buffer[] = []
  readonly #hash: Hash = createHash('sha1')
  #etag: string | undefined
  #length = 0

  /** Appends text. Throws if the ETag was already read. */
  add(text: string): void {
    const piece = Buffer.from(text)
    this.#hash.update(piece)
    this.#pieces.push(piece)
    this.#length += piece.length
  }

  get etag(): string {
    this.#etag ??= formatEtag(this.#length, this.#hash.digest('base64'))
    return this.#etag
  }

  get length(): number {
    return this.#length
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces, this.#length)
  }

  async encoded(coding: Coding): Promise<Buffer> {
    const compressed: Buffer[] = []
    await pipeline(Readable.from(this.#pieces), createCompressor(coding), async (source: AsyncIterable<Buffer>) => {
      for await (const part of source) compressed.push(part)
    })
    return Buffer.concat(compressed)
  }
}
