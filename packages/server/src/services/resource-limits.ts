/** Bounds that people meet, in one place, so that what the server says of itself is what it does. */
export const RESOURCE_LIMITS = {
  /** Values of one constraint. */
  constraintValues: 1000,
  /** Constraints of one segment. */
  segmentConstraints: 250,
  /** Segments of one strategy. */
  strategySegments: 100,
} as const
