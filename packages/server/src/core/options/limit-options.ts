import type { OptionTable } from '@burgee/kit/options/options'
import { integer } from '@burgee/kit/options/parsers'
import { RESOURCE_LIMITS } from '../resource-limits.ts'

/** Maximum numbers and sizes of resources. The variables have the names that operators know from Unleash. */
export const LIMIT_OPTIONS = {
  segmentValuesLimit: {
    env: ['SEGMENT_VALUES_LIMIT'],
    parse: integer(1, RESOURCE_LIMITS.mostSegmentValues),
    defaultDoc: `${RESOURCE_LIMITS.constraintValues} of each constraint`,
    doc: 'Most values of all constraints of one segment together. What has more stays until it is changed.',
  },
  strategySegmentsLimit: {
    env: ['STRATEGY_SEGMENTS_LIMIT'],
    parse: integer(1, RESOURCE_LIMITS.strategySegments),
    default: RESOURCE_LIMITS.strategySegments,
    doc: 'Most segments of one strategy. What has more stays, and may get fewer.',
  },
} as const satisfies OptionTable
