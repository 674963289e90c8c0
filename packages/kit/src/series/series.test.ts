import { expect, test } from 'vitest'
import { formatLabels, parseLabels, SeriesRegistry } from './series.ts'

test('writes gauges, counters and escaped labels', () => {
  const registry = new SeriesRegistry()
  let age: number | undefined
  registry.gauge('age_seconds', 'Age.', () => age)
  const requests = registry.counter('requests_total', 'Requests.')
  registry.observableCounter('dropped_total', 'Dropped.', () => 3)
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

test('a counter with known labels starts at 0 for each of them', () => {
  const registry = new SeriesRegistry()
  const failures = registry.counterFromZero('failures_total', 'Failures.', [{ kind: 'read' }, { kind: 'write' }])
  failures.add(1, { kind: 'write' })
  expect(registry.text().split('\n').slice(2)).toEqual([
    'failures_total{kind="read"} 0',
    'failures_total{kind="write"} 1',
    '',
  ])
})

test('writes gauges with labels, and histograms whose buckets hold those below', () => {
  const registry = new SeriesRegistry()
  registry.gauges('pool_connections', 'Connections.', () => [
    [{ pool: 'read', state: 'idle' }, 2],
    [{ pool: 'read', state: 'busy' }, 0],
  ])
  const seconds = registry.histogram('wait_seconds', 'Waiting.', [0.1, 1])
  for (const value of [0.05, 0.1, 0.5, 3]) seconds.observe(value, { route: '/a' })
  seconds.observe(1)
  expect(registry.text().split('\n')).toEqual([
    '# HELP pool_connections Connections.',
    '# TYPE pool_connections gauge',
    'pool_connections{pool="read",state="idle"} 2',
    'pool_connections{pool="read",state="busy"} 0',
    '# HELP wait_seconds Waiting.',
    '# TYPE wait_seconds histogram',
    'wait_seconds_bucket{route="/a",le="0.1"} 2',
    'wait_seconds_bucket{route="/a",le="1"} 3',
    'wait_seconds_bucket{route="/a",le="+Inf"} 4',
    'wait_seconds_sum{route="/a"} 3.65',
    'wait_seconds_count{route="/a"} 4',
    'wait_seconds_bucket{le="0.1"} 0',
    'wait_seconds_bucket{le="1"} 1',
    'wait_seconds_bucket{le="+Inf"} 1',
    'wait_seconds_sum 1',
    'wait_seconds_count 1',
    '',
  ])
})

test('forgets values of labels that name nothing any more, in every kind of series', () => {
  const registry = new SeriesRegistry()
  let live: ReadonlySet<string> | undefined
  registry.pruneLabel('place', () => live && ((name) => live?.has(name) === true))
  const read: readonly (readonly [{ readonly place: string }, number])[] = [
    [{ place: 'here' }, 1],
    [{ place: 'gone' }, 1],
  ]
  registry.gauges('a', 'A.', () => read)
  registry.counters('b_total', 'B.', () => read)
  const counter = registry.counter('c_total', 'C.')
  const histogram = registry.histogram('d_seconds', 'D.', [])
  for (const [labels] of read) {
    counter.add(1, labels)
    histogram.observe(1, labels)
  }
  const lines = (place: string) =>
    registry
      .text()
      .split('\n')
      .filter((line) => line.includes(place))
  expect([lines('here').length, lines('gone').length]).toEqual([6, 6])
  live = new Set(['here'])
  expect([lines('here').length, lines('gone').length]).toEqual([6, 0])
  live = new Set(['here', 'gone'])
  counter.add(1, { place: 'gone' })
  expect(lines('gone')).toContain('c_total{place="gone"} 1')
})

test.each([{}, { route: '/a' }, { a: 'quote " and backslash \\ and\nline', b: '' }, { a: '\\n', b: '{c="d"}' }])(
  'labels %j are parsed as they were formatted',
  (labels) => expect(parseLabels(formatLabels(labels))).toEqual(labels),
)
