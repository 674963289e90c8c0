import { expect, test } from 'vitest'
import { formatSeries, SeriesRegistry, type SeriesSnapshot } from './series.ts'
import { mergeSeries, selectCounters } from './series-merge.ts'

const one = (merge: SeriesSnapshot['merge'], values: SeriesSnapshot['values']): SeriesSnapshot[] => [
  { name: 's', help: 'S.', type: 'counter', merge, values },
]

test.each([
  { merge: 'sum', parts: [[['', 2]], [['', 3]]], values: [['', 5]] },
  { merge: 'greatest', parts: [[['', 2]], [['', 3]], [['', 1]]], values: [['', 3]] },
  { merge: 'first', parts: [[['', 2]], [['', 3]]], values: [['', 2]] },
  { merge: 'first', parts: [[], [['', 3]]], values: [['', 3]] },
  {
    merge: 'sum',
    parts: [[['{a="1"}', 1]], [['{a="2"}', 2]], [['{a="1"}', 4]]],
    values: [
      ['{a="1"}', 5],
      ['{a="2"}', 2],
    ],
  },
] as const)('$merge of $parts is $values', ({ merge, parts, values }) => {
  expect(mergeSeries(parts.map((part) => one(merge, part)))[0]?.values).toEqual(values)
})

test('histograms and counters of several processes add up, gauges do not', () => {
  const processes = [1, 2].map((factor) => {
    const registry = new SeriesRegistry()
    registry.counter('requests_total', 'Requests.').add(factor, { route: '/' })
    registry.gauge('age_seconds', 'Age.', () => factor)
    registry.histogram('wait_seconds', 'Waiting.', [1]).observe(factor)
    return registry.snapshot()
  })
  expect(formatSeries(mergeSeries(processes)).split('\n')).toEqual([
    '# HELP requests_total Requests.',
    '# TYPE requests_total counter',
    'requests_total{route="/"} 3',
    '# HELP age_seconds Age.',
    '# TYPE age_seconds gauge',
    'age_seconds 2',
    '# HELP wait_seconds Waiting.',
    '# TYPE wait_seconds histogram',
    'wait_seconds_bucket{le="1"} 1',
    'wait_seconds_bucket{le="+Inf"} 2',
    'wait_seconds_sum 3',
    'wait_seconds_count 2',
    '',
  ])
  expect(selectCounters(processes[0] ?? []).map(({ name }) => name)).toEqual(['requests_total', 'wait_seconds'])
})
