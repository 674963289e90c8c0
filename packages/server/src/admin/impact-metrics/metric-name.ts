import { IMPACT_TYPES, type ImpactType } from '@burgee/protocol/usage/impact-metrics'

/** Name of a metric, and its type if the text names a type. */
export interface MetricName {
  readonly name: string
  readonly type?: ImpactType
}

/** Parses a name in the form that applications report, or in the form with the type: `unleash_counter_errors`. */
export function parseMetricName(text: string): MetricName {
  for (const type of IMPACT_TYPES) {
    const prefix = `unleash_${type}_`
    if (text.startsWith(prefix) && text.length > prefix.length) return { name: text.slice(prefix.length), type }
  }
  return { name: text }
}

/** Returns the name of a metric with its type. */
export function formatMetricName(type: ImpactType, name: string): string {
  return `unleash_${type}_${name}`
}
