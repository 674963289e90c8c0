import type { Attributes, HrTime } from '@opentelemetry/api'
import { ValueType } from '@opentelemetry/api'
import { AggregationTemporality, type DataPoint, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import { parseLabels, type SeriesSnapshot } from '../series/series.ts'

/** Period that the values of counters and histograms cover. */
export interface MetricPeriod {
  readonly start: HrTime
  readonly end: HrTime
}

/**
 * Converts metrics to the OpenTelemetry data model. Names, labels and values are the same as in the Prometheus output.
 * Counters become cumulative sums; histograms keep their buckets. Omits metrics without values.
 */
export function toMetricData(series: readonly SeriesSnapshot[], period: MetricPeriod): MetricData[] {
  return series.filter(({ values }) => values.length > 0).map((one) => toMetric(one, period))
}

function toMetric(series: SeriesSnapshot, period: MetricPeriod): MetricData {
  const { name, help: description, type, values } = series
  const descriptor = { name, description, unit: '', valueType: ValueType.DOUBLE }
  const aggregationTemporality = AggregationTemporality.CUMULATIVE
  if (type === 'histogram') {
    const dataPoints = toHistogramPoints(values, period)
    return { descriptor, aggregationTemporality, dataPointType: DataPointType.HISTOGRAM, dataPoints }
  }
  const dataPoints = values.map(([labels, value]) => toDataPoint(parseLabels(labels), value, period))
  if (type === 'gauge') return { descriptor, aggregationTemporality, dataPointType: DataPointType.GAUGE, dataPoints }
  return { descriptor, aggregationTemporality, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: true }
}

function toDataPoint<T>(attributes: Attributes, value: T, { start, end }: MetricPeriod): DataPoint<T> {
  return { startTime: start, endTime: end, attributes, value }
}

interface Buckets {
  readonly attributes: Attributes
  readonly boundaries: number[]
  /** For each bucket boundary, the number of observations up to it; the last number is the total. */
  readonly cumulative: number[]
  sum: number
  count: number
}

/** Groups the lines of a histogram (`_bucket`, `_sum`, `_count`) by their labels other than `le`. */
function toHistogramPoints(lines: SeriesSnapshot['values'], period: MetricPeriod) {
  const all = new Map<string, Buckets>()
  for (const [text, value] of lines) {
    const { suffix, le, labels } = parseHistogramLine(text)
    const key = JSON.stringify(labels)
    const known = all.get(key) ?? { attributes: labels, boundaries: [], cumulative: [], sum: 0, count: 0 }
    all.set(key, known)
    if (suffix === '_sum') known.sum = value
    else if (suffix === '_count') known.count = value
    else {
      if (le !== '+Inf') known.boundaries.push(Number(le))
      known.cumulative.push(value)
    }
  }
  return [...all.values()].map(({ attributes, boundaries, cumulative, sum, count }) => {
    const counts = cumulative.map((below, index) => below - (cumulative[index - 1] ?? 0))
    return toDataPoint(attributes, { buckets: { boundaries, counts }, sum, count }, period)
  })
}

function parseHistogramLine(text: string) {
  const at = text.indexOf('{')
  const suffix = at < 0 ? text : text.slice(0, at)
  const { le, ...labels } = parseLabels(at < 0 ? '' : text.slice(at))
  return { suffix, le, labels }
}
