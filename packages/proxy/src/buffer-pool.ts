const LEAST_BYTES = 4096
const MOST_HELD_BYTES = 16 * 1024 * 1024

/**
 * Buffers that are used again, most recently used first: fresh memory for every reply costs more than filling it. Sizes
 * are powers of two; what is given back beyond the bound is left to the garbage collector.
 */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>()
  #heldBytes = 0

  /** Bytes that wait to be used again. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** A Buffer of at least so many bytes, whatever they are. Its taker gives it back or forgets it. */
  take(bytes: number): Buffer {
    const size = sizeFor(bytes)
    const buffer = this.#free.get(size)?.pop()
    if (buffer === undefined) return Buffer.allocUnsafeSlow(size)
    this.#heldBytes -= size
    return buffer
  }

  /** Takes back a whole Buffer of `take`. Nobody may read it any more. */
  giveBack(buffer: Buffer): void {
    if (this.#heldBytes + buffer.length > MOST_HELD_BYTES) return
    const free = this.#free.get(buffer.length)
    if (free === undefined) this.#free.set(buffer.length, [buffer])
    else free.push(buffer)
    this.#heldBytes += buffer.length
  }
}

function sizeFor(bytes: number): number {
  return Math.max(LEAST_BYTES, 2 ** Math.ceil(Math.log2(bytes)))
}
