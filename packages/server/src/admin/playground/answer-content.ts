import { type Coding, compress } from '@burgee/kit/http/compression'
import type { Content, Loan } from '@burgee/kit/http/content'

/** Size of the reusable buffer, and of each part of a response that does not fit into it. */
const PART_BYTES = 1024 * 1024
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3

/** Builds response bodies from pieces of text; the bodies are not cached. */
export class AnswerContents {
  #spare: Buffer | undefined;

  /**
   * Joins pieces into a body, and yields after each piece. The body has no ETag, because responses to POST are never
   * "not modified". Each piece is released as soon as it is written, because otherwise the garbage collector would have
   * to move it, and that pauses the whole process.
   */
  *join(pieces: Iterable<string>): Generator<void, Content> {
    const parts: Buffer[] = []
    const started = this.#take()
    let memory = started
    let end = 0
    for (const piece of pieces) {
      const room = memory.length - end
      const bytes = piece.length * MAX_BYTES_PER_UNIT <= room ? 0 : Buffer.byteLength(piece)
      if (bytes > room) {
        parts.push(memory.subarray(0, end))
        memory = allocateUncounted(Math.max(bytes, PART_BYTES))
        end = 0
      }
      end += memory.write(piece, end)
      yield
    }
    parts.push(memory.subarray(0, end))
    const [first = memory, ...more] = parts
    if (more.length === 0) return new AnswerContent(first, () => this.#giveBack(memory))
    const whole = allocateUncounted(parts.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
      yield
    }
    this.#giveBack(started)
    return new AnswerContent(whole, () => {})
  }

  #take(): Buffer {
    const spare = this.#spare ?? allocateUncounted(PART_BYTES)
    this.#spare = undefined
    return spare
  }

  #giveBack(memory: Buffer): void {
    if (memory.length === PART_BYTES) this.#spare = memory
  }
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
 * Allocates memory that the garbage collector does not count. Counted memory triggers collections of five to ten
 * milliseconds, which would delay other work such as an SDK request.
 */
function allocateUncounted(bytes: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(bytes))
}
