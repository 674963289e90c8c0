import { describe, expect, test } from 'vitest'
import { type ImpactType, readImpactMetrics } from './impact-metrics.ts'

const counter = (value: unknown, labels: unknown = { appName: 'shop' }, name: unknown = 'errors') => ({
  name,
  help: 'Errors',
  type: 'counter',
  samples: [{ labels, value }],
})
const gauge = (value: unknown) => ({ ...counter(value), type: 'gauge' })
const bucketsOf = (...pairs: readonly (readonly [unknown, unknown])[]) => pairs.map(([le, count]) => ({ le, count }))
const histogram = (count: unknown, sum: unknown, buckets: unknown) => ({
  name: 'latency',
  help: 'Latency',
  type: 'histogram',
  samples: [{ labels: {}, count, sum, buckets }],
})
const many = (count: number) => Array.from({ length: count }, (_, index) => [index, 0] as const)
const parse = (text: string): unknown => JSON.parse(text)
const refusedOf = (...items: unknown[]) => Object.fromEntries(readImpactMetrics(items).refused)
const samplesOf = (item: unknown) => readImpactMetrics([item]).metrics.flatMap(({ samples }) => samples)

describe('impact metrics of a report', () => {
  test('reads what the Node SDK sends', () => {
    const report = [
      {
        name: 'errors',
        help: 'Errors',
        type: 'counter',
        samples: [
          { labels: { environment: 'development', appName: 'shop' }, value: 2 },
          { labels: { appName: 'shop', environment: 'development', f: 'a' }, value: 1 },
        ],
      },
      { name: 'mem', help: 'Memory', type: 'gauge', samples: [{ labels: { appName: 'shop' }, value: 1.5 }] },
      histogram(3, 55, bucketsOf([10, 0], [100, 2], ['+Inf', 3])),
    ]
    const { metrics, refused } = readImpactMetrics(report)
    expect(refused.size).toBe(0)
    expect(metrics).toEqual([
      {
        name: 'errors',
        help: 'Errors',
        type: 'counter',
        samples: [
          {
            labels: [
              ['appName', 'shop'],
              ['environment', 'development'],
            ],
            bounds: [],
            values: [2],
          },
          {
            labels: [
              ['appName', 'shop'],
              ['environment', 'development'],
              ['f', 'a'],
            ],
            bounds: [],
            values: [1],
          },
        ],
      },
      {
        name: 'mem',
        help: 'Memory',
        type: 'gauge',
        samples: [{ labels: [['appName', 'shop']], bounds: [], values: [1.5] }],
      },
      {
        name: 'latency',
        help: 'Latency',
        type: 'histogram',
        samples: [{ labels: [], bounds: [10, 100], values: [55, 0, 2, 1] }],
      },
    ])
  })

  test.each<[name: string, item: unknown, type: ImpactType]>([
    ['a counter', counter(0, {}), 'counter'],
    ['a histogram', histogram(0, 0, bucketsOf([1, 0], ['+Inf', 0])), 'histogram'],
    ['a metric without samples', { name: 'errors', type: 'gauge', samples: [] }, 'gauge'],
  ])('%s without events announces its name, and has no sample', (_, item, type) => {
    const { metrics, refused } = readImpactMetrics([item])
    expect(metrics).toMatchObject([{ type, samples: [] }])
    expect(refused.size).toBe(0)
  })

  test.each<[name: string, labels: unknown, pairs: unknown]>([
    [
      'numbers',
      { a: 1, b: 2.5 },
      [
        ['a', '1'],
        ['b', '2.5'],
      ],
    ],
    ['missing', null, []],
    [
      'names of the prototype',
      parse('{"__proto__":"x","constructor":"y"}'),
      [
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ],
    ],
  ])('labels may be %s', (_, labels, pairs) => {
    expect(samplesOf(counter(1, labels))).toMatchObject([{ labels: pairs }])
  })

  test.each<[name: string, item: unknown, refused: object]>([
    ['a text', 'errors', { malformed: 1 }],
    ['null', null, { malformed: 1 }],
    ['a list', [], { malformed: 1 }],
    ['an unknown type', { ...counter(1), type: 'summary' }, { malformed: 1 }],
    ['samples that are no list', { ...counter(1), samples: {} }, { malformed: 1 }],
    ['a sample that is null', { ...counter(1), samples: [null] }, { malformed: 1 }],
    ['no name', counter(1, {}, null), { name: 1 }],
    ['an empty name', counter(1, {}, ''), { name: 1 }],
    ['a name of 10 kB', counter(1, {}, 'n'.repeat(10_000)), { name: 1 }],
    ['a name with NUL', counter(1, {}, 'a\0'), { name: 1 }],
    ['a name with half a surrogate pair', counter(1, {}, 'a\ud800'), { name: 1 }],
    ['a negative count', counter(-1), { value: 1 }],
    ['NaN', counter(Number.NaN), { value: 1 }],
    ['Infinity', counter(Number.POSITIVE_INFINITY), { value: 1 }],
    ['a number that JSON reads as Infinity', counter(parse('1e999')), { value: 1 }],
    ['a count above 2^53', counter(2 ** 54), { value: 1 }],
    ['a text as a value', counter('1'), { value: 1 }],
    ['a gauge of Infinity', gauge(Number.NEGATIVE_INFINITY), { value: 1 }],
    ['a label value of 10 kB', counter(1, { a: 'v'.repeat(10_000) }), { labels: 1 }],
    ['a label name of 10 kB', counter(1, { ['a'.repeat(10_000)]: 'v' }), { labels: 1 }],
    ['a label without a name', counter(1, { '': 'v' }), { labels: 1 }],
    ['eleven labels', counter(1, Object.fromEntries(many(11))), { labels: 1 }],
    ['a label value that is an object', counter(1, { a: {} }), { labels: 1 }],
    ['a label value that is NaN', counter(1, { a: Number.NaN }), { labels: 1 }],
    ['labels that are a list', counter(1, ['a']), { labels: 1 }],
    ['a negative number of observations', histogram(-1, 1, bucketsOf(['+Inf', -1])), { value: 1 }],
    ['half an observation', histogram(0.5, 1, bucketsOf(['+Inf', 0.5])), { value: 1 }],
    ['a sum that is NaN', histogram(1, Number.NaN, bucketsOf(['+Inf', 1])), { value: 1 }],
    ['no buckets', histogram(1, 1, undefined), { buckets: 1 }],
    ['counts that fall', histogram(3, 1, bucketsOf([1, 2], [2, 1], ['+Inf', 3])), { buckets: 1 }],
    ['bounds that fall', histogram(3, 1, bucketsOf([2, 1], [1, 2], ['+Inf', 3])), { buckets: 1 }],
    ['the same bound twice', histogram(3, 1, bucketsOf([1, 1], [1, 2], ['+Inf', 3])), { buckets: 1 }],
    ['a bound that is a text', histogram(1, 1, bucketsOf(['1', 1], ['+Inf', 1])), { buckets: 1 }],
    ['a total that is not the last count', histogram(4, 1, bucketsOf([1, 1], ['+Inf', 3])), { buckets: 1 }],
    ['fewer observations than in a bucket', histogram(1, 1, bucketsOf([1, 2])), { buckets: 1 }],
    ['21 bounds', histogram(1, 1, bucketsOf(...many(21), ['+Inf', 1])), { buckets: 1 }],
  ])('refuses %s, and keeps the others', (_, item, refused) => {
    const read = readImpactMetrics([counter(1, {}, 'before'), item, counter(1, {}, 'after')])
    expect(read.metrics.map(({ name }) => name)).toEqual(['before', 'after'])
    expect(Object.fromEntries(read.refused)).toEqual(refused)
  })

  test('accepts the origin as an eleventh label, which edge and proxy add', () => {
    const labels = Object.fromEntries([...many(10), ['origin', 'edge']])
    expect(refusedOf(counter(1, labels))).toEqual({})
    expect(refusedOf(counter(1, { ...labels, other: 'x' }))).toEqual({ labels: 1 })
  })

  test('keeps the good samples of a metric', () => {
    const item = { ...counter(1), samples: [{ labels: {}, value: 1 }, { labels: {}, value: -1 }, { value: 2 }] }
    expect(samplesOf(item).map(({ values }) => values)).toEqual([[1], [2]])
    expect(refusedOf(item)).toEqual({ value: 1 })
  })

  test('counts each of 5,000 bad series', () => {
    const samples = Array.from({ length: 5000 }, () => ({ labels: {}, value: Number.NaN }))
    expect(refusedOf({ ...counter(1), samples })).toEqual({ value: 5000 })
  })

  test.each([
    ['undefined', undefined, 0],
    ['null', null, 0],
    ['an object', {}, 1],
    ['a text', 'impact', 1],
  ])('reads %s as no metrics', (_, value, malformed) => {
    const { metrics, refused } = readImpactMetrics(value)
    expect(metrics).toEqual([])
    expect(refused.get('malformed') ?? 0).toBe(malformed)
  })

  test('cuts a long description, and accepts a report without one', () => {
    const helps = [
      { ...counter(1), help: 'h'.repeat(10_000) },
      { ...counter(1), help: undefined },
    ]
    expect(readImpactMetrics(helps).metrics.map(({ help }) => help.length)).toEqual([200, 0])
  })

  test('accepts buckets without +Inf', () => {
    expect(samplesOf(histogram(3, 6, bucketsOf([1, 1], [2, 2])))).toMatchObject([
      { bounds: [1, 2], values: [6, 1, 1, 1] },
    ])
  })
})
