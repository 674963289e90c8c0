// biome-ignore-all lint/a11y/useSemanticElements: rows of a table element cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: headings are not operated, what is in them is
import type { FlagSort } from '../api/flags.ts'
import { useTexts } from '../text/texts.tsx'
import styles from './flags.module.css'
import type { FlagSearch } from './search-params.ts'
import type { Selection } from './selection.ts'
import type { FlagRows } from './use-flag-rows.ts'

interface Props {
  readonly search: FlagSearch
  readonly go: (next: FlagSearch) => void
  /** Environments, a column each. */
  readonly names: readonly string[]
  readonly rows: FlagRows
  readonly selection: Selection | undefined
}

/** Headings of the list, which change its order. */
export function TableHead({ search, go, names, rows, selection }: Props) {
  const t = useTexts()
  const columns: [FlagSort, string, string | undefined][] = [
    ['name', t.common.name, styles.name],
    ['type', t.common.type, styles.type],
    ['lastSeenAt', t.common.lastSeen, styles.seen],
    ['createdAt', t.common.created, styles.created],
    ...names.map((name): [FlagSort, string, string | undefined] => [`environment:${name}`, name, styles.environment]),
  ]
  const { sort = 'name', order = 'asc', ...rest } = search
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      <div role="columnheader" className={styles.choice}>
        {selection && <ChooseShown rows={rows} selection={selection} />}
      </div>
      {columns.map(([column, label, className]) => {
        const isSorted = sort === column
        const next = isSorted && order === 'asc' ? 'desc' : 'asc'
        return (
          <div
            role="columnheader"
            key={column}
            className={className}
            aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : 'none'}
          >
            <button type="button" className={styles.sort} onClick={() => go({ ...rest, sort: column, order: next })}>
              {label} <span aria-hidden="true">{isSorted ? (order === 'asc' ? '↑' : '↓') : ''}</span>
            </button>
          </div>
        )
      })}
    </div>
  )
}

function ChooseShown({ rows, selection }: { rows: FlagRows; selection: Selection }) {
  const t = useTexts()
  const areAll = rows.loaded.length > 0 && rows.loaded.every(({ name }) => selection.has(name))
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        aria-label={t.list.selectShown}
        checked={areAll}
        ref={(input) => {
          if (input !== null) input.indeterminate = !areAll && selection.flags.length > 0
        }}
        onChange={() => selection.put(areAll ? selection.flags : rows.loaded, !areAll)}
      />
    </label>
  )
}
