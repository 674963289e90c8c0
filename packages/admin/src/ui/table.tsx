import type { ReactNode } from 'react'
import ui from './ui.module.css'

/** A column: its heading, or a heading above numbers. */
export type Column = string | { readonly number: string }

interface Props {
  readonly label: string
  readonly columns: readonly Column[]
  /** For many columns. */
  readonly isDense?: boolean
  readonly children: ReactNode
}

/** A table on a card, which scrolls sideways by itself where it is wider than the page. */
export function Table({ label, columns, isDense = false, children }: Props) {
  return (
    <div className={`${ui.card} ${ui.scroller}`}>
      <table className={isDense ? `${ui.table} ${ui.dense}` : ui.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.number} scope="col" className={ui.number}>
                  {column.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
