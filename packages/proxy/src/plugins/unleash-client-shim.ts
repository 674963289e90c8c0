/**
 * What a custom strategy file gets for the name `unleash-client`: the base class of the documented form
 * `class Mine extends Strategy`. Constraints and segments are the engine's affair, so nothing else is needed.
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
