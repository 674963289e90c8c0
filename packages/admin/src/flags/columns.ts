import { useMediaQuery } from '@mantine/hooks'
import { useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Texts } from '../text/en.ts'
import { hiddenBy, storedColumns, storeHidden } from './hidden-columns.ts'

const NARROWEST_NAME_PX = 260
/** Widths of the columns beside the name, the ones that go first last. */
const PLAIN = { lastSeenAt: 116, stage: 116, createdBy: 132, type: 116, createdAt: 116 } as const
const ENVIRONMENT_PX = 140
const REST_PX = 40 + 12
/** What a list is taken to be as wide as before its box is there: the window without menu and margins, and no more than a page is. */
const BESIDE_PX = 270
const WIDEST_PX = 1350

/** Columns that a list can do without, besides environments. */
export type PlainColumn = keyof typeof PLAIN
/** The same in the order in which they stand. */
export const PLAIN_COLUMNS = [
  'type',
  'stage',
  'createdBy',
  'lastSeenAt',
  'createdAt',
] as const satisfies readonly PlainColumn[]

/** What the columns are called. */
export const columnNames = ({ common, list }: Texts): Readonly<Record<PlainColumn, string>> => ({
  ...{ type: common.type, stage: list.stage, createdBy: list.createdBy },
  ...{ lastSeenAt: common.lastSeen, createdAt: common.created },
})

/** Whether the list can be sorted by a column. */
export const isSorted = (column: PlainColumn): column is Exclude<PlainColumn, 'stage' | 'createdBy'> =>
  column !== 'stage' && column !== 'createdBy'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Names of columns that the person wants not to see, and how to change that; what differs from the first is kept in this browser. */
export function useHidden(): {
  readonly hidden: ReadonlySet<string>
  readonly hide: (name: string, is: boolean) => void
} {
  const text = useSyncExternalStore(subscribe, storedColumns)
  return useMemo(() => {
    const hidden = hiddenBy(text)
    const hide = (name: string, is: boolean): void => {
      storeHidden(text, name, is)
      for (const listener of listeners) listener()
    }
    return { hidden, hide }
  }, [text])
}

/** The columns of a list: environments, production last, and what else there is room for. */
export interface Columns {
  readonly plain: readonly PlainColumn[]
  readonly environments: readonly string[]
  /** For CSS: the columns of the grid, and how narrow a row can be. */
  readonly template: string
  readonly narrowest: number
}

/** Those that a width has room for, in pixels: what is less wanted goes before anything would touch or be out of sight. */
function fittingIn(width: number, hidden: ReadonlySet<string>, environmentCount: number): readonly PlainColumn[] {
  let room = width - REST_PX - NARROWEST_NAME_PX - environmentCount * ENVIRONMENT_PX
  const fitting = new Set<PlainColumn>()
  for (const [name, needed] of Object.entries(PLAIN) as [PlainColumn, number][]) {
    if (hidden.has(name) || room < needed) continue
    fitting.add(name)
    room -= needed
  }
  return PLAIN_COLUMNS.filter((name) => fitting.has(name))
}

function columnsOf(plain: readonly PlainColumn[], environments: readonly string[]): Columns {
  const widths = [...plain.map((name) => PLAIN[name]), ...environments.map(() => ENVIRONMENT_PX)]
  const fixed = widths.reduce((sum, one) => sum + one, REST_PX)
  return {
    ...{ plain, environments },
    template: ['40px', 'minmax(0, 1fr)', ...widths.map((one) => `${one}px`)].join(' '),
    narrowest: fixed + NARROWEST_NAME_PX,
  }
}

/** How far a column of an environment stays from the right edge while the others scroll, in pixels. */
export const stuckAt = (columns: Columns, environment: string): number =>
  (columns.environments.length - 1 - columns.environments.indexOf(environment)) * ENVIRONMENT_PX

/** Whether a row stands in several lines, as on a phone: then there are no columns. */
export const useIsNarrow = (): boolean =>
  useMediaQuery('(max-width: 800px)', undefined, { getInitialValueInEffect: false })

/** The columns of a list in its box, known before it shows. */
export function useColumns(box: React.RefObject<HTMLElement | null>, environments: readonly string[]): Columns {
  const { hidden } = useHidden()
  const [width, setWidth] = useState(() => Math.min(window.innerWidth - BESIDE_PX, WIDEST_PX))
  const count = environments.length
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const fitting = (px: number): string => fittingIn(px, hidden, count).join()
    // a width with room for the same columns is no reason to draw all rows again
    const measure = (): void => {
      const measured = element.clientWidth
      setWidth((now) => (fitting(now) === fitting(measured) ? now : measured))
    }
    // it is told once the page has been measured anyway, and before that shows
    const observer = new ResizeObserver(() => flushSync(measure))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, hidden, count])
  return columnsOf(fittingIn(width, hidden, count), environments)
}
