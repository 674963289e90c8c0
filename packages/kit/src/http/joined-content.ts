import { createHash } from 'node:crypto'
import { type Coding, compress } from './compression.ts'
import type { Content } from './content.ts'
import { formatEtag } from './etag.ts'

/** Number of characters per chunk. Encoding and hashing a chunk takes a fraction of a millisecond. */
const PART_CHARACTERS = 64 * 1024

/**
 * Joins pieces of text into a body, and yields after every 64 Ki characters. The ETag is the one that `computeWeakEtag`
 * returns for the whole body. Calls `resized` with the total size in bytes whenever a compressed form was added to the
 * cache.
 */
export function* joinedContent(
  pieces: Iterable<string>,
  resized: (bytes: number) => void = () => {},
): Generator<void, Content> {
  const parts: Buffer[] = []
  const digest = createHash('sha1')
  let text = ''
  const take = () => {
    const part = Buffer.from(text)
    text = ''
    parts.push(part)
    digest.update(part)
  }
  for (const piece of pieces) {
    text += piece
    if (text.length < PART_CHARACTERS) continue
    take()
    yield
  }
  take()
  const body = parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts)
  return new JoinedContent(body, formatEtag(body.length, digest.digest('base64')), resized)
}

class JoinedContent implements Content {
  readonly etag: string
  readonly #body: Buffer
  readonly #resized: (bytes: number) => void
  #compressedBytes = 0
  readonly #codings = new Set<Coding>()

  constructor(body: Buffer, etag: string, resized: (bytes: number) => void) {
    this.#body = body
    this.etag = etag
    this.#resized = resized
  }

  get length(): number {
    return this.#body.length
  }

  bytes(): Buffer {
    return this.#body
  }

  /** Compresses the body; `compress` caches the result, keyed by the Buffer. */
  async encoded(coding: Coding): Promise<Buffer> {
    const encoded = await compress(this.#body, coding)
    if (!this.#codings.has(coding)) {
      this.#codings.add(coding)
      this.#compressedBytes += encoded.length
      this.#resized(this.length + this.#compressedBytes)
    }
    return encoded
  }
}
