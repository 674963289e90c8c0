import { expect, test } from 'vitest'
import { findSlopes, type Measures, slopeOf } from './slopes.ts'

const MINUTE_MS = 60_000
const samplesOf = (measuresAt: (minute: number) => Measures, minutes = 180) =>
  Array.from({ length: minutes }, (_, minute) => ({ atMs: minute * MINUTE_MS, measures: measuresAt(minute) }))

test.each([
  { what: 'a level', at: () => 100, perHour: 0 },
  { what: 'steady growth', at: (minute: number) => minute, perHour: 60 },
  { what: 'growth of the warm-up alone', at: (minute: number) => Math.min(minute, 50), perHour: 0 },
  { what: 'garbage on a level', at: (minute: number) => 100 + (minute % 4) * 50, perHour: 0 },
  { what: 'garbage on top of growth', at: (minute: number) => minute + (minute % 10) * 50, perHour: 60 },
  { what: 'a single peak', at: (minute: number) => (minute === 120 ? 10_000 : 100), perHour: 0 },
])('$what has a slope of $perHour an hour', ({ at, perHour }) => {
  expect(
    slopeOf(
      samplesOf((minute) => ({ value: at(minute) })),
      'value',
    )?.perHour,
  ).toBeCloseTo(perHour, 0)
})

test('growth is unexplained by as much as its causes do not explain', () => {
  const samples = samplesOf((minute) => ({ disk: minute * 3, events: minute, idle: 1 }))
  const judge = (each: number, perHour: number) =>
    findSlopes(samples, [{ measure: 'disk', perHour, explainedBy: { events: each, idle: 100 } }])[0]
  expect(judge(3, 1)).toMatchObject({ isUnexplained: false })
  expect(judge(1, 100)).toMatchObject({ isUnexplained: true })
  expect(judge(1, 121)).toMatchObject({ isUnexplained: false })
  expect(judge(1, 100)?.unexplainedPerHour).toBeCloseTo(120, 0)
})

test('a measure that a process does not export has no slope, rather than one of 0', () => {
  const samples = samplesOf((minute) => ({ disk: minute }))
  const found = findSlopes(samples, [
    { measure: 'disk', perHour: 100 },
    { measure: 'heap', perHour: 100 },
  ])
  expect(found.map(({ measure }) => measure)).toEqual(['disk'])
})

test('a handful of samples has no slope', () => {
  expect(
    slopeOf(
      samplesOf(() => ({ value: 1 }), 20),
      'value',
    ),
  ).toBeUndefined()
})
