import { type Coding, compress } from '@burgee/kit/http/compression'
import type { Content, Loan } from '@burgee/kit/http/content'

/** Memory that is kept for the next answer; longer ones have their own. */
const SPARE_BYTES = 1024 * 1024

/** Makes bodies of pieces of text, of which nobody asks for the same again. */
export class AnswerContents {
  #spare: Buffer | undefined;

  /** With a pause behind each piece. The body has no tag: what is posted is never "not modified". */
  *join(pieces: Iterable<string>): Generator<void, Content> {
    const texts: string[] = []
    let bytes = 0
    for (const piece of pieces) {
      texts.push(piece)
      bytes += Buffer.byteLength(piece)
      yield
    }
    const memory = this.#take(bytes)
    let end = 0
    for (const [index, text] of texts.entries()) {
      end += memory.write(text, end)
      texts[index] = ''
      yield
    }
    return new AnswerContent(memory.subarray(0, end), () => this.#giveBack(memory))
  }

  #take(bytes: number): Buffer {
    if (bytes > SPARE_BYTES) return Buffer.allocUnsafe(bytes)
    const spare = this.#spare ?? Buffer.allocUnsafeSlow(SPARE_BYTES)
    this.#spare = undefined
    return spare
  }

  #giveBack(memory: Buffer): void {
    if (memory.length === SPARE_BYTES) this.#spare = memory
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
