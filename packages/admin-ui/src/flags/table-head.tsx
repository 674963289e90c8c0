// biome-ignore-all lint/a11y/useSemanticElements: table rows cannot be positioned freely
// biome-ignore-all lint/a11y/useFocusableInteractive: only the controls inside the headings are interactive
import '../shell/environment/environment.css'
import { useQuery } from '@tanstack/react-query'
import type { FlagSort } from '../api/first/flag-search.ts'
import { ENVIRONMENTS } from '../api/queries.ts'
import { findEnvironment, isLive } from '../shell/environment/production.ts'
import { useTexts } from '../text/texts.tsx'
import { type Columns, getColumnNames, getStickyOffset, isSorted } from './flag-columns.ts'
import styles from './flags.module.css'
import type { FlagSearch } from './search-params.ts'
import type { Selection } from './selection.ts'
import type { FlagRows } from './use-flag-rows.ts'

interface Props {
  readonly search: FlagSearch
  readonly go: (next: FlagSearch) => void
  readonly columns: Columns
  readonly rows: FlagRows
  readonly selection: Selection | undefined
}

/** Headings of the list. A click on a heading sorts the list by that column. */
export function TableHead({ search, go, columns, rows, selection }: Props) {
  const t = useTexts()
  const headings = getColumnNames(t)
  const { sort = 'name', order = 'asc', ...rest } = search
  const heading = (column: FlagSort) => {
    const sorted = sort === column ? order : undefined
    return { sorted, sortBy: () => go({ ...rest, sort: column, order: sorted === 'asc' ? 'desc' : 'asc' }) }
  }
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      <div role="columnheader" className={styles.choice}>
        {selection && <SelectLoaded rows={rows} selection={selection} />}
      </div>
      <Heading {...heading('name')} label={t.common.name} className={styles.name} />
      {columns.plain.map((column) => (
        <Heading
          key={column}
          {...(isSorted(column) ? heading(column) : { sorted: undefined, sortBy: undefined })}
          label={headings[column]}
          className={styles.plain}
        />
      ))}
      {columns.environments.map((name) => (
        <EnvironmentHeading key={name} {...heading(`environment:${name}`)} name={name} columns={columns} />
      ))}
    </div>
  )
}

interface HeadingProps {
  readonly label: string
  readonly className: string | undefined
  readonly sorted: 'asc' | 'desc' | undefined
  /** Sorts by the column; undefined if that is not possible. */
  readonly sortBy: (() => void) | undefined
  readonly type?: string
  /** Distance in pixels from the right edge of a sticky column. */
  readonly stuckAt?: number
}

function Heading({ label, className, sorted, sortBy, type, stuckAt }: HeadingProps) {
  return (
    <div
      role="columnheader"
      className={className}
      data-environment-type={type}
      data-stuck={stuckAt !== undefined || undefined}
      style={{ insetInlineEnd: stuckAt }}
      aria-sort={sortBy && (sorted === undefined ? 'none' : `${sorted}ending`)}
    >
      {sortBy === undefined ? (
        label
      ) : (
        <button type="button" className={styles.sort} title={label} onClick={sortBy}>
          {label} <span aria-hidden="true">{sorted && (sorted === 'asc' ? '↑' : '↓')}</span>
        </button>
      )}
    </div>
  )
}

type EnvironmentProps = Pick<HeadingProps, 'sorted' | 'sortBy'> & { readonly name: string; readonly columns: Columns }

/** Heading of an environment in the color of its type. Production columns are sticky. */
function EnvironmentHeading({ name, columns, ...rest }: EnvironmentProps) {
  const { data } = useQuery(ENVIRONMENTS)
  const one = findEnvironment(data, name)
  const stuck = one !== undefined && isLive(one) ? { stuckAt: getStickyOffset(columns, name) } : {}
  return <Heading {...rest} {...stuck} label={name} className={styles.environment} type={one?.type ?? ''} />
}

function SelectLoaded({ rows, selection }: { rows: FlagRows; selection: Selection }) {
  const t = useTexts()
  const areLoaded = rows.loaded.length > 0 && rows.loaded.every(({ name }) => selection.has(name))
  // The list may have more rows than are loaded.
  const areAll = areLoaded && selection.flags.length >= (rows.total ?? 0)
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        aria-label={t.list.selectShown}
        checked={areAll}
        ref={(input) => {
          if (input !== null) input.indeterminate = !areAll && selection.flags.length > 0
        }}
        onChange={() => selection.put(areLoaded ? selection.flags : rows.loaded, !areLoaded)}
      />
    </label>
  )
}
