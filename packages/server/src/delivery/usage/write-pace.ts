const MIN_PAUSE_MS = 1000
const MAX_PAUSE_MS = 10_000
const PAUSE_PER_WRITE = 4
const PAUSE_PER_PART = 2
const MAX_INNER_PAUSE_MS = 100

/**
 * Pause between writes of usage: one second, or four times the duration of a slow write, up to 10 seconds. Reports that
 * arrive during the pause mostly update the same rows, and the database is free for other queries.
 */
export class WritePace {
  #pauseMs = MIN_PAUSE_MS

  get pauseMs(): number {
    return this.#pauseMs
  }

  /**
   * Returns the pause between the parts of a write, given how long the last part took. The pause spreads large writes
   * over seconds, so that the database and this process keep capacity for flag requests.
   */
  getInnerPauseMs(tookMs: number): number {
    return Math.min(PAUSE_PER_PART * tookMs, MAX_INNER_PAUSE_MS)
  }

  recordWrite(tookMs: number): void {
    this.#pauseMs = Math.min(Math.max(PAUSE_PER_WRITE * tookMs, MIN_PAUSE_MS), MAX_PAUSE_MS)
  }
}
