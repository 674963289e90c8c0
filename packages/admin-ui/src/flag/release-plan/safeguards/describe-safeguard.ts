import type { SafeguardInput } from '@burgee/protocol/administration/safeguard'
import type { METRIC_TEXTS } from '../../../metrics/texts.ts'
import { shortenMetricName } from '../../../text/short-metric-name.ts'
import type { SAFEGUARD_TEXTS } from './texts.ts'

interface Definition {
  readonly impactMetric: Pick<SafeguardInput['impactMetric'], 'metricName' | 'source' | 'aggregationMode'>
  readonly triggerCondition?: SafeguardInput['triggerCondition'] | null
}

interface Words {
  readonly own: (typeof SAFEGUARD_TEXTS)['en']
  readonly metrics: (typeof METRIC_TEXTS)['en']
  readonly format: (value: number) => string
}

/** Describes the condition of a safeguard, such as "errors > 10" or "latency (p95) > 300". */
export function describeCondition(
  { impactMetric, triggerCondition }: Definition,
  { own, metrics, format }: Words,
): string {
  const name = shortenMetricName(impactMetric.metricName)
  if (impactMetric.source === 'alert' || !triggerCondition) return own.alert(name)
  const { operator, threshold, compare } = triggerCondition
  if (compare === 'on-vs-off') return own.compared(name, operator, format(threshold))
  const mode = impactMetric.aggregationMode
  const isUsual = mode === undefined || mode === 'count'
  const value = isUsual ? name : `${name} (${metrics.aggregations[mode].toLowerCase()})`
  return own.condition(value, operator, format(threshold))
}
