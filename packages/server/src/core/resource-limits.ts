/** Limits on user input. Defined once, so that the server enforces the same limits that it reports. */
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
   * Maximum number of values in all constraints of one segment together; undefined if only the values of each
   * constraint are limited.
   */
  readonly segmentValues: number | undefined
  readonly strategySegments: number
}

/** Default limits. */
export const DEFAULT_LIMITS: ConfiguredLimits = {
  segmentValues: undefined,
  strategySegments: RESOURCE_LIMITS.strategySegments,
}
