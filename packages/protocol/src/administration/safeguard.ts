import Type, { type Static } from 'typebox'
import { IMPACT_AGGREGATIONS, IMPACT_RANGES, LabelSelectors } from './impact-reading.ts'
import { MAX_QUERY } from './prometheus-source.ts'

/** Schemas of the safeguards of flags. Source: wire protocol "Guarded releases" */

/** Maximum number of safeguards of a flag in an environment. */
export const MAX_SAFEGUARDS = 20

/**
 * Actions of a safeguard. Each action also pauses the release plan of the flag. No action is reverted automatically.
 */
export const SAFEGUARD_ACTIONS = ['pauseReleasePlanProgressions', 'previousMilestone', 'disableEnvironment'] as const
export type SafeguardAction = (typeof SAFEGUARD_ACTIONS)[number]

const MAX_MINUTES = 1440
const MAX_SAMPLE = 1_000_000_000
const Time = Type.String({ format: 'date-time' })

/** Metric of a safeguard; for the source `alert` the name of an alert, for `prometheus` a title. */
const SafeguardMetric = Type.Object({
  metricName: Type.String({ minLength: 1, maxLength: 1100 }),
  timeRange: Type.Enum(IMPACT_RANGES, { default: 'hour' }),
  /** Default: the first aggregation of the metric's type (`count`, `avg` or `p50`). */
  aggregationMode: Type.Optional(Type.Enum(IMPACT_AGGREGATIONS)),
  labelSelectors: Type.Optional(LabelSelectors),
  /** `prometheus` evaluates `query` on the Prometheus server of the settings. */
  source: Type.Enum(['internal', 'alert', 'prometheus'], { default: 'internal' }),
  /** PromQL for the source `prometheus`. `$flag` and `$environment` stand for the names. */
  query: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_QUERY })),
  /** True to include values from web pages and proxies. Anyone with the key of a web page can forge these values. */
  allowPublicMetrics: Type.Boolean({ default: false }),
})

/** Condition of a safeguard. `on-vs-off` compares rates of users with and without the flag. */
const TriggerCondition = Type.Object({
  operator: Type.Enum(['>', '<']),
  /** Limit of the value. For `on-vs-off`: smallest relevant difference between the two rates, from 0 to 1. */
  threshold: Type.Number(),
  compare: Type.Enum(['absolute', 'on-vs-off'], { default: 'absolute' }),
  /** Minutes for which the condition must hold. */
  forMinutes: Type.Integer({ minimum: 0, maximum: MAX_MINUTES, default: 0 }),
  /**
   * Minimum number of events or observations. For `on-vs-off`: minimum number of evaluations in each group (default
   * 100).
   */
  minimumSample: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SAMPLE })),
})

/** Body that creates a safeguard, or replaces the safeguard with this `id`. */
export const SafeguardInput = Type.Object({
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  impactMetric: SafeguardMetric,
  /** Required unless the source is `alert`. */
  triggerCondition: Type.Optional(TriggerCondition),
  action: Type.Object({ type: Type.Enum(SAFEGUARD_ACTIONS), id: Type.Optional(Type.String({ maxLength: 100 })) }),
  /** `hold`: the plan does not progress while there are too few values. */
  onNoData: Type.Enum(['hold', 'ignore'], { default: 'hold' }),
})
export type SafeguardInput = Static<typeof SafeguardInput>

/** Definition of a safeguard, as stored. */
export type SafeguardDefinition = Omit<SafeguardInput, 'id'>

/** Trip of a safeguard. */
export const SafeguardTrip = Type.Object({
  at: Time,
  /** Observed value; for `on-vs-off`, the difference between the two rates. Null if an alert tripped the safeguard. */
  value: Type.Union([Type.Number(), Type.Null()]),
  threshold: Type.Union([Type.Number(), Type.Null()]),
  /** Time to which the value applies; null if an alert tripped the safeguard. */
  window: Type.Union([Type.Object({ start: Time, end: Time }), Type.Null()]),
  /** Text of the alert, or details of the comparison. */
  detail: Type.Union([Type.String(), Type.Null()]),
})
export type SafeguardTrip = Static<typeof SafeguardTrip>

/** Safeguard of a flag in an environment. */
export const Safeguard = Type.Object({
  id: Type.String(),
  featureName: Type.String(),
  environment: Type.String(),
  releasePlanId: Type.Union([Type.String(), Type.Null()]),
  impactMetric: SafeguardMetric,
  triggerCondition: Type.Union([TriggerCondition, Type.Null()]),
  action: Type.Object({ type: Type.Enum(SAFEGUARD_ACTIONS), id: Type.String() }),
  onNoData: Type.Enum(['hold', 'ignore']),
  /** `waiting`: there are too few values. With `onNoData: hold`, the plan does not progress until there are enough. */
  status: Type.Enum(['watching', 'waiting', 'tripped']),
  trip: Type.Union([SafeguardTrip, Type.Null()]),
  createdByUserId: Type.Integer(),
  createdAt: Time,
})
export type Safeguard = Static<typeof Safeguard>
