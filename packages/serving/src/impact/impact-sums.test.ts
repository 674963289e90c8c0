import type { ImpactMetric, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import { describe, expect, test } from 'vitest'
import { ImpactRefusals } from './impact-refusals.ts'
import { ImpactSums } from './impact-sums.ts'

const SDK = { origin: 'sdk', isPublic: false } as const
const PAGE = { origin: 'browser', isPublic: true } as const
/** An edge or proxy that forwards samples of servers and of web pages. */
const EDGE = { origin: 'edge', isForwarded: true, isPublic: false } as const
const BOUNDS = { metrics: 4, series: 4 }

function start(maxCharacters?: number) {
  const refusals = new ImpactRefusals()
  const refused = () => Object.fromEntries(refusals.list().flatMap(([{ reason }, n]) => (n > 0 ? [[reason, n]] : [])))
  return { sums: new ImpactSums(BOUNDS, refusals, maxCharacters), refused }
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
      { name: 'errors', type: 'counter', help: 'Help', labels: [], bounds: [], values: [], isPublic: false },
    ])
  })

  test('adds series above the limit to the series `other`, and counts them', () => {
    const { sums, refused } = start()
    for (let app = 0; app < 5000; app += 1) sums.add([metric('counter', [1], { app: String(app) })], SDK)
    const rows = sums.drain()
    expect(rows).toHaveLength(5)
    const labels = [
      ['origin', 'sdk'],
      ['other', 'true'],
    ]
    expect(rows.at(-1)).toMatchObject({ labels, values: [4996] })
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

  test('leaves half of the metrics to sources that are not public after deliveries have failed', () => {
    const { sums } = start()
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 10; index += 1) {
        sums.add([metric('counter', [1], { name: `page ${round} ${index}` })], PAGE)
      }
      // as between processes
      const rows = structuredClone(sums.drain())
      if (round === 1) for (const row of rows) sums.addRow(row)
      else sums.restore(rows)
    }
    for (const name of ['one', 'two']) sums.add([metric('counter', [1], { name })], SDK)
    const names = new Set(sums.drain().map(({ name }) => name))
    expect([names.size, names.has('one'), names.has('two')]).toEqual([4, true, true])
  })

  test.each([
    ['a page', PAGE],
    ['an edge, which may have it from a page', EDGE],
  ])('counts the announcement of a metric by %s as public', (_, source) => {
    const { sums, refused } = start()
    for (let index = 0; index < 4; index += 1) {
      sums.add([{ ...metric('counter', [], { name: `page ${index}` }), samples: [] }], source)
    }
    expect(refused()).toEqual({ metrics: 2 })
    expect(sums.drain().map(({ isPublic }) => isPublic)).toEqual([true, true])
  })

  test('no longer counts a metric as public once a server reports it', () => {
    const { sums, refused } = start()
    for (const source of [PAGE, SDK])
      for (const name of ['a', 'b']) sums.add([metric('counter', [1], { name })], source)
    for (const name of ['c', 'd']) sums.add([metric('counter', [1], { name })], PAGE)
    expect(refused()).toEqual({})
    expect(sums.drain().filter(({ isPublic }) => !isPublic)).toHaveLength(2)
  })

  test('has a series `other` for each origin, also after it was forwarded', () => {
    const { sums } = start()
    const report = (app: number) => [metric('counter', [1], { app: String(app) })]
    for (let app = 0; app < 10; app += 1) for (const source of [SDK, PAGE, EDGE]) sums.add(report(app), source)
    const others = () => {
      const rows = sums.drain()
      const found = rows.filter(({ labels }) => labels.some(([name]) => name === 'other'))
      return [rows, found.map(({ labels, isPublic }) => [labels[0]?.[1], isPublic]).sort()] as const
    }
    const [rows, before] = others()
    expect(before).toEqual([
      ['browser', true],
      ['edge', false],
      ['sdk', false],
    ])
    sums.restore(structuredClone(rows))
    expect(others()[1]).toEqual(before)
  })

  test('leaves series `other` to servers if a page invents bounds', () => {
    const { sums } = start()
    for (let app = 0; app < 4; app += 1) {
      sums.add([metric('histogram', [1, 1, 0], { bounds: [1], app: String(app) })], SDK)
    }
    for (let bound = 1; bound <= 100; bound += 1) {
      sums.add([metric('histogram', [1, 1, 0], { bounds: [bound], app: 'page' })], PAGE)
    }
    sums.add([metric('histogram', [1, 1, 0], { bounds: [1], app: 'late' })], SDK)
    const labels = [
      ['origin', 'sdk'],
      ['other', 'true'],
    ]
    expect(sums.drain()).toContainEqual(expect.objectContaining({ labels, values: [1, 1, 0] }))
  })

  test('adds series to `other` once their labels have too many characters, of which pages use half', () => {
    const text = 'x'.repeat(80)
    const { sums, refused } = start(500)
    for (const [index, source] of [PAGE, PAGE, PAGE, SDK, SDK].entries()) {
      sums.add([metric('counter', [1], { name: `m${Math.floor(index / 2)}`, app: `${text}${index}` })], source)
    }
    expect(refused()).toEqual({ series: 1 })
    for (let index = 0; index < 9; index += 1) sums.add([metric('counter', [1], { app: `${text}${index}` })], SDK)
    expect(sums.drain().filter(({ labels }) => labels.every(([name]) => name !== 'other'))).toHaveLength(5)
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
