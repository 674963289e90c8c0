// biome-ignore-all lint/a11y/useSemanticElements: rows of a table element cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and headings are not operated, what is in them is
import type { FeatureListItem } from '@burgee/protocol/admin'
import { Badge, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { FlagSort } from '../api/flags.ts'
import { ENVIRONMENTS } from '../api/queries.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import type { FlagRows } from './flag-data.ts'
import { FlagSwitch } from './flag-switch.tsx'
import styles from './flags.module.css'
import type { FlagSearch } from './search.ts'

const WIDE_ROW = 57
const NARROW_ROW = 104

interface Props {
  readonly project: string
  readonly search: FlagSearch
  readonly rows: FlagRows
  readonly go: (next: FlagSearch) => void
  /** Hears which rows are looked at. */
  readonly seen: (range: { first: number; last: number }) => void
}

/** The flags as rows, of which only those in sight exist. */
export function FlagTable({ project, search, rows, go, seen }: Props) {
  const t = useTexts()
  const box = useRef<HTMLDivElement>(null)
  const isNarrow = useMediaQuery('(max-width: 800px)', undefined, { getInitialValueInEffect: false })
  const height = isNarrow ? NARROW_ROW : WIDE_ROW
  const virtual = useVirtualizer({
    count: rows.total ?? 0,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 10,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => seen({ first, last }), [first, last, seen])
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew
  useEffect(() => virtual.measure(), [height])
  const names = useEnvironmentNames(rows.row(first))
  return (
    <div
      role="table"
      aria-label={t.flags.table}
      aria-rowcount={(rows.total ?? 0) + 1}
      className={styles.table}
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={{ '--environments': names.length } as React.CSSProperties}
    >
      <Head search={search} go={go} names={names} />
      <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, size }) => (
          <div
            role="row"
            aria-rowindex={index + 2}
            key={index}
            className={styles.row}
            style={{ transform: `translateY(${start}px)`, height: size }}
          >
            <Row project={project} flag={rows.row(index)} names={names} />
          </div>
        ))}
      </div>
    </div>
  )
}

/** Columns: the environments of the flags of this project, in the order of the installation. */
function useEnvironmentNames(flag: FeatureListItem | undefined): string[] {
  const { data } = useQuery(ENVIRONMENTS)
  if (flag !== undefined)
    return [...flag.environments].sort((a, b) => a.sortOrder - b.sortOrder).map(({ name }) => name)
  return (data ?? []).map(({ name }) => name)
}

function Head({ search, go, names }: Pick<Props, 'search' | 'go'> & { names: readonly string[] }) {
  const t = useTexts()
  const columns: [FlagSort, string][] = [
    ['name', t.common.name],
    ['type', t.common.type],
    ['createdAt', t.common.created],
  ]
  const { sort = 'name', order = 'asc', ...rest } = search
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {columns.map(([column, label]) => {
        const isSorted = sort === column
        const next = isSorted && order === 'asc' ? 'desc' : 'asc'
        return (
          <div
            role="columnheader"
            key={column}
            className={styles[column]}
            aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : 'none'}
          >
            <button type="button" className={styles.sort} onClick={() => go({ ...rest, sort: column, order: next })}>
              {label} <span aria-hidden="true">{isSorted ? (order === 'asc' ? '↑' : '↓') : ''}</span>
            </button>
          </div>
        )
      })}
      {names.map((name) => (
        <div role="columnheader" key={name} className={styles.environment}>
          {name}
        </div>
      ))}
    </div>
  )
}

interface RowProps {
  readonly project: string
  readonly flag: FeatureListItem | undefined
  readonly names: readonly string[]
}

function Row({ project, flag, names }: RowProps) {
  const t = useTexts()
  const { date, ago } = useFormat()
  if (flag === undefined) return <Skeleton height={14} width="60%" my="auto" mx={16} />
  const { name: feature, description, type, createdAt, stale } = flag
  return (
    <>
      <div role="cell" className={styles.name}>
        <Link to="/projects/$project/features/$feature" params={{ project, feature }} className={styles.link ?? ''}>
          {feature}
        </Link>
        {stale && (
          <Badge color="yellow" variant="light" size="sm" tt="none" ms={8}>
            {t.flags.stale}
          </Badge>
        )}
        {description && <div className={styles.description}>{description}</div>}
      </div>
      <div role="cell" className={styles.type}>
        {t.types[type] ?? type}
      </div>
      <div role="cell" className={styles.createdAt} title={date(createdAt)}>
        {ago(createdAt)}
      </div>
      {names.map((environment) => {
        const one = flag.environments.find(({ name }) => name === environment)
        return (
          <div role="cell" key={environment} className={styles.environment}>
            {one && (
              <>
                <span className={styles.narrowName} aria-hidden="true">
                  {environment}
                </span>
                <FlagSwitch {...{ project, feature, environment }} environmentType={one.type} enabled={one.enabled} />
              </>
            )}
          </div>
        )
      })}
    </>
  )
}

/** Rows to come. */
export function TableSkeleton() {
  const t = useTexts()
  return (
    <div className={styles.skeleton} role="status" aria-label={t.common.loading}>
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} height={18} my={20} />
      ))}
    </div>
  )
}
