import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { readScrollTop } from './scroll-position.ts'

/** Number of rows that are rendered above and below the visible rows once the page is idle. */
const OVERSCAN = 6
/**
 * Minimum height in pixels of the content above a list. Until a list is mounted, it is assumed to fill the rest of the
 * window.
 */
const MIN_ABOVE_PX = 160

/** Rendered row: its index, offset and height in pixels. */
export interface PlacedRow {
  readonly index: number
  readonly start: number
  readonly size: number
}

interface Range {
  readonly first: number
  readonly last: number
}

interface Rows {
  /** Number of rows. */
  readonly total: number
  /** Height of a row in pixels. */
  readonly size: number
  /** Called with the range of rendered rows. */
  readonly seen: (range: Range) => void
}

/**
 * Returns the rows to render in a scroll box. All rows have the same height, so no row is measured. Starts at the
 * user's stored scroll position.
 */
export function useVisibleRows(
  box: RefObject<HTMLElement | null>,
  list: string,
  { total, size, seen }: Rows,
): { readonly items: readonly PlacedRow[]; readonly totalPx: number } {
  const [sight, setSight] = useState(() =>
    getRange(readScrollTop(list), Math.max(0, window.innerHeight - MIN_ABOVE_PX), size),
  )
  const overscan = useIdleOnce() ? OVERSCAN : 0
  useLayoutEffect(() => {
    const top = readScrollTop(list)
    // Scrolling to the top is redundant and would force a layout.
    if (top > 0) box.current?.scrollTo({ top, behavior: 'instant' })
  }, [box, list])
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const look = (): void => {
      const next = getRange(element.scrollTop, element.clientHeight, size)
      // Skip ranges that are already rendered, because a change would re-render all rows.
      setSight((now) => (now.first <= next.first && now.last >= next.last ? now : next))
    }
    // The observer runs after layout and before paint, so measuring is cheap and the new rows are painted immediately.
    const observer = new ResizeObserver(() => flushSync(look))
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [box, size])
  const last = Math.min(total - 1, sight.last + overscan)
  const first = Math.max(0, Math.min(sight.first - overscan, last))
  useEffect(() => seen({ first, last: Math.max(first, last) }), [first, last, seen])
  const count = Math.max(0, last - first + 1)
  const items = Array.from({ length: count }, (_, offset) => createPlacedRow(first + offset, size))
  return { items, totalPx: total * size }
}

const createPlacedRow = (index: number, size: number): PlacedRow => ({ index, start: index * size, size })

const getRange = (top: number, heightPx: number, size: number): Range => ({
  first: Math.floor(top / size),
  last: Math.floor((top + heightPx) / size),
})
