import { type Coding, compress } from '@burgee/kit/http/compression'
import type { Content, Loan } from '@burgee/kit/http/content'

/** Size of each reusable buffer, and of each part of a response that does not fit into one buffer. */
const PART_BYTES = 1024 * 1024
/** Maximum number of buffers that the pool contains. Buffers beyond this number are garbage-collected. */
const MAX_KEPT_PARTS = 4
/** Maximum number of UTF-8 bytes that one UTF-16 code unit can need. */
const MAX_BYTES_PER_UNIT = 3

/** Builds response bodies from pieces of text; the bodies are not cached. */
export class AnswerContents {
  readonly #kept: Buffer[] = [];

  /**
   * Joins pieces into a body, and yields after each piece. The body has no ETag, because responses to POST are never
   * "not modified". Each piece is released as soon as it is written; otherwise, the garbage collector would have to
   * move it, which pauses the whole process. Throws the errors of the iterator that yields the pieces.
   */
  *join(pieces: Iterable<string>): Generator<void, Content> {
    const memories = [this.#take()]
    let isLent = false
    try {
      const parts = yield* this.#write(pieces, memories)
      const [only, ...more] = parts
      if (only !== undefined && more.length === 0) {
        isLent = true
        return new AnswerContent(only, () => this.#giveBack(memories))
      }
      return new AnswerContent(yield* concatenate(parts), () => {})
    } finally {
      if (!isLent) this.#giveBack(memories)
    }
  }

  /** Writes pieces into memory, adds the memory to `memories`, and returns the written parts. */
  *#write(pieces: Iterable<string>, memories: Buffer[]): Generator<void, Buffer[]> {
    const parts: Buffer[] = []
    let memory = memories[0] as Buffer
    let end = 0
    for (const piece of pieces) {
      const room = memory.length - end
      const bytes = piece.length * MAX_BYTES_PER_UNIT <= room ? 0 : Buffer.byteLength(piece)
      if (bytes > room) {
        parts.push(memory.subarray(0, end))
        const isReusable = bytes <= PART_BYTES && memories.length < MAX_KEPT_PARTS
        memory = isReusable ? this.#take() : Buffer.allocUnsafeSlow(Math.max(bytes, PART_BYTES))
        if (isReusable) memories.push(memory)
        end = 0
      }
      end += memory.write(piece, end)
      yield
    }
    parts.push(memory.subarray(0, end))
    return parts
  }

  #take(): Buffer {
    return this.#kept.pop() ?? allocateUncounted(PART_BYTES)
  }

  #giveBack(memories: readonly Buffer[]): void {
    this.#kept.push(...memories.slice(0, MAX_KEPT_PARTS - this.#kept.length))
  }
}

/** Copies parts into one Buffer, and yields after each part. */
function* concatenate(parts: readonly Buffer[]): Generator<void, Buffer> {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
    yield
  }
  return whole
}

class AnswerContent implements Content {
  readonly etag = undefined
  readonly #body: Buffer
  readonly #giveBack: () => void

  constructor(body: Buffer, giveBack: () => void) {
    this.#body = body
    this.#giveBack = giveBack
  }

  get length(): number {
    return this.#body.length
  }

  bytes(): Buffer {
    return this.#body
  }

  lend(): Loan {
    return { bytes: this.#body, release: this.#giveBack }
  }

  encoded(coding: Coding): Buffer | Promise<Buffer> {
    return compress(this.#body, coding)
  }
}

/**
 * Allocates memory that the garbage collector does not take into account, for buffers that are reused. Counted memory
 * triggers collections of five to ten milliseconds, which would delay other work such as an SDK request. Memory that is
 * not reused must be taken into account: otherwise, it would be freed late, and large responses would fill up the
 * memory.
 */
function allocateUncounted(bytes: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(bytes))
}
