/** A list of 32-bit integers that grows. */
export class Integers {
  #list = new Int32Array(64)
  #length = 0

  /** How many there are. */
  get length(): number {
    return this.#length
  }

  /** Puts one at the end. */
  add(integer: number): void {
    if (this.#length === this.#list.length) this.#grow(this.#length + 1)
    this.#list[this.#length++] = integer
  }

  /** Puts some at the end: those of `list` from one place up to, not including, another. */
  addAll(list: ArrayLike<number>, from = 0, to = list.length): void {
    if (this.#length + to - from > this.#list.length) this.#grow(this.#length + to - from)
    for (let i = from; i < to; i++) this.#list[this.#length++] = list[i] as number
  }

  /** What there is now. */
  taken(): Int32Array {
    return this.#list.slice(0, this.#length)
  }

  #grow(least: number): void {
    const larger = new Int32Array(2 * least)
    larger.set(this.#list)
    this.#list = larger
  }
}
