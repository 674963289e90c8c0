import type { OptionTable, Parsed } from '@burgee/kit/options/options'
import { integer } from '@burgee/kit/options/parsers'
import { DEFAULT_IMPACT_LIMITS, type ImpactLimits } from '@burgee/protocol/usage/impact-metrics'
import { DEFAULT_IMPACT_BOUNDS, type ImpactBounds } from './impact-sums.ts'

/** Options that limit impact metrics, for the server, the edge and the proxy alike. */
export const IMPACT_OPTIONS = {
  impactMetricsLimit: {
    env: ['IMPACT_METRICS_LIMIT'],
    parse: integer(0, 10_000),
    default: DEFAULT_IMPACT_BOUNDS.metrics,
    doc: 'Maximum number of impact metrics per environment; further ones are refused. 0 refuses all.',
  },
  impactSeriesLimit: {
    env: ['IMPACT_SERIES_LIMIT'],
    parse: integer(1, 10_000),
    default: DEFAULT_IMPACT_BOUNDS.series,
    doc: 'Maximum number of series per impact metric; the values of further ones are added to a series `other`.',
  },
  impactLabelsLimit: {
    env: ['IMPACT_LABELS_LIMIT'],
    parse: integer(1, 100),
    default: DEFAULT_IMPACT_LIMITS.labels,
    doc: 'Maximum number of labels of an impact metric.',
  },
  impactTextLimit: {
    env: ['IMPACT_TEXT_LIMIT'],
    parse: integer(1, 1000),
    default: DEFAULT_IMPACT_LIMITS.textLength,
    unit: 'characters',
    doc: 'Maximum length of names, label names and label values of impact metrics.',
  },
  impactBucketsLimit: {
    env: ['IMPACT_BUCKETS_LIMIT'],
    parse: integer(1, 100),
    default: DEFAULT_IMPACT_LIMITS.bounds,
    doc: 'Maximum number of buckets of an impact histogram.',
  },
} as const satisfies OptionTable

/** Returns the limits from the options. */
export function getImpactLimits(options: Parsed<typeof IMPACT_OPTIONS>): ImpactLimits & ImpactBounds {
  return {
    metrics: options.impactMetricsLimit,
    series: options.impactSeriesLimit,
    labels: options.impactLabelsLimit,
    textLength: options.impactTextLimit,
    bounds: options.impactBucketsLimit,
  }
}
