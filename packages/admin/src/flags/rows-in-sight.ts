import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { keptPlace } from './kept-place.ts'

/** Rows that exist beyond those in sight, on either side, once the page has had time for them. */
const OVERSCAN = 6
/** What is above every list at least: a list that is not there yet is taken to have the rest of the window. */
const ABOVE_PX = 160

/** A row that exists: its place among all, and where it is within the list, in pixels. */
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
  /** How many there are. */
  readonly total: number
  /** Of each, in pixels. */
  readonly size: number
  /** Hears which rows exist. */
  readonly seen: (range: Range) => void
}

/**
 * The rows of a scrolled box that exist: all are of one height, so that where each of them is takes no measuring. Begins
 * where the person was in the list.
 */
export function useRowsInSight(
  box: RefObject<HTMLElement | null>,
  list: string,
  { total, size, seen }: Rows,
): { readonly items: readonly PlacedRow[]; readonly totalPx: number } {
  const [sight, setSight] = useState(() => rangeIn(keptPlace(list), Math.max(0, window.innerHeight - ABOVE_PX), size))
  const overscan = useIdleOnce() ? OVERSCAN : 0
  useLayoutEffect(() => {
    const top = keptPlace(list)
    // it begins at its top, and to say so would have the whole page measured
    if (top > 0) box.current?.scrollTo({ top, behavior: 'instant' })
  }, [box, list])
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const look = (): void => {
      const next = rangeIn(element.scrollTop, element.clientHeight, size)
      // a row more than there is room for is no reason to draw all of them again
      setSight((now) => (now.first <= next.first && now.last >= next.last ? now : next))
    }
    // it is told once the page has been measured anyway, and before that shows
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
  const items = Array.from({ length: count }, (_, offset) => placed(first + offset, size))
  return { items, totalPx: total * size }
}

const placed = (index: number, size: number): PlacedRow => ({ index, start: index * size, size })

const rangeIn = (top: number, heightPx: number, size: number): Range => ({
  first: Math.floor(top / size),
  last: Math.floor((top + heightPx) / size),
})
