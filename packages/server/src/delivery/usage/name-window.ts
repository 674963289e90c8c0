import type { Reporter } from './buffered-counts.ts'

/** Maximum numbers of distinct names per reporter and time window. */
export interface NameWindowBounds {
  readonly windowMs: number
  /** Maximum number for a reporter with a secret token. */
  readonly most: number
  /** Maximum number for a reporter with a public token. */
  readonly mostOfPublic: number
}

/**
 * Limits the distinct names of each reporter within a time window. Once admitted, a name stays admitted until the
 * window ends. All windows have the same length and begin at multiples of that length, at the same time for all
 * reporters.
 */
export class NameWindow {
  readonly #bounds: NameWindowBounds
  #stretch = Number.NaN
  #names = new Map<string, Set<string>>()

  constructor(bounds: NameWindowBounds) {
    this.#bounds = bounds
  }

  /** Returns true if the reporter may use the name at the time `now` (milliseconds since 1970). */
  admits({ key, isPublic }: Pick<Reporter, 'key' | 'isPublic'>, name: string, now: number): boolean {
    this.#begin(Math.floor(now / this.#bounds.windowMs))
    const names = this.#names.get(key) ?? new Set()
    if (names.has(name)) return true
    if (names.size >= (isPublic ? this.#bounds.mostOfPublic : this.#bounds.most)) return false
    this.#names.set(key, names.add(name))
    return true
  }

  #begin(stretch: number): void {
    if (stretch === this.#stretch) return
    this.#stretch = stretch
    this.#names = new Map()
  }
}
