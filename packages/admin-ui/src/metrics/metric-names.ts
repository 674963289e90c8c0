import {
  AGGREGATIONS_BY_TYPE,
  type ImpactAggregation,
  type ImpactMetricList,
} from '@burgee/protocol/administration/impact-reading'

/** Metric that an environment has reported. */
export type ReportedMetric = ImpactMetricList['metrics'][number]

/**
 * Returns the name by which a metric of an environment is selected: its own name or, if metrics of other types have the
 * same name, the name with the type.
 */
export function getMetricKey(metric: ReportedMetric, all: readonly ReportedMetric[]): string {
  const isShared = all.some((one) => one.name === metric.name && one.type !== metric.type)
  return isShared ? metric.metricName : metric.name
}

/** Lists the aggregations that a metric type allows; the first one is the default. */
export const listAggregations = (type: ReportedMetric['type']): readonly ImpactAggregation[] =>
  AGGREGATIONS_BY_TYPE[type]

/** Finds a metric of an environment by its name, with or without its type. */
export const findMetric = (
  all: readonly ReportedMetric[],
  { name, environment }: { readonly name: string; readonly environment: string },
): ReportedMetric | undefined =>
  all.find((one) => one.environment === environment && (one.name === name || one.metricName === name))
