import Type, { type Static } from 'typebox'
import { IMPACT_TYPES } from '../usage/impact-metrics.ts'
import { MAX_QUERY } from './prometheus-source.ts'

/** Schemas of the endpoints that read impact metrics. Source: wire protocol "Guarded releases" */

/** Time ranges of charts and safeguards. */
export const IMPACT_RANGES = ['hour', 'day', 'week', 'month'] as const
export type ImpactRange = (typeof IMPACT_RANGES)[number]

/** Aggregations. `rps` is a rate per second. Percentiles exist only for histograms. */
export const IMPACT_AGGREGATIONS = ['rps', 'count', 'avg', 'sum', 'p50', 'p95', 'p99'] as const
export type ImpactAggregation = (typeof IMPACT_AGGREGATIONS)[number]

/** Aggregations that each type of metric has. */
export const AGGREGATIONS_BY_TYPE = {
  counter: ['count', 'rps'],
  gauge: ['avg', 'sum'],
  histogram: ['p50', 'p95', 'p99', 'avg', 'sum', 'count', 'rps'],
} as const satisfies Record<(typeof IMPACT_TYPES)[number], readonly ImpactAggregation[]>

const MAX_SELECTORS = 10
const MAX_VALUES = 50
const MetricName = Type.String({ minLength: 1, maxLength: 1100 })
const Time = Type.String({ format: 'date-time' })

/** Selected values by label. `*` selects every value. */
export const LabelSelectors = Type.Record(
  Type.String({ minLength: 1, maxLength: 1000 }),
  Type.Array(Type.String({ maxLength: 1000 }), { minItems: 1, maxItems: MAX_VALUES }),
  { maxProperties: MAX_SELECTORS },
)
export type LabelSelectors = Static<typeof LabelSelectors>

/** Impact metrics by name, type and environment. */
export const ImpactMetricList = Type.Object({
  metrics: Type.Array(
    Type.Object({
      name: Type.String(),
      /** Name with the type, as charts use it: `unleash_counter_errors`. */
      metricName: Type.String(),
      type: Type.Enum(IMPACT_TYPES),
      help: Type.String(),
      environment: Type.String(),
      /** Values of each label in the last week, at most 100 per label. */
      labels: Type.Record(Type.String(), Type.Array(Type.String())),
      lastSeenAt: Time,
    }),
  ),
  /** True if the limit cut off metrics or series; their labels are missing here. */
  isTruncated: Type.Boolean(),
})
export type ImpactMetricList = Static<typeof ImpactMetricList>

/** Query of the points of a metric. */
export const ImpactDataQuery = Type.Object({
  metricName: MetricName,
  timeRange: Type.Optional(Type.Enum(IMPACT_RANGES)),
  aggregationMode: Type.Optional(Type.Enum(IMPACT_AGGREGATIONS)),
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Selectors as JSON: `{"appName":["shop"]}`. */
  labels: Type.Optional(Type.String({ maxLength: 15_000 })),
})
export type ImpactDataQuery = Static<typeof ImpactDataQuery>

/** Query of the results of a PromQL query. `$flag` and `$environment` stand for the names of the path. */
export const PrometheusDataQuery = Type.Object({
  /** Required. An unknown flag is reported first. */
  query: Type.Optional(Type.String({ maxLength: MAX_QUERY })),
  timeRange: Type.Optional(Type.Enum(IMPACT_RANGES)),
})
export type PrometheusDataQuery = Static<typeof PrometheusDataQuery>

/** Points of a metric. */
export const ImpactData = Type.Object({
  /** Name with the type, as in charts; the requested name if no application has reported the metric. */
  metricName: Type.String(),
  /** Missing if no application has reported the metric. */
  type: Type.Optional(Type.Enum(IMPACT_TYPES)),
  /** Missing if no application has reported the metric. */
  aggregationMode: Type.Optional(Type.Enum(IMPACT_AGGREGATIONS)),
  /** Time between points, in seconds. */
  step: Type.Integer(),
  start: Time,
  end: Time,
  /** One series per combination of values of the selected labels, or a single series if there are no selectors. */
  series: Type.Array(
    Type.Object({
      labels: Type.Record(Type.String(), Type.String()),
      /**
       * Start of a step in seconds since 1970, and its value. The value is null if nothing was reported; a rate is also
       * null if the step has not ended.
       */
      points: Type.Array(Type.Tuple([Type.Integer(), Type.Union([Type.Number(), Type.Null()])])),
    }),
  ),
  /** Number of series, including the series that the limit of this list cuts off. */
  seriesCount: Type.Integer(),
  /** True if the limit cut off series; their values are missing here. */
  isTruncated: Type.Boolean(),
})
export type ImpactData = Static<typeof ImpactData>
