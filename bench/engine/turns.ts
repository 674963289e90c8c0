/** Work to measure, repeated the given number of times. */
export type Work = (times: number) => void

/**
 * Measures how many nanoseconds each kind of work takes per repetition. Alternates between the kinds of work and
 * returns the fastest round of each, because disturbances can only slow down a computing loop.
 */
export function measureBestRounds(
  works: readonly Work[],
  { rounds, sliceMs }: { rounds: number; sliceMs: number },
): number[] {
  const times = works.map((work) => countRepetitions(work, sliceMs))
  const best = works.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const count = times[index] ?? 1
      best[index] = Math.min(best[index] ?? 0, measureTime(work, count) / count)
    }
  }
  return best
}

/** Returns how many repetitions fit into a time slice; also warms the code up. */
function countRepetitions(work: Work, sliceMs: number): number {
  let count = 1
  let taken = measureTime(work, count)
  while (taken < sliceMs * 1e6) {
    count = Math.ceil(count * Math.min(10, Math.max(1.2, (sliceMs * 1e6) / Math.max(taken, 1))))
    taken = measureTime(work, count)
  }
  return count
}

function measureTime(work: Work, times: number): number {
  const since = process.hrtime.bigint()
  work(times)
  return Number(process.hrtime.bigint() - since)
}
