import { useHiddenColumns, useIsNarrow } from './flag-columns.ts'
import { TWO_LINES } from './hidden-columns.ts'

/** Row heights in pixels. On a phone, rows are higher, because the switch needs room for a finger. */
const DENSE_ROW_PX = 44
const TWO_LINE_ROW_PX = 60
const NARROW_ROW_PX = 56

/** Returns the height of a row of the list in pixels, whether it is loaded or not. */
export function useRowHeight(): number {
  const hasTwoLines = !useHiddenColumns().hidden.has(TWO_LINES)
  const wideHeight = hasTwoLines ? TWO_LINE_ROW_PX : DENSE_ROW_PX
  return useIsNarrow() ? NARROW_ROW_PX : wideHeight
}
