import type { ValueScale } from '../ui/chart/scale.ts'

/** Points of a series: the time in seconds at which a step starts, and the value of the step. */
export type SeriesPoints = readonly (readonly [start: number, value: number | null])[]

interface Frame {
  /** First and last time, in milliseconds. */
  readonly from: number
  readonly to: number
  /** Length of a step in seconds. */
  readonly step: number
  readonly scale: ValueScale
  readonly box: { readonly width: number; readonly height: number }
}

/** Returns the lines of a series as SVG coordinates. A step without a value interrupts the line. */
export function drawLines(points: SeriesPoints, { from, to, step, scale, box }: Frame): string[] {
  const { min = 0, max } = scale
  const lines: string[][] = [[]]
  for (const [start, value] of points) {
    if (value === null) {
      lines.push([])
      continue
    }
    const left = ((start * 1000 - from) / (to - from)) * box.width
    const width = ((step * 1000) / (to - from)) * box.width
    const y = round(box.height - ((value - min) / (max - min)) * box.height)
    // Draw the value as a line across the whole step, so that a single point is visible.
    lines.at(-1)?.push(`${round(left)},${y}`, `${round(left + width)},${y}`)
  }
  return lines.filter((line) => line.length > 0).map((line) => line.join(' '))
}

const round = (value: number): number => Math.round(value * 100) / 100
