import { describe, expect, test } from 'vitest'
import {
  addPacked,
  createColumns,
  foldPacked,
  getWidth,
  MINUTES,
  packColumns,
  QUARTERS,
  type Resolution,
  THREE_HOURS,
} from './impact-points.ts'

const DAY_MS = 86_400_000
const DAY = 20_000 * DAY_MS

function unpack(text: string, width: number, resolution: Resolution = MINUTES): number[][] {
  const columns = createColumns(width, resolution)
  addPacked(columns, text)
  return columns.map((column) => [...column])
}

function minutesOf(...columns: readonly (readonly number[])[]): Float64Array[] {
  return columns.map((values) => Float64Array.from({ length: 60 }, (_, slot) => values[slot] ?? 0))
}

describe('packed points', () => {
  test.each<[name: string, values: readonly number[]]>([
    ['nothing', []],
    ['small counts', [1, 255]],
    ['counts of two bytes', [256, 65_535]],
    ['counts of four bytes', [65_536, 4_294_967_295]],
    ['counts up to 2^53', [Number.MAX_SAFE_INTEGER]],
    ['negative numbers', [-1]],
    ['fractions', [0.1, 1e100, -1e-9]],
  ])('returns %s unchanged', (_, values) => {
    const columns = minutesOf(values, [1])
    expect(unpack(packColumns(columns), 2)).toEqual(columns.map((column) => [...column]))
  })

  test('adds packed points to columns', () => {
    const columns = minutesOf([1, 2])
    addPacked(columns, packColumns(minutesOf([10, 20])))
    addPacked(columns, '')
    expect([...(columns[0] ?? [])].slice(0, 3)).toEqual([11, 22, 0])
  })

  test.each([
    ['of another width', packColumns(minutesOf([1], [1]))],
    ['that are cut off', packColumns(minutesOf([0.5])).slice(0, 40)],
    ['of another format', Buffer.from([9, 1, 1]).toString('base64')],
  ])('skips points %s', (_, text) => {
    expect(unpack(text, 1)[0]?.every((value) => value === 0)).toBe(true)
  })

  test('200 counters for 90 days take less than 6 MB, row keys included', () => {
    const rowBytes = 22 + 8 + 8 + 40
    const random = (index: number) => (index * 7919) % 1000
    const sizeOf = ({ step, span }: Resolution) => {
      const minutes = step / MINUTES.step
      return packColumns([Float64Array.from({ length: span / step }, (_, slot) => random(slot) * minutes)]).length
    }
    const rows = [
      [MINUTES, 2],
      [QUARTERS, 12],
      [THREE_HOURS, 76],
    ] as const
    const bytes = rows.reduce(
      (sum, [resolution, days]) => sum + Math.ceil((days * DAY_MS) / resolution.span) * (sizeOf(resolution) + rowBytes),
      0,
    )
    expect((200 * bytes) / 1e6).toBeLessThan(6)
  })
})

describe('folding points', () => {
  test('adds counters up', () => {
    const target = { ...QUARTERS, start: DAY, columns: createColumns(1, QUARTERS) }
    const hour = DAY + 3 * 3_600_000
    foldPacked(
      target,
      { ...MINUTES, start: hour, packed: packColumns(minutesOf(Array.from({ length: 60 }, () => 2))) },
      'counter',
    )
    expect([...(target.columns[0] ?? [])].flatMap((value, slot) => (value === 0 ? [] : [[slot, value]]))).toEqual([
      [12, 30],
      [13, 30],
      [14, 30],
      [15, 30],
    ])
  })

  test('counts the minutes of a gauge once, however many nodes wrote to them', () => {
    const width = getWidth('gauge', 0)
    const quarters = { ...QUARTERS, start: DAY, columns: createColumns(width, QUARTERS) }
    const minutes = packColumns(minutesOf([10, 20, 0, 30], [2, 2, 0, 3], []))
    foldPacked(quarters, { ...MINUTES, start: DAY, packed: minutes }, 'gauge')
    const first = (columns: readonly Float64Array[]) => columns.map((column) => column[0])
    expect(first(quarters.columns)).toEqual([60, 7, 3])
    const tenDays = { ...THREE_HOURS, start: DAY, columns: createColumns(width, THREE_HOURS) }
    foldPacked(tenDays, { ...QUARTERS, start: DAY, packed: packColumns(quarters.columns) }, 'gauge')
    expect(first(tenDays.columns)).toEqual([60, 7, 3])
  })
})
