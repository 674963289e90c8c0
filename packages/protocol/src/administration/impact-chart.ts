import Type, { type Static } from 'typebox'
import { IMPACT_AGGREGATIONS, IMPACT_RANGES, LabelSelectors } from './impact-reading.ts'

/** Schemas of saved charts of impact metrics. Source: wire protocol "Guarded releases" */

/** Maximum number of saved charts of one flag. */
export const MAX_FLAG_CHARTS = 20
/** Maximum number of saved charts that belong to no flag. */
export const MAX_SHARED_CHARTS = 100

const CHART_TYPES = ['counter', 'gauge', 'histogram', 'unknown'] as const
const Title = Type.String({ maxLength: 100 })

const content = {
  /** Name of the metric with its type, such as `unleash_counter_errors`; the plain name is allowed too. */
  metricName: Type.String({ minLength: 1, maxLength: 1100 }),
  timeRange: Type.Enum(IMPACT_RANGES, { default: 'day' }),
  /** The default is the first aggregation for the type of the metric (`count`, `avg` or `p50`). */
  aggregationMode: Type.Optional(Type.Enum(IMPACT_AGGREGATIONS)),
  labelSelectors: Type.Optional(LabelSelectors),
  /** Lower end of the vertical axis: the lowest value, or zero. */
  yAxisMin: Type.Enum(['auto', 'zero'], { default: 'auto' }),
  title: Type.Optional(Title),
  /** Addition: environment whose values are shown; all environments if missing. */
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
}

/** Request body that saves a chart, or replaces the chart with the given `id`. */
export const ImpactChartInput = Type.Object({
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  ...content,
  displayName: Type.Optional(Type.String({ maxLength: 1100, description: 'Ignored; computed from `metricName`.' })),
  type: Type.Optional(Type.Enum(CHART_TYPES, { description: 'Ignored; computed from `metricName`.' })),
  step: Type.Optional(Type.String({ maxLength: 10, description: 'Ignored; computed from `timeRange`.' })),
  mode: Type.Optional(Type.Enum(['read', 'write'], { description: 'Ignored; always `write`.' })),
})
export type ImpactChartInput = Static<typeof ImpactChartInput>

/** Saved chart in the form in which it is stored. */
export type ImpactChartDefinition = Pick<ImpactChartInput, keyof typeof content>

/** Saved chart. */
export const ImpactChart = Type.Object({
  id: Type.String(),
  ...content,
  /** Name of the metric as applications report it. */
  displayName: Type.String(),
  type: Type.Enum(CHART_TYPES),
  /** Time between points: `1m`, `15m`, `3h` or `1d`. */
  step: Type.String(),
  mode: Type.Enum(['read', 'write']),
})
export type ImpactChart = Static<typeof ImpactChart>

/** Saved charts, oldest first. */
export const ImpactChartList = Type.Object({ configs: Type.Array(ImpactChart) })
export type ImpactChartList = Static<typeof ImpactChartList>
