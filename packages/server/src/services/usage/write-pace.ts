const SHORTEST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 10_000
const PAUSE_PER_WRITE = 4
const PAUSE_PER_PART = 2
const LONGEST_PAUSE_INSIDE_MS = 100

/**
 * From one write of usage to the next: a second, and after a long write four times as long as that took. What is gathered
 * meanwhile makes the same rows, and the database has others to serve.
 */
export class WritePace {
  #pauseMs = SHORTEST_PAUSE_MS

  get pauseMs(): number {
    return this.#pauseMs
  }

  /**
   * From one part of a write to the next, after one that took so long: a write of many rows is spread over seconds, in
   * which its database and this process have cores left for who asks for flags.
   */
  pauseInsideMs(tookMs: number): number {
    return Math.min(PAUSE_PER_PART * tookMs, LONGEST_PAUSE_INSIDE_MS)
  }

  wrote(tookMs: number): void {
    this.#pauseMs = Math.min(Math.max(PAUSE_PER_WRITE * tookMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
  }
}
