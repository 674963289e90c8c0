import { flattenText } from '@burgee/kit/flat-text'

const MAX_LENGTH = 100

/**
 * Bounded table that assigns a number to each string. A number stays valid until a call of `retain` that does not list
 * it.
 */
export class TextTable {
  readonly #maxEntries: number
  readonly #numbers = new Map<string, number>()
  readonly #texts: (string | undefined)[] = []
  readonly #free: number[] = []

  /**
   * @param maxEntries maximum number of strings; any further string gets number 0, which stands for the empty string
   */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
    this.#numbers.set('', 0)
    this.#texts.push('')
  }

  get size(): number {
    return this.#numbers.size
  }

  /** Returns the number of a string, after shortening it and removing control characters. */
  add(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const clean = flattenText(
      text
        .replaceAll(/\p{Cc}/gu, '')
        .slice(0, MAX_LENGTH)
        .toWellFormed(),
    )
    const number = this.#numbers.get(clean)
    if (number !== undefined) return number
    if (this.#numbers.size >= this.#maxEntries) return 0
    const fresh = this.#free.pop() ?? this.#texts.length
    this.#texts[fresh] = clean
    this.#numbers.set(clean, fresh)
    return fresh
  }

  get(number: number): string {
    return this.#texts[number] ?? ''
  }

  /** Removes all strings whose numbers are not listed as in use. */
  retain(used: ReadonlySet<number>): void {
    for (const [text, number] of this.#numbers) {
      if (number === 0 || used.has(number)) continue
      this.#numbers.delete(text)
      this.#texts[number] = undefined
      this.#free.push(number)
    }
  }
}
