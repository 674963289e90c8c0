import type { ImpactAggregation } from '@burgee/protocol/administration/impact-reading'
import { describe, expect, test } from 'vitest'
import { addSlot, aggregate, createStepSums } from './aggregation.ts'

/** Histogram of one series: its bounds and the number of observations per bucket. */
interface Histogram {
  readonly bounds: readonly number[]
  readonly counts: readonly number[]
}

const BOUNDS = [100, 500, 1000]
const PERCENTILES = ['p50', 'p95', 'p99'] as const satisfies readonly ImpactAggregation[]

function readPercentiles(...histograms: readonly Histogram[]): (number | null)[] {
  const sums = createStepSums()
  for (const { bounds, counts } of histograms) {
    const columns = [0, ...counts].map((value) => Float64Array.of(value))
    addSlot(sums, { type: 'histogram', bounds, columns }, 0)
  }
  return PERCENTILES.map((mode) => aggregate(sums, { type: 'histogram', mode, seconds: 60 }))
}

/** Rounds to six digits, because sums of floating-point numbers are inexact. */
function round(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e6) / 1e6
}

describe('percentiles', () => {
  test.each<[name: string, counts: readonly number[], percentiles: readonly (number | null)[]]>([
    ['of nothing are null', [0, 0, 0, 0], [null, null, null]],
    ['above the last bound are that bound', [0, 0, 0, 100], [1000, 1000, 1000]],
    ['within a bucket are linear, with empty buckets below', [0, 0, 100, 0], [750, 975, 995]],
    ['above the last bound skip empty buckets', [1, 0, 0, 99], [1000, 1000, 1000]],
    ['within the first bucket begin at 0', [100, 0, 0, 0], [50, 95, 99]],
    ['at the end of a bucket are its bound', [50, 0, 50, 0], [100, 950, 990]],
    ['of a single observation lie within its bucket', [0, 1, 0, 0], [300, 480, 496]],
  ])('%s', (_, counts, percentiles) => {
    expect(readPercentiles({ bounds: BOUNDS, counts }).map(round)).toEqual(percentiles)
  })

  test('begin at the first bound if it is negative', () => {
    expect(readPercentiles({ bounds: [-10, 10], counts: [50, 50, 0] }).map(round)).toEqual([-10, 8, 9.6])
  })

  test.each<[name: string, histograms: readonly Histogram[], percentiles: readonly number[]]>([
    [
      'other bounds without observations',
      [
        { bounds: BOUNDS, counts: [0, 0, 100, 0] },
        { bounds: [600, 700], counts: [0, 0, 0] },
      ],
      [750, 975, 995],
    ],
    [
      'overlapping buckets',
      [
        { bounds: [100], counts: [100, 0] },
        { bounds: [50, 100], counts: [0, 100, 0] },
      ],
      [200 / 3, 290 / 3, 298 / 3],
    ],
    [
      'another last bound',
      [
        { bounds: [100], counts: [0, 98] },
        { bounds: [500], counts: [0, 2] },
      ],
      [100, 100, 500],
    ],
  ])('do not shift with %s in another version of an application', (_, histograms, percentiles) => {
    for (const all of [histograms, histograms.toReversed()]) {
      expect(readPercentiles(...all).map(round)).toEqual(percentiles.map(round))
    }
  })

  test('never fall from p50 to p99', () => {
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    for (let run = 0; run < 500; run += 1) {
      const histograms = Array.from({ length: 3 }, () => {
        const bounds = [...new Set(Array.from({ length: 4 }, () => Math.ceil(random() * 50)))].sort((a, b) => a - b)
        return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => Math.floor(random() * 5)) }
      })
      const found = readPercentiles(...histograms).filter((value) => value !== null)
      expect(found, JSON.stringify(histograms)).toEqual(found.toSorted((a, b) => a - b))
    }
  })
})

test('the rate of a step that has not ended is null', () => {
  const sums = createStepSums()
  addSlot(sums, { type: 'counter', bounds: [], columns: [Float64Array.of(60)] }, 0)
  const read = (mode: ImpactAggregation, seconds: number | undefined) =>
    aggregate(sums, { type: 'counter', mode, seconds })
  expect([read('rps', 60), read('rps', undefined), read('count', undefined)]).toEqual([1, null, 60])
})
