import type { ImpactAggregation, ImpactRange } from '@burgee/protocol/administration/impact-reading'
import { parseTexts } from '../shell/search-params.ts'

const RANGES: readonly ImpactRange[] = ['hour', 'day', 'week', 'month']
const AGGREGATIONS: readonly ImpactAggregation[] = ['count', 'rps', 'avg', 'sum', 'p50', 'p95', 'p99']

/** URL parameters of the metrics page. */
export interface MetricSearch {
  readonly project?: string
  readonly env?: string
  readonly metric?: string
  readonly range?: ImpactRange
  readonly mode?: ImpactAggregation
  /** Label by whose values the series are split. */
  readonly split?: string
  /** Selected label and value. */
  readonly label?: string
  readonly value?: string
  /** `new` opens the dialog that saves the chart. */
  readonly edit?: string
}

/** URL parameters to change; undefined removes a parameter. */
export type MetricSearchChange = { readonly [K in keyof MetricSearch]?: MetricSearch[K] | undefined }

/** Parses the URL parameters. Ignores invalid values. */
export function parseMetricSearch(given: Record<string, unknown>): MetricSearch {
  const range = RANGES.find((one) => one === given.range)
  const mode = AGGREGATIONS.find((one) => one === given.mode)
  return {
    ...parseTexts(given, ['project', 'env', 'metric', 'split', 'label', 'value', 'edit']),
    ...(range === undefined ? {} : { range }),
    ...(mode === undefined ? {} : { mode }),
  }
}
