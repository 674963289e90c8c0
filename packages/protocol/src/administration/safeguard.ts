import Type, { type Static } from 'typebox'
import { IMPACT_AGGREGATIONS, IMPACT_RANGES, LabelSelectors } from './impact-reading.ts'
import { MAX_QUERY } from './prometheus-source.ts'

/** Schemas for the safeguards of flags. Source: wire protocol "Guarded releases" */

/** Maximum number of safeguards for a flag in an environment. */
export const MAX_SAFEGUARDS = 20

/**
 * Actions that a safeguard can take. Every action also pauses the release plan of the flag. No action is reverted
 * automatically.
 */
export const SAFEGUARD_ACTIONS = ['pauseReleasePlanProgressions', 'previousMilestone', 'disableEnvironment'] as const
export type SafeguardAction = (typeof SAFEGUARD_ACTIONS)[number]

const MAX_MINUTES = 1440
const MAX_SAMPLE = 1_000_000_000
const Time = Type.String({ format: 'date-time' })

/** Metric that a safeguard checks; for the source `alert`, the name of an alert; for `prometheus`, a title. */
const SafeguardMetric = Type.Object({
  metricName: Type.String({ minLength: 1, maxLength: 1100 }),
  timeRange: Type.Enum(IMPACT_RANGES, { default: 'hour' }),
  /** The default is the first aggregation for the type of the metric (`count`, `avg` or `p50`). */
  aggregationMode: Type.Optional(Type.Enum(IMPACT_AGGREGATIONS)),
  labelSelectors: Type.Optional(LabelSelectors),
  /** With `prometheus`, `query` is evaluated on the Prometheus server that is configured in the settings. */
  source: Type.Enum(['internal', 'alert', 'prometheus'], { default: 'internal' }),
  /**
   * PromQL query for the source `prometheus`. `$flag` and `$environment` are replaced by the names of the flag and the
   * environment.
   */
  query: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_QUERY })),
  /**
   * True to include values that web pages and proxies report. Anyone who knows the key of a web page can forge these
   * values.
   */
  allowPublicMetrics: Type.Boolean({ default: false }),
})

/**
 * Condition under which a safeguard trips. `on-vs-off` compares the rate among users who have the flag on with the rate
 * among users who have it off.
 */
const TriggerCondition = Type.Object({
  operator: Type.Enum(['>', '<']),
  /**
   * Limit with which the value is compared. For `on-vs-off`: the smallest difference between the two rates that
   * matters, from 0 to 1.
   */
  threshold: Type.Number(),
  compare: Type.Enum(['absolute', 'on-vs-off'], { default: 'absolute' }),
  /** Number of minutes for which the condition must be met without interruption. */
  forMinutes: Type.Integer({ minimum: 0, maximum: MAX_MINUTES, default: 0 }),
  /**
   * Minimum number of events or observations for the condition to be checked. For `on-vs-off`: the minimum number of
   * evaluations in each group (default 100).
   */
  minimumSample: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SAMPLE })),
})

/** Request body that creates a safeguard, or replaces the safeguard with the given `id`. */
export const SafeguardInput = Type.Object({
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  impactMetric: SafeguardMetric,
  /** Required unless the source is `alert`. */
  triggerCondition: Type.Optional(TriggerCondition),
  action: Type.Object({ type: Type.Enum(SAFEGUARD_ACTIONS), id: Type.Optional(Type.String({ maxLength: 100 })) }),
  /** With `hold`, the release plan does not progress while there are too few values. */
  onNoData: Type.Enum(['hold', 'ignore'], { default: 'hold' }),
})
export type SafeguardInput = Static<typeof SafeguardInput>

/** Definition of a safeguard in the form in which it is stored. */
export type SafeguardDefinition = Omit<SafeguardInput, 'id'>

/** Record of the event that a safeguard has tripped. */
export const SafeguardTrip = Type.Object({
  at: Time,
  /** Observed value; for `on-vs-off`, the difference between the two rates. Null if an alert tripped the safeguard. */
  value: Type.Union([Type.Number(), Type.Null()]),
  threshold: Type.Union([Type.Number(), Type.Null()]),
  /** Period from which the value was computed; null if an alert tripped the safeguard. */
  window: Type.Union([Type.Object({ start: Time, end: Time }), Type.Null()]),
  /** Text of the alert, or details of the comparison. */
  detail: Type.Union([Type.String(), Type.Null()]),
})
export type SafeguardTrip = Static<typeof SafeguardTrip>

/** Safeguard for a flag in an environment. */
export const Safeguard = Type.Object({
  id: Type.String(),
  featureName: Type.String(),
  environment: Type.String(),
  releasePlanId: Type.Union([Type.String(), Type.Null()]),
  impactMetric: SafeguardMetric,
  triggerCondition: Type.Union([TriggerCondition, Type.Null()]),
  action: Type.Object({ type: Type.Enum(SAFEGUARD_ACTIONS), id: Type.String() }),
  onNoData: Type.Enum(['hold', 'ignore']),
  /**
   * `waiting`: there are too few values to check the condition. If `onNoData` is `hold`, the release plan does not
   * progress until there are enough.
   */
  status: Type.Enum(['watching', 'waiting', 'tripped']),
  trip: Type.Union([SafeguardTrip, Type.Null()]),
  createdByUserId: Type.Integer(),
  createdAt: Time,
})
export type Safeguard = Static<typeof Safeguard>
