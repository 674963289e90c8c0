import type { Reporter } from './usage-counts.ts'

/** How many names there may be within a stretch of time. */
export interface NameBounds {
  readonly windowMs: number
  /** For a reporter whose token is a secret. */
  readonly most: number
  /** For a reporter whose token anybody can read. */
  readonly mostOfPublic: number
}

/**
 * Bounds how many different names each reporter may bring within a stretch of time; a name that was let in stays in
 * until the stretch ends. Stretches begin at multiples of their length, for all reporters at once.
 */
export class NameBudget {
  readonly #bounds: NameBounds
  #stretch = Number.NaN
  #names = new Map<string, Set<string>>()

  constructor(bounds: NameBounds) {
    this.#bounds = bounds
  }

  /** Whether a reporter may bring a name at `now`, milliseconds since 1970. */
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
