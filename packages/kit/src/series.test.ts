import { expect, test } from 'vitest'
import { SeriesRegistry } from './series.ts'

test('writes gauges, counters and escaped labels', () => {
  const registry = new SeriesRegistry()
  let age: number | undefined
  registry.gauge('age_seconds', 'Age.', () => age)
  const requests = registry.counter('requests_total', 'Requests.')
  registry.counterOf('dropped_total', 'Dropped.', () => 3)
  expect(registry.text()).toBe('# HELP dropped_total Dropped.\n# TYPE dropped_total counter\ndropped_total 3\n')
  age = 1.5
  requests.add(1, { route: '/a"\\\n', status: '200' })
  requests.add(2, { route: '/a"\\\n', status: '200' })
  requests.add()
  expect(registry.text().split('\n')).toEqual([
    '# HELP age_seconds Age.',
    '# TYPE age_seconds gauge',
    'age_seconds 1.5',
    '# HELP requests_total Requests.',
    '# TYPE requests_total counter',
    'requests_total{route="/a\\"\\\\\\n",status="200"} 3',
    'requests_total 1',
    '# HELP dropped_total Dropped.',
    '# TYPE dropped_total counter',
    'dropped_total 3',
    '',
  ])
})
