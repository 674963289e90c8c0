const SHORTEST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 10_000
const PAUSE_PER_WRITE = 4

/**
 * From one write of usage to the next: a second, and after a long write four times as long as that took. What is gathered
 * meanwhile makes the same rows, and the database has others to serve.
 */
export class WritePace {
  #pauseMs = SHORTEST_PAUSE_MS

  get pauseMs(): number {
    return this.#pauseMs
  }

  wrote(tookMs: number): void {
    this.#pauseMs = Math.min(Math.max(PAUSE_PER_WRITE * tookMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
  }
}
