import type { ImpactMetric, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import { describe, expect, test } from 'vitest'
import { ImpactRefusals } from './impact-refusals.ts'
import { ImpactSums, OTHER_LABELS } from './impact-sums.ts'

const SDK = { origin: 'sdk', isPublic: false } as const
const PAGE = { origin: 'browser', isPublic: true } as const
const BOUNDS = { metrics: 4, series: 4 }

function start() {
  const refusals = new ImpactRefusals()
  const refused = () => Object.fromEntries(refusals.list().flatMap(([{ reason }, n]) => (n > 0 ? [[reason, n]] : [])))
  return { sums: new ImpactSums(BOUNDS, refusals), refused }
}

function metric(type: ImpactType, values: number[], more: { name?: string; app?: string; bounds?: number[] } = {}) {
  const { name = 'errors', app = 'shop', bounds = [] } = more
  return { name, help: 'Help', type, samples: [{ labels: [['appName', app]], bounds, values }] } satisfies ImpactMetric
}

describe('sums of impact metrics', () => {
  test('adds counters and histograms, and replaces gauges', () => {
    const { sums } = start()
    for (const times of [1, 2]) {
      sums.add([metric('counter', [times]), metric('gauge', [times])], SDK)
      sums.add([metric('histogram', [5, times, 1], { bounds: [10] })], SDK)
    }
    expect(sums.drain().map(({ type, values }) => [type, values])).toEqual([
      ['counter', [3]],
      ['gauge', [2]],
      ['histogram', [10, 3, 2]],
    ])
    expect(sums.drain()).toEqual([])
  })

  test('sets the origin, and drops the environment that an SDK guessed', () => {
    const { sums } = start()
    const labels = [
      ['appName', 'shop'],
      ['environment', 'production'],
      ['origin', 'sdk'],
      ['version', '1'],
    ] as const
    sums.add([{ ...metric('counter', [1]), samples: [{ labels, bounds: [], values: [1] }] }], PAGE)
    expect(sums.drain()).toMatchObject([
      {
        labels: [
          ['appName', 'shop'],
          ['origin', 'browser'],
          ['version', '1'],
        ],
      },
    ])
  })

  test('keeps histograms with different bounds apart', () => {
    const { sums } = start()
    for (const bounds of [[10], [20], [10]]) sums.add([metric('histogram', [1, 1, 0], { bounds })], SDK)
    expect(sums.drain().map(({ bounds, values }) => [bounds, values])).toEqual([
      [[10], [2, 2, 0]],
      [[20], [1, 1, 0]],
    ])
  })

  test('returns a row without values for a metric that is only announced', () => {
    const { sums } = start()
    sums.add([{ ...metric('counter', []), samples: [] }], SDK)
    expect(sums.drain()).toEqual([
      { name: 'errors', type: 'counter', help: 'Help', labels: [], bounds: [], values: [] },
    ])
  })

  test('adds series above the limit to the series `other`, and counts them', () => {
    const { sums, refused } = start()
    for (let app = 0; app < 5000; app += 1) sums.add([metric('counter', [1], { app: String(app) })], SDK)
    const rows = sums.drain()
    expect(rows).toHaveLength(5)
    expect(rows.at(-1)).toMatchObject({ labels: OTHER_LABELS, values: [4996] })
    expect(refused()).toEqual({ series: 4996 })
  })

  test('refuses invented bounds above the limit', () => {
    const { sums, refused } = start()
    for (let bound = 1; bound <= 100; bound += 1) sums.add([metric('histogram', [1, 1, 0], { bounds: [bound] })], SDK)
    expect(sums.drain()).toHaveLength(9)
    expect(refused().series).toBeGreaterThanOrEqual(91)
  })

  test('refuses metrics above the limit', () => {
    const { sums, refused } = start()
    for (let name = 0; name < 10; name += 1) sums.add([metric('counter', [1], { name: `m${name}` })], SDK)
    expect(sums.drain()).toHaveLength(4)
    expect(refused()).toEqual({ metrics: 6 })
  })

  test('leaves half of the metrics and series to sources that are not public', () => {
    const { sums, refused } = start()
    for (let index = 0; index < 10; index += 1) {
      sums.add(
        [metric('counter', [1], { name: `page ${index}` }), metric('counter', [1], { app: String(index) })],
        PAGE,
      )
    }
    sums.add([metric('counter', [1], { name: 'server' }), metric('counter', [1], { app: 'server' })], SDK)
    const rows = sums.drain()
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(['page 0', 'errors', 'server']))
    expect(rows.filter(({ name }) => name === 'errors')).toHaveLength(4)
    expect(refused()).toEqual({ metrics: 9, series: 8 })
  })

  test('restores undelivered rows, without overwriting a newer gauge', () => {
    const { sums } = start()
    sums.add([metric('counter', [1]), metric('gauge', [1]), metric('gauge', [7], { app: 'other' })], SDK)
    const rows = sums.drain()
    sums.add([metric('counter', [2]), metric('gauge', [2])], SDK)
    sums.restore(rows)
    expect(sums.drain().map(({ type, values }) => [type, values])).toEqual([
      ['counter', [3]],
      ['gauge', [2]],
      ['gauge', [7]],
    ])
  })

  test('sums stay finite', () => {
    const { sums } = start()
    for (let times = 0; times < 3; times += 1) sums.add([metric('histogram', [Number.MAX_VALUE, 1])], SDK)
    expect(sums.drain()[0]?.values).toEqual([Number.MAX_VALUE, 3])
  })
})
