/** Measurements of one process, by name. */
export type Measures = Readonly<Record<string, number>>

/** Measurements at one moment. */
export interface Sample {
  readonly atMs: number
  readonly measures: Measures
}

/** Change of a measure after the warm-up of the process. */
export interface Slope {
  readonly first: number
  readonly last: number
  readonly perHour: number
}

/** Fraction of the samples that is taken while caches fill and code is compiled. */
const WARM_UP_SHARE = 1 / 3
/** Number of windows. The value of a window is its minimum, because uncollected garbage does not count as growth. */
const WINDOWS = 12
const HOUR_MS = 3_600_000

/**
 * Returns the slope of a measure after the warm-up: the median of the slopes between all pairs of windows (Theil–Sen).
 * Undefined if there are fewer than two samples per window.
 */
export function slopeOf(samples: readonly Sample[], measure: string): Slope | undefined {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
  const size = Math.floor(warm.length / WINDOWS)
  if (size < 2) return undefined
  const windows = Array.from({ length: WINDOWS }, (_, index) => {
    const own = warm.slice(index * size, (index + 1) * size)
    const atMs = own.reduce((sum, sample) => sum + sample.atMs, 0) / own.length
    return { atMs, value: Math.min(...own.map(({ measures }) => measures[measure] ?? 0)) }
  })
  const slopes = windows.flatMap((one, index) =>
    windows.slice(index + 1).map((other) => (other.value - one.value) / (other.atMs - one.atMs)),
  )
  const middle = slopes.toSorted((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0
  return { first: windows[0]?.value ?? 0, last: windows.at(-1)?.value ?? 0, perHour: middle * HOUR_MS }
}

/** Allowed growth of a measure. */
export interface Allowance {
  readonly measure: string
  /** Growth per hour that needs no explanation. */
  readonly perHour: number
  /** Other measures whose growth explains the growth of this measure, and how much each unit explains. */
  readonly explainedBy?: Readonly<Record<string, number>>
}

/** Slope of a measure, and the part of it that is unexplained. */
export interface Finding extends Slope {
  readonly measure: string
  readonly unexplainedPerHour: number
  readonly isUnexplained: boolean
}

/** Returns the slopes of all measures that have an allowance. Omits measures without enough samples. */
export function findSlopes(samples: readonly Sample[], allowances: readonly Allowance[]): Finding[] {
  return allowances.flatMap(({ measure, perHour, explainedBy = {} }) => {
    const slope = samples.every(({ measures }) => measure in measures) ? slopeOf(samples, measure) : undefined
    if (slope === undefined) return []
    const explained = Object.entries(explainedBy).reduce(
      (sum, [cause, each]) => sum + Math.max(0, slopeOf(samples, cause)?.perHour ?? 0) * each,
      0,
    )
    const unexplainedPerHour = slope.perHour - explained
    return [{ measure, ...slope, unexplainedPerHour, isUnexplained: unexplainedPerHour > perHour }]
  })
}
