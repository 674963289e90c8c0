// biome-ignore-all lint/a11y/useSemanticElements: table rows cannot be positioned freely
// biome-ignore-all lint/a11y/useFocusableInteractive: only the controls inside rows and headings are interactive
import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { ENVIRONMENTS } from '../api/queries.ts'
import { useGuards } from '../proposals/guard.ts'
import { useMayChange } from '../proposals/may-change.ts'
import { isLive } from '../shell/environment/production.ts'
import { useTexts } from '../text/texts.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { type Columns, useColumns, useHiddenColumns, useIsNarrow } from './flag-columns.ts'
import { FlagRow } from './flag-row.tsx'
import styles from './flags.module.css'
import { TWO_LINES } from './hidden-columns.ts'
import { MovingRows } from './moving-rows.tsx'
import { useRowHeight } from './row-height.ts'
import { handleRowShortcut } from './row-shortcuts.ts'
import { storeScrollTop } from './scroll-position.ts'
import type { FlagSearch } from './search-params.ts'
import { type Selection, useSelectRows } from './selection.ts'
import { TableHead } from './table-head.tsx'
import type { FlagRows } from './use-flag-rows.ts'
import { useSwitch } from './use-switch.ts'
import { useVisibleRows } from './visible-rows.ts'

const HEAD_PX = 44
const MIN_HEIGHT_PX = 200

interface Props {
  readonly project: string
  /** Key under which the scroll position of the list is stored. */
  readonly list: string
  readonly search: FlagSearch
  readonly rows: FlagRows
  readonly go: (next: FlagSearch) => void
  /** Called with the range of visible rows. */
  readonly seen: (range: { first: number; last: number }) => void
  /** Selected flags; undefined if the user cannot act on a selection. */
  readonly selection: Selection | undefined
}

/** Virtualized table of flags: only visible rows are rendered. */
export function FlagTable({ project, list, search, rows, go, seen, selection }: Props) {
  const t = useTexts()
  const box = useRef<HTMLDivElement>(null)
  const hasTwoLines = !useHiddenColumns().hidden.has(TWO_LINES)
  const isNarrow = useIsNarrow()
  const height = useRowHeight()
  const { items, totalPx } = useVisibleRows(box, list, { total: rows.total ?? 0, size: height, seen })
  const names = useEnvironmentNames(rows.row(items[0]?.index ?? 0))
  const columns = useColumns(box, names)
  const choose = useRowSelection(selection, rows)
  const isIdle = useIdleOnce()
  const { hasGuards } = useGuards(project, isIdle)
  const shared = { switches: useSwitch(), may: useMayChange(project, isIdle), hasGuards }
  const keys = getRowKeys(items, rows.row)
  return (
    <div
      role="table"
      aria-label={t.flags.table}
      aria-description={choose && t.list.keys}
      aria-rowcount={(rows.total ?? 0) + 1}
      className={styles.table}
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus a scrolling region
      tabIndex={0}
      style={toCssVariables(columns, isNarrow ? totalPx : totalPx + HEAD_PX)}
      onScroll={(event) => storeScrollTop(list, event.currentTarget.scrollTop)}
      onKeyDown={(event) => handleRowShortcut(event, choose)}
    >
      <TableHead search={search} go={go} columns={columns} rows={rows} selection={selection} />
      <MovingRows rows={rows} items={items} className={styles.body} heightPx={totalPx}>
        {items.map(({ index, start, size }, place) => (
          <div
            role="row"
            aria-rowindex={index + 2}
            data-index={index}
            key={keys[place]}
            className={styles.row}
            style={{ top: start, height: size }}
          >
            <FlagRow
              project={project}
              flag={rows.row(index)}
              columns={columns}
              hasTwoLines={hasTwoLines}
              shared={shared}
              isSelected={selection?.has(rows.row(index)?.name ?? '')}
              choose={(isRange) => choose?.(index, isRange)}
            />
          </div>
        ))}
      </MovingRows>
    </div>
  )
}

/**
 * Returns a key per row: the flag's name. For rows that are not loaded, and for rows that appear twice while pages are
 * refetched, the key is the index.
 */
function getRowKeys(items: readonly { readonly index: number }[], row: FlagRows['row']): string[] {
  const names = new Set<string>()
  return items.map(({ index }) => {
    const name = row(index)?.name
    if (name === undefined || names.has(name)) return `at ${index}`
    names.add(name)
    return `of ${name}`
  })
}

/** Returns CSS values: the grid columns and the minimum height of the list. */
function toCssVariables({ template, minWidthPx }: Columns, contentPx: number): React.CSSProperties {
  const least = `${Math.min(MIN_HEIGHT_PX, contentPx)}px`
  return { '--columns': template, '--narrowest': `${minWidthPx}px`, '--least-height': least } as React.CSSProperties
}

function useRowSelection(selection: Selection | undefined, rows: FlagRows) {
  const choose = useSelectRows(selection, rows)
  return selection === undefined ? undefined : choose
}

/**
 * Returns the visible environments of the project's flags in display order, production last. On a phone, returns only
 * the last environment.
 */
function useEnvironmentNames(flag: FeatureListItem | undefined): string[] {
  const { data = [] } = useQuery(ENVIRONMENTS)
  const { hidden } = useHiddenColumns()
  const isNarrow = useIsNarrow()
  const all = flag === undefined ? data : [...flag.environments].sort((a, b) => a.sortOrder - b.sortOrder)
  if (isNarrow) {
    // A phone has room for one environment: the other environments are on the page of the flag.
    const last = all.findLast(isLive) ?? all.at(-1)
    return last === undefined ? [] : [last.name]
  }
  return [...all.filter((one) => !isLive(one) && !hidden.has(`environment:${one.name}`)), ...all.filter(isLive)].map(
    ({ name }) => name,
  )
}
