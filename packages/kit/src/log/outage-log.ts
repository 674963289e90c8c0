/** Callbacks that log the start and the end of an outage. */
export interface OutageLines {
  /** Called when an outage begins, with the error of the first failure. */
  readonly begins: (error: unknown) => void
  /** Called at the first success after an outage, with the number of failures. */
  readonly ends?: (failures: number) => void
}

/**
 * Outage log for work that is repeated. Logs once when the work begins to fail and once when it succeeds again, but
 * nothing in between.
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

  /** Resets the number of failures without calling `ends`, so that the next failure is logged again. */
  reset(): void {
    this.#failures = 0
  }
}
