import { expect, test } from 'vitest'
import { drawLines } from './chart-lines.ts'

const FRAME = {
  from: 0,
  to: 4000,
  step: 1,
  scale: { min: -1, max: 3, ticks: [] },
  box: { width: 400, height: 100 },
}

test('a line spans the steps that have values, and stops where there is none', () => {
  expect(
    drawLines(
      [
        [0, 3],
        [1, -1],
        [2, null],
        [3, 1],
      ],
      FRAME,
    ),
  ).toEqual(['0,0 100,0 100,100 200,100', '300,50 400,50'])
})

test('a series without values has no line', () => {
  expect(drawLines([[0, null]], FRAME)).toEqual([])
})
