const BUCKETS = 200
const GROWTH = 1.1
const LOG_GROWTH = Math.log(GROWTH)

/** Distribution of durations with a bounded number of buckets. Percentiles are accurate to within 10 %. */
export class Latencies {
  readonly #counts = new Uint32Array(BUCKETS)
  #total = 0

  add(durationMs: number): void {
    const bucket = Math.min(BUCKETS - 1, Math.floor(Math.log(Math.max(0, durationMs) + 1) / LOG_GROWTH))
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#total += 1
  }

  /**
   * Returns the upper bound, in milliseconds, of the bucket that contains a percentile; null if there are no durations.
   */
  percentile(share: number): number | null {
    if (this.#total === 0) return null
    let left = Math.max(1, Math.ceil(this.#total * share))
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      left -= this.#counts[bucket] ?? 0
      if (left <= 0) return Math.round(GROWTH ** (bucket + 1) - 1)
    }
    return null
  }
}
