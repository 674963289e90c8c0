import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { MovingList } from '../motion/moving-list.tsx'
import ui from '../ui.module.css'
import styles from './table.module.css'

/** Heading of a column. `number` marks a column that contains numbers. */
export type Column = string | { readonly number: string }

/** Windows in which each row of a table, or of a table with many columns, is a block. */
const NARROW = '(max-width: 700px)'
const NARROW_FOR_DENSE = '(max-width: 900px)'

interface Props {
  readonly label: string
  readonly columns: readonly Column[]
  /** True for tables with many columns. */
  readonly isDense?: boolean
  readonly children: ReactNode
}

/**
 * Table that is placed on a card. The last column can contain buttons: it is named "Actions", right-aligned, and its
 * heading is visually hidden. In narrow windows, each row becomes a block in which every value has its heading in
 * front.
 */
export function Table({ label, columns, isDense = false, children }: Props) {
  const headings = columns.map((column) => (typeof column === 'string' ? column : column.number))
  const inCss = Object.fromEntries(
    headings.map((heading, index) => [`--heading-${index + 1}`, JSON.stringify(heading)]),
  )
  const isStacked = useMediaQuery(isDense ? NARROW_FOR_DENSE : NARROW, undefined, { getInitialValueInEffect: false })
  const density = isDense ? (ui.dense ?? '') : ''
  const { actions } = useTexts().common
  const acting = headings.at(-1) === actions ? styles.acting : ''
  const layout = isStacked ? styles.stacked : styles.tabular
  return (
    <div className={`${ui.card} ${ui.scroller}`}>
      <table className={`${ui.table} ${density} ${layout} ${acting}`} aria-label={label} style={inCss}>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column === actions ? <span>{column}</span> : column}
                </th>
              ) : (
                <th key={column.number} scope="col" className={ui.number}>
                  {column.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <MovingList as="tbody">{children}</MovingList>
      </table>
    </div>
  )
}
