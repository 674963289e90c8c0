import Type, { type Static } from 'typebox'
import { IMPACT_TYPES } from '../usage/impact-metrics.ts'
import { MAX_QUERY } from './prometheus-source.ts'

/** Schemas of the endpoints that read impact metrics. See the wire protocol, section "Guarded releases". */

/** Time ranges that charts and safeguards can cover. */
export const IMPACT_RANGES = ['hour', 'day', 'week', 'month'] as const
export type ImpactRange = (typeof IMPACT_RANGES)[number]

/** Aggregations. `rps` is a rate per second. Percentiles exist only for histograms. */
export const IMPACT_AGGREGATIONS = ['rps', 'count', 'avg', 'sum', 'p50', 'p95', 'p99'] as const
export type ImpactAggregation = (typeof IMPACT_AGGREGATIONS)[number]

/** Aggregations that are available for each type of metric. */
export const AGGREGATIONS_BY_TYPE = {
  counter: ['count', 'rps'],
  gauge: ['avg', 'sum'],
  histogram: ['p50', 'p95', 'p99', 'avg', 'sum', 'count', 'rps'],
} as const satisfies Record<(typeof IMPACT_TYPES)[number], readonly ImpactAggregation[]>

const MAX_SELECTORS = 10
const MAX_VALUES = 50
const MetricName = Type.String({ minLength: 1, maxLength: 1100 })
const Time = Type.String({ format: 'date-time' })

/** Label values to select, by label. `*` selects every value of a label. */
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
      /** Name and type combined, in the form that charts use: `unleash_counter_errors`. */
      metricName: Type.String(),
      type: Type.Enum(IMPACT_TYPES),
      help: Type.String(),
      environment: Type.String(),
      /** Values of each label that were seen in the last week, at most 100 per label. */
      labels: Type.Record(Type.String(), Type.Array(Type.String())),
      lastSeenAt: Time,
    }),
  ),
  /** True if metrics or series beyond the limit were omitted; the labels of omitted ones are missing here. */
  isTruncated: Type.Boolean(),
})
export type ImpactMetricList = Static<typeof ImpactMetricList>

/** Query for the points of a metric. */
export const ImpactDataQuery = Type.Object({
  metricName: MetricName,
  timeRange: Type.Optional(Type.Enum(IMPACT_RANGES)),
  aggregationMode: Type.Optional(Type.Enum(IMPACT_AGGREGATIONS)),
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Label selectors as JSON: `{"appName":["shop"]}`. */
  labels: Type.Optional(Type.String({ maxLength: 15_000 })),
})
export type ImpactDataQuery = Static<typeof ImpactDataQuery>

/**
 * Query for the results of a PromQL expression. `$flag` and `$environment` stand for the names in the path of the
 * request.
 */
export const PrometheusDataQuery = Type.Object({
  /** Required. If the flag does not exist, this is reported before any other error. */
  query: Type.Optional(Type.String({ maxLength: MAX_QUERY })),
  timeRange: Type.Optional(Type.Enum(IMPACT_RANGES)),
})
export type PrometheusDataQuery = Static<typeof PrometheusDataQuery>

/** Points of a metric over time. */
export const ImpactData = Type.Object({
  /** Name and type combined, as charts use it; if no application has reported the metric, the requested name. */
  metricName: Type.String(),
  /** Missing if no application has reported the metric. */
  type: Type.Optional(Type.Enum(IMPACT_TYPES)),
  /** Missing if no application has reported the metric. */
  aggregationMode: Type.Optional(Type.Enum(IMPACT_AGGREGATIONS)),
  /** Time between points, in seconds. */
  step: Type.Integer(),
  start: Time,
  end: Time,
  /** One series for each combination of values of the selected labels, or a single series without selectors. */
  series: Type.Array(
    Type.Object({
      labels: Type.Record(Type.String(), Type.String()),
      /**
       * Start of a time step in seconds since 1970, and the value for that step. The value is null if nothing was
       * reported; a rate is also null if the step has not ended yet.
       */
      points: Type.Array(Type.Tuple([Type.Integer(), Type.Union([Type.Number(), Type.Null()])])),
    }),
  ),
  /** Number of series, including the series that the limit of this list cuts off. */
  seriesCount: Type.Integer(),
  /** True if series beyond the limit were omitted; their values are missing here. */
  isTruncated: Type.Boolean(),
})
export type ImpactData = Static<typeof ImpactData>
