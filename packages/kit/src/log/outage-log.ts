/** Lines of an outage log. */
export interface OutageLines {
  /** Called with the first failure. */
  readonly begins: (error: unknown) => void
  /** Called with the first success after failures, and the number of failures. */
  readonly ends?: (failures: number) => void
}

/**
 * Log of work that is repeated: logs when it begins to fail and when it works again, and nothing in between.
 */
export class OutageLog {
  readonly #lines: OutageLines
  #failures = 0

  constructor(lines: OutageLines) {
    this.#lines = lines
  }

  /** Number of failures since the last success. */
  get failures(): number {
    return this.#failures
  }

  /** True if the last attempt failed. */
  get isFailing(): boolean {
    return this.#failures > 0
  }

  /** Records a failed attempt. */
  fail(error: unknown): void {
    this.#failures += 1
    if (this.#failures === 1) this.#lines.begins(error)
  }

  /** Records a successful attempt. */
  succeed(): void {
    const failures = this.#failures
    this.#failures = 0
    if (failures > 0) this.#lines.ends?.(failures)
  }

  /** Forgets the failures without logging that they are over, so that the next failure is logged. */
  reset(): void {
    this.#failures = 0
  }
}
