import type { OptionTable, Parsed } from '@burgee/kit/options/options'
import { integer } from '@burgee/kit/options/parsers'
import { type ConfiguredLimits, RESOURCE_LIMITS } from '../resource-limits.ts'

/**
 * Options for the maximum numbers and sizes of resources. The variables have the names that operators know from
 * Unleash.
 */
export const LIMIT_OPTIONS = {
  segmentValuesLimit: {
    env: ['SEGMENT_VALUES_LIMIT'],
    parse: integer(1, RESOURCE_LIMITS.mostSegmentValues),
    defaultDoc: `${RESOURCE_LIMITS.constraintValues} of each constraint`,
    doc: 'Maximum number of values in all constraints of one segment. Larger segments stay until they are changed.',
  },
  strategySegmentsLimit: {
    env: ['STRATEGY_SEGMENTS_LIMIT'],
    parse: integer(1, RESOURCE_LIMITS.strategySegments),
    default: RESOURCE_LIMITS.strategySegments,
    doc: 'Maximum number of segments per strategy. Strategies with more segments stay as they are: segments can be removed from them, but not added.',
  },
  featureEnvironmentStrategiesLimit: {
    env: ['FEATURE_ENVIRONMENT_STRATEGIES_LIMIT'],
    parse: integer(1, RESOURCE_LIMITS.mostFeatureEnvironmentStrategies),
    default: RESOURCE_LIMITS.featureEnvironmentStrategies,
    doc: 'Maximum number of strategies per flag and environment. Flags with more strategies stay as they are: strategies can be changed and removed, but not added.',
  },
  safeguardsLimit: {
    env: ['SAFEGUARDS_LIMIT'],
    parse: integer(1, RESOURCE_LIMITS.mostSafeguards),
    default: RESOURCE_LIMITS.safeguards,
    doc: 'Maximum number of safeguards of all flags together: each is checked once a minute. Existing ones stay and can be changed.',
  },
  testRunsLimit: {
    env: ['TEST_RUNS_LIMIT'],
    parse: integer(1, RESOURCE_LIMITS.mostTestRuns),
    default: RESOURCE_LIMITS.testRuns,
    doc: 'Maximum number of test runs of all projects at the same time. Further runs are rejected until one ends.',
  },
  projectTestRunsLimit: {
    env: ['PROJECT_TEST_RUNS_LIMIT'],
    parse: integer(1, RESOURCE_LIMITS.mostTestRuns),
    default: RESOURCE_LIMITS.projectTestRuns,
    doc: 'Maximum number of test runs of one project at the same time. Further runs are rejected until one ends.',
  },
} as const satisfies OptionTable

/** Returns the configured resource limits. */
export function getResourceLimits(options: Parsed<typeof LIMIT_OPTIONS>): ConfiguredLimits {
  return {
    segmentValues: options.segmentValuesLimit,
    strategySegments: options.strategySegmentsLimit,
    featureEnvironmentStrategies: options.featureEnvironmentStrategiesLimit,
    safeguards: options.safeguardsLimit,
    testRuns: options.testRunsLimit,
    projectTestRuns: options.projectTestRunsLimit,
  }
}
