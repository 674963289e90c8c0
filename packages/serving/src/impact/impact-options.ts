import type { OptionTable, Parsed } from '@burgee/kit/options/options'
import { integer } from '@burgee/kit/options/parsers'
import { type CollectionLimits, DEFAULT_COLLECTION_LIMITS } from './impact-bounds.ts'

/** Options of the server, edge and proxy that limit impact metrics. */
export const IMPACT_OPTIONS = {
  impactMetricsLimit: {
    env: ['IMPACT_METRICS_LIMIT'],
    parse: integer(0, 10_000),
    default: DEFAULT_COLLECTION_LIMITS.metrics,
    doc: 'Maximum number of impact metrics per environment; further ones are rejected. 0 rejects all.',
  },
  impactSeriesLimit: {
    env: ['IMPACT_SERIES_LIMIT'],
    parse: integer(1, 10_000),
    default: DEFAULT_COLLECTION_LIMITS.series,
    doc: 'Maximum number of series per impact metric; the values of further ones are added to a series `other`.',
  },
  impactLabelsLimit: {
    env: ['IMPACT_LABELS_LIMIT'],
    parse: integer(1, 100),
    default: DEFAULT_COLLECTION_LIMITS.labels,
    doc: 'Maximum number of labels of an impact metric.',
  },
  impactTextLimit: {
    env: ['IMPACT_TEXT_LIMIT'],
    parse: integer(1, 1000),
    default: DEFAULT_COLLECTION_LIMITS.textLength,
    unit: 'characters',
    doc: 'Maximum length of names, label names and label values of impact metrics.',
  },
  impactBucketsLimit: {
    env: ['IMPACT_BUCKETS_LIMIT'],
    parse: integer(1, 100),
    default: DEFAULT_COLLECTION_LIMITS.bounds,
    doc: 'Maximum number of buckets of an impact histogram.',
  },
} as const satisfies OptionTable

/** Returns the limits that the options set. */
export function getImpactLimits(options: Parsed<typeof IMPACT_OPTIONS>): CollectionLimits {
  return {
    metrics: options.impactMetricsLimit,
    series: options.impactSeriesLimit,
    labels: options.impactLabelsLimit,
    textLength: options.impactTextLimit,
    bounds: options.impactBucketsLimit,
  }
}
