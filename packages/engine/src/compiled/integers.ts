/** Growable list of 32-bit integers. */
export class Integers {
  #list = new Int32Array(64)
  #length = 0

  /** Number of integers in the list. */
  get length(): number {
    return this.#length
  }

  /** Appends one integer. */
  add(integer: number): void {
    if (this.#length === this.#list.length) this.#grow(this.#length + 1)
    this.#list[this.#length++] = integer
  }

  /** Appends the integers of `list` from index `from` up to but excluding `to`. */
  addAll(list: ArrayLike<number>, from = 0, to = list.length): void {
    if (this.#length + to - from > this.#list.length) this.#grow(this.#length + to - from)
    for (let i = from; i < to; i++) this.#list[this.#length++] = list[i] as number
  }

  /** Returns a copy of the current content. */
  toArray(): Int32Array {
    return this.#list.slice(0, this.#length)
  }

  #grow(least: number): void {
    const larger = new Int32Array(2 * least)
    larger.set(this.#list)
    this.#list = larger
  }
}
