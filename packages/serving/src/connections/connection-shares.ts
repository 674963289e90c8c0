/** Numbers callers, such as networks, and counts the places that each caller uses. */
export class ConnectionShares {
  readonly #numbers = new Map<string, number>()
  readonly #counts = new Map<number, number>()
  #next = 0

  /** Returns the number of places that a caller uses. */
  count(name: string): number {
    return this.#counts.get(this.#numbers.get(name) ?? -1) ?? 0
  }

  /** Counts another place of a caller, and returns the number of the caller. */
  take(name: string): number {
    let number = this.#numbers.get(name)
    if (number === undefined) {
      number = this.#next
      this.#next += 1
      this.#numbers.set(name, number)
    }
    this.#counts.set(number, (this.#counts.get(number) ?? 0) + 1)
    return number
  }

  /** Counts all places again from the numbers of their callers, and forgets callers without a place. */
  recount(numbers: Iterable<number>): void {
    this.#counts.clear()
    for (const number of numbers) this.#counts.set(number, (this.#counts.get(number) ?? 0) + 1)
    for (const [name, number] of this.#numbers) if (!this.#counts.has(number)) this.#numbers.delete(name)
  }
}
