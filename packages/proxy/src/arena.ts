const FIRST_BYTES = 64 * 1024
const HEAD = '{"toggles":['
const TAIL = ']}'

/** Where a piece of bytes lies. */
export interface Place {
  readonly start: number
  readonly end: number
}

/**
 * Bytes of many small pieces in one Buffer, and the room to put some of them together. What was added stays where it
 * is; numbers are offsets, none of them 0.
 */
export class Arena {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #end: number

  constructor() {
    this.#end = 1
    this.#end += this.#bytes.write(HEAD + TAIL, this.#end)
  }

  /** Bytes that are taken. */
  get used(): number {
    return this.#end
  }

  /** Adds a piece. */
  add(text: string): Place {
    const start = this.#end
    this.#reserve(start + Buffer.byteLength(text))
    this.#end += this.#bytes.write(text, start)
    return { start, end: this.#end }
  }

  /** Adds a piece of another arena. */
  take(from: Arena, start: number, end: number): number {
    const at = this.#end
    this.#reserve(at + end - start)
    from.#bytes.copy(this.#bytes, at, start, end)
    this.#end += end - start
    return at
  }

  /**
   * Writes a reply of pieces that each begin with a comma to the beginning of `target`: `{"toggles":[…]}`.
   *
   * @param runs start and end of each run of pieces, from entry 1 on
   * @param count how many entries of `runs` count, entry 0 included
   * @param length as `replyLength` says
   */
  assemble(runs: Uint32Array, count: number, length: number, target: Buffer): void {
    const begin = this.#end
    this.#reserve(begin + length + 1)
    const bytes = this.#bytes
    bytes.copyWithin(begin, 1, 1 + HEAD.length)
    // the first comma comes to lie on the bracket, which is put back
    let at = count === 1 ? begin + HEAD.length : begin + HEAD.length - 1
    for (let index = 1; index < count; index += 2) {
      const start = runs[index] as number
      const end = runs[index + 1] as number
      bytes.copyWithin(at, start, end)
      at += end - start
    }
    bytes[begin + HEAD.length - 1] = BRACKET
    bytes.copyWithin(at, 1 + HEAD.length, 1 + HEAD.length + TAIL.length)
    bytes.copy(target, 0, begin, begin + length)
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}

const [BRACKET = 0] = Buffer.from('[')

/** Bytes of a reply whose pieces have `bytes` together, commas included. */
export function replyLength(bytes: number): number {
  return HEAD.length + TAIL.length + (bytes === 0 ? 0 : bytes - 1)
}
