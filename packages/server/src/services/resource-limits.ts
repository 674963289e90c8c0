/** Bounds that people meet, in one place, so that what the server says of itself is what it does. */
export const RESOURCE_LIMITS = {
  /** Values of one constraint. */
  constraintValues: 1000,
  /** The most that values of one segment can be limited to. */
  mostSegmentValues: 10_000,
  /** Constraints of one segment. */
  segmentConstraints: 250,
  /** Segments of one strategy. */
  strategySegments: 100,
} as const

/** Those that options say. */
export interface ChosenLimits {
  /** Values of all constraints of one segment; undefined where only those of each constraint are counted. */
  readonly segmentValues: number | undefined
  readonly strategySegments: number
}

/** Where no option says anything. */
export const USUAL_LIMITS: ChosenLimits = {
  segmentValues: undefined,
  strategySegments: RESOURCE_LIMITS.strategySegments,
}
