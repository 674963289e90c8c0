import type { CountedTable } from '@burgee/storage/queries/flags/collection-counts'

/** Limits on user input. The server reports and enforces these limits. */
export const RESOURCE_LIMITS = {
  /** Maximum number of values in one constraint. */
  constraintValues: 1000,
  /** Highest value to which the limit on segment values can be configured. */
  mostSegmentValues: 10_000,
  /** Maximum number of constraints in one segment. */
  segmentConstraints: 250,
  /** Maximum number of constraints in one strategy. */
  strategyConstraints: 250,
  /** Maximum number of segments in one strategy. */
  strategySegments: 100,
  /** Maximum number of variants in one strategy, or of one flag in one environment. */
  variants: 500,
  /** Default for the configurable limit on a flag's strategies in one environment. */
  featureEnvironmentStrategies: 100,
  /** Highest value to which the limit on a flag's strategies in one environment can be configured. */
  mostFeatureEnvironmentStrategies: 1000,
  /** Maximum number of tags on one flag. */
  featureTags: 100,
  /** Default for the configurable limit on safeguards in the installation. */
  safeguards: 2000,
  /** Highest value to which the limit on safeguards in the installation can be configured. */
  mostSafeguards: 100_000,
  /** Default of the configurable limit on test runs of the installation. */
  testRuns: 2000,
  /** Default of the configurable limit on test runs of one project. */
  projectTestRuns: 1000,
  /** Maximum value of the configurable limits on test runs. */
  mostTestRuns: 10_000,
} as const

/** Maximum row counts of the tables that belong to the whole installation. */
export const TABLE_LIMITS: Readonly<Record<CountedTable, number>> = {
  api_tokens: 50_000,
  context_fields: 1000,
  environments: 200,
  segments: 10_000,
  strategy_types: 1000,
  tag_types: 1000,
  tags: 100_000,
}

/** Limits that operators can set through options. */
export interface ConfiguredLimits {
  /**
   * Maximum total number of values in the constraints of one segment; undefined if only the number of values per
   * constraint is limited.
   */
  readonly segmentValues: number | undefined
  readonly strategySegments: number
  /** Maximum number of strategies that a flag can have in one environment. */
  readonly featureEnvironmentStrategies: number
  /** Maximum number of safeguards in the installation. */
  readonly safeguards: number
  /** Maximum number of test runs of the installation at the same time. */
  readonly testRuns: number
  /** Maximum number of test runs of a project at the same time. */
  readonly projectTestRuns: number
}

/** Default limits. */
export const DEFAULT_LIMITS: ConfiguredLimits = {
  segmentValues: undefined,
  strategySegments: RESOURCE_LIMITS.strategySegments,
  featureEnvironmentStrategies: RESOURCE_LIMITS.featureEnvironmentStrategies,
  safeguards: RESOURCE_LIMITS.safeguards,
  testRuns: RESOURCE_LIMITS.testRuns,
  projectTestRuns: RESOURCE_LIMITS.projectTestRuns,
}
