/** Number of registers; with this many, the standard error of an estimate is about 3 %. */
const REGISTERS = 1024
const REGISTER_BITS = 10
const BIAS = 0.7213 / (1 + 1.079 / REGISTERS)

/** Sketch that estimates the number of distinct keys with 1 KiB of memory (HyperLogLog). */
export class DistinctSketch {
  readonly #registers = new Uint8Array(REGISTERS)

  /** Adds a key, given as two independent 32-bit hashes. */
  add(place: number, rank: number): void {
    const register = place & (REGISTERS - 1)
    const mixed = Math.imul(rank ^ (place >>> REGISTER_BITS), 0x9e3779b1)
    const zeros = Math.clz32(mixed ^ (mixed >>> 15)) + 1
    if (zeros > (this.#registers[register] ?? 0)) this.#registers[register] = zeros
  }

  /** Merges another sketch into this one. */
  merge(other: DistinctSketch): void {
    for (let at = 0; at < REGISTERS; at += 1) {
      const theirs = other.#registers[at] ?? 0
      if (theirs > (this.#registers[at] ?? 0)) this.#registers[at] = theirs
    }
  }

  /** Returns the estimated number of distinct keys. */
  count(): number {
    let sum = 0
    let empty = 0
    for (const zeros of this.#registers) {
      sum += 2 ** -zeros
      if (zeros === 0) empty += 1
    }
    const estimate = (BIAS * REGISTERS * REGISTERS) / sum
    const isSmall = estimate <= 2.5 * REGISTERS && empty > 0
    return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : estimate)
  }
}
