import { useMediaQuery } from '@mantine/hooks'
import { useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Texts } from '../text/en.ts'
import { parseHiddenColumns, readStoredColumns, storeHiddenColumn } from './hidden-columns.ts'

const MIN_NAME_PX = 260
/** Widths of all columns except the name column, in pixels. In a narrow window, the last columns disappear first. */
const COLUMN_WIDTHS_PX = { lastSeenAt: 116, stage: 116, createdBy: 132, type: 116, createdAt: 116 } as const
const MIN_ENVIRONMENT_PX = 160
/** Space that the columns of environments get if the name column is wide enough: per column, and in which steps. */
const MAX_EXTRA_PX = 60
const EXTRA_STEP_PX = 20
const WIDE_NAME_PX = 340
const FIXED_PX = 40 + 12
/** Initial estimate of the width: the window without menu and margins, up to the maximum page width. */
const OUTSIDE_LIST_PX = 270
const MAX_PAGE_PX = 1350

/** Optional column that does not belong to an environment. */
export type PlainColumn = keyof typeof COLUMN_WIDTHS_PX
/** Optional columns in display order. */
export const PLAIN_COLUMNS = [
  'type',
  'stage',
  'createdBy',
  'lastSeenAt',
  'createdAt',
] as const satisfies readonly PlainColumn[]

/** Returns the column headings. */
export const getColumnNames = ({ common, list }: Texts): Readonly<Record<PlainColumn, string>> => ({
  type: common.type,
  stage: list.stage,
  createdBy: list.createdBy,
  lastSeenAt: common.lastEvaluated,
  createdAt: common.created,
})

/** Returns true if the list can be sorted by the column. */
export const isSorted = (column: PlainColumn): column is Exclude<PlainColumn, 'stage' | 'createdBy'> =>
  column !== 'stage' && column !== 'createdBy'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Returns the hidden columns, and a function that shows or hides a column. The browser stores only the columns that
 * differ from the defaults.
 */
export function useHiddenColumns(): {
  readonly hidden: ReadonlySet<string>
  readonly hide: (name: string, is: boolean) => void
} {
  const text = useSyncExternalStore(subscribe, readStoredColumns)
  return useMemo(() => {
    const hidden = parseHiddenColumns(text)
    const hide = (name: string, is: boolean): void => {
      storeHiddenColumn(text, name, is)
      for (const listener of listeners) listener()
    }
    return { hidden, hide }
  }, [text])
}

/** Columns of a list: the environments (production last), and the optional columns for which there is space. */
export interface Columns {
  readonly plain: readonly PlainColumn[]
  readonly environments: readonly string[]
  /** Width of the column of an environment, in pixels. */
  readonly environmentPx: number
  /** CSS values: the grid columns and the minimum row width. */
  readonly template: string
  readonly minWidthPx: number
}

/**
 * Returns the optional columns that fit into the given width in pixels. Less important columns disappear before columns
 * would touch or overflow.
 */
function selectFittingColumns(
  width: number,
  hidden: ReadonlySet<string>,
  environmentCount: number,
): readonly PlainColumn[] {
  let room = width - FIXED_PX - MIN_NAME_PX - environmentCount * MIN_ENVIRONMENT_PX
  const fitting = new Set<PlainColumn>()
  for (const [name, needed] of Object.entries(COLUMN_WIDTHS_PX) as [PlainColumn, number][]) {
    if (hidden.has(name) || room < needed) continue
    fitting.add(name)
    room -= needed
  }
  return PLAIN_COLUMNS.filter((name) => fitting.has(name))
}

/** Returns the width of the columns of environments, which grow if there is space beside the names. */
function getEnvironmentWidth(width: number, plain: readonly PlainColumn[], environmentCount: number): number {
  const plainPx = plain.reduce((sum, name) => sum + COLUMN_WIDTHS_PX[name], 0)
  const room = width - FIXED_PX - WIDE_NAME_PX - plainPx - environmentCount * MIN_ENVIRONMENT_PX
  const extra = Math.floor(room / Math.max(1, environmentCount) / EXTRA_STEP_PX) * EXTRA_STEP_PX
  return MIN_ENVIRONMENT_PX + Math.min(MAX_EXTRA_PX, Math.max(0, extra))
}

function createColumns(width: number, plain: readonly PlainColumn[], environments: readonly string[]): Columns {
  const environmentPx = getEnvironmentWidth(width, plain, environments.length)
  const widths = [...plain.map((name) => COLUMN_WIDTHS_PX[name]), ...environments.map(() => environmentPx)]
  const fixed = widths.reduce((sum, one) => sum + one, FIXED_PX)
  return {
    plain,
    environments,
    environmentPx,
    template: ['40px', 'minmax(0, 1fr)', ...widths.map((one) => `${one}px`)].join(' '),
    minWidthPx: fixed + MIN_NAME_PX,
  }
}

/** Returns the distance in pixels of a sticky environment column from the right edge. */
export const getStickyOffset = (columns: Columns, environment: string): number =>
  (columns.environments.length - 1 - columns.environments.indexOf(environment)) * columns.environmentPx

/** Returns true if the layout is narrow, as on a phone; rows then span several lines instead of having columns. */
export const useIsNarrow = (): boolean =>
  useMediaQuery('(max-width: 800px)', undefined, { getInitialValueInEffect: false })

/** Returns the columns that fit into the list's box, which is measured before the first paint. */
export function useColumns(box: React.RefObject<HTMLElement | null>, environments: readonly string[]): Columns {
  const { hidden } = useHiddenColumns()
  const [width, setWidth] = useState(() => Math.min(window.innerWidth - OUTSIDE_LIST_PX, MAX_PAGE_PX))
  const count = environments.length
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const fitting = (px: number): string => {
      const plain = selectFittingColumns(px, hidden, count)
      return [...plain, getEnvironmentWidth(px, plain, count)].join()
    }
    // Skip widths that show the same columns, because a change would re-render all rows.
    const measure = (): void => {
      const measured = element.clientWidth
      setWidth((now) => (fitting(now) === fitting(measured) ? now : measured))
    }
    // The observer runs after layout and before paint, so measuring is cheap and the new width is painted immediately.
    const observer = new ResizeObserver(() => flushSync(measure))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, hidden, count])
  return createColumns(width, selectFittingColumns(width, hidden, count), environments)
}
