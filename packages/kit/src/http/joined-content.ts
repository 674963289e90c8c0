import { createHash } from 'node:crypto'
import { type Coding, compress } from './compression.ts'
import type { Content } from './content.ts'
import { tagOf } from './etag.ts'

/** Characters that are joined at once: so many are encoded and hashed in a fraction of a millisecond. */
const PART_CHARACTERS = 64 * 1024

/**
 * Joins pieces of text to a body, with a pause behind every 64 Ki characters; its tag is that of `weakEtag`. `resized`
 * hears how many bytes it keeps whenever a compressed form has come.
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
  return new JoinedContent(body, tagOf(body.length, digest.digest('base64')), resized)
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

  /** Kept with the body: `compress` remembers what it made of a Buffer. */
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
