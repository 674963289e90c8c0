/** Limits on user input. The server reports and enforces these limits. */
export const RESOURCE_LIMITS = {
  /** Maximum number of values of one constraint. */
  constraintValues: 1000,
  /** Maximum value of the configurable limit on segment values. */
  mostSegmentValues: 10_000,
  /** Maximum number of constraints of one segment. */
  segmentConstraints: 250,
  /** Maximum number of segments of one strategy. */
  strategySegments: 100,
} as const

/** Limits set by options. */
export interface ConfiguredLimits {
  /**
   * Maximum total number of values in the constraints of one segment; undefined if only the number of values per
   * constraint is limited.
   */
  readonly segmentValues: number | undefined
  readonly strategySegments: number
}

/** Default limits. */
export const DEFAULT_LIMITS: ConfiguredLimits = {
  segmentValues: undefined,
  strategySegments: RESOURCE_LIMITS.strategySegments,
}
