/**
 * Stand-in for `unleash-client` in custom strategy files: the base class of the documented form `class Mine extends
 * Strategy`. The engine handles constraints and segments, so nothing else is needed.
 */
export class Strategy {
  readonly name: string
  readonly #answer: boolean

  constructor(name: string, answer = false) {
    this.name = name || 'unknown'
    this.#answer = answer
  }

  /** Overridden by custom strategies. */
  isEnabled(_parameters: unknown, _context: unknown): boolean {
    return this.#answer
  }
}
