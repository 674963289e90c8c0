import { DataPointType } from '@opentelemetry/sdk-metrics'
import { expect, test } from 'vitest'
import { SeriesRegistry } from '../series/series.ts'
import { toMetricData } from './otlp-metrics.ts'

const PERIOD = { start: [1, 0], end: [2, 0] } as const satisfies Parameters<typeof toMetricData>[1]

test('counters become monotonic sums, gauges stay gauges, and metrics without values are omitted', () => {
  const registry = new SeriesRegistry()
  registry.counter('requests_total', 'Requests.').add(3, { route: '/a' })
  registry.gauge('age_seconds', 'Age.', () => 1.5)
  registry.gauge('unknown', 'Unknown.', () => undefined)
  expect(
    toMetricData(registry.snapshot(), PERIOD).map(({ descriptor, dataPointType, dataPoints, ...rest }) => ({
      name: descriptor.name,
      description: descriptor.description,
      dataPointType,
      isMonotonic: 'isMonotonic' in rest && rest.isMonotonic,
      points: dataPoints.map(({ attributes, value, startTime, endTime }) => [attributes, value, startTime, endTime]),
    })),
  ).toEqual([
    {
      name: 'requests_total',
      description: 'Requests.',
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      points: [[{ route: '/a' }, 3, PERIOD.start, PERIOD.end]],
    },
    {
      name: 'age_seconds',
      description: 'Age.',
      dataPointType: DataPointType.GAUGE,
      isMonotonic: false,
      points: [[{}, 1.5, PERIOD.start, PERIOD.end]],
    },
  ])
})

test('buckets of histograms are counted one by one, with one more for values above all boundaries', () => {
  const registry = new SeriesRegistry()
  const seconds = registry.histogram('seconds', 'Time.', [1, 2])
  for (const value of [0.5, 1, 1.5, 9]) seconds.observe(value, { route: '/a' })
  seconds.observe(2)
  const [metric] = toMetricData(registry.snapshot(), PERIOD)
  expect(metric?.dataPoints.map(({ attributes, value }) => [attributes, value])).toEqual([
    [{ route: '/a' }, { buckets: { boundaries: [1, 2], counts: [2, 1, 1] }, sum: 12, count: 4 }],
    [{}, { buckets: { boundaries: [1, 2], counts: [0, 1, 0] }, sum: 2, count: 1 }],
  ])
})
