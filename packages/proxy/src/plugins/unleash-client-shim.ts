/**
 * Stand-in for `unleash-client` in files with custom strategies: the base class for the documented form `class Mine
 * extends Strategy`. The engine handles constraints and segments, so nothing else is needed.
 */
export class Strategy {
  readonly name: string
  readonly #answer: boolean

  constructor(name: string, answer = false) {
    this.name = name || 'unknown'
    this.#answer = answer
  }

  /** Method that custom strategies override. */
  isEnabled(_parameters: unknown, _context: unknown): boolean {
    return this.#answer
  }
}
