import { type Coding, compress } from '@burgee/kit/http/compression'
import type { Content, Loan } from '@burgee/kit/http/content'

/** Memory that is kept for the next answer, and of one part of a longer one. */
const PART_BYTES = 1024 * 1024
/** UTF-8 has no more for a unit of a text. */
const MOST_BYTES_PER_UNIT = 3

/** Makes bodies of pieces of text, of which nobody asks for the same again. */
export class AnswerContents {
  #spare: Buffer | undefined;

  /**
   * With a pause behind each piece. The body has no tag: what is posted is never "not modified". No piece is held longer
   * than it takes to write it: texts that live would be moved about, and everybody would wait for that.
   */
  *join(pieces: Iterable<string>): Generator<void, Content> {
    const parts: Buffer[] = []
    const started = this.#take()
    let memory = started
    let end = 0
    for (const piece of pieces) {
      const room = memory.length - end
      const bytes = piece.length * MOST_BYTES_PER_UNIT <= room ? 0 : Buffer.byteLength(piece)
      if (bytes > room) {
        parts.push(memory.subarray(0, end))
        memory = outside(Math.max(bytes, PART_BYTES))
        end = 0
      }
      end += memory.write(piece, end)
      yield
    }
    parts.push(memory.subarray(0, end))
    const [first = memory, ...more] = parts
    if (more.length === 0) return new AnswerContent(first, () => this.#giveBack(memory))
    const whole = outside(parts.reduce((sum, part) => sum + part.length, 0))
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
    const spare = this.#spare ?? outside(PART_BYTES)
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
    return { bytes: this.#body, giveBack: this.#giveBack }
  }

  encoded(coding: Coding): Buffer | Promise<Buffer> {
    return compress(this.#body, coding)
  }
}

/**
 * Memory that the garbage collector does not count: what is counted makes it work, five to ten milliseconds at a time, for
 * whoever allocates anything meanwhile, an SDK's request that is read for instance.
 */
function outside(bytes: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(bytes))
}
