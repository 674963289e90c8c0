import { useState } from 'react'
import type { FlagSort } from '../api/first/flag-search.ts'
import { useTexts } from '../text/texts.tsx'
import { LightDebouncedInput } from '../ui/form/debounced-input.tsx'
import { LightButton } from '../ui/form/light-button.tsx'
import { LightSelect } from '../ui/form/light-select.tsx'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { FilterChip, type PutSearch } from './filters/filter-chip.tsx'
import { clearFilter, FILTER_FIELDS, type FilterField, hasFilter } from './filters/filter-fields.ts'
import styles from './filters/filters.module.css'
import { useIsNarrow } from './flag-columns.ts'
import { ARCHIVED, type FlagSearch, isFiltered, withoutFilters } from './search-params.ts'

const FilterMenu = lazyDialog('FilterMenu', async () => (await import('./filters/filter-menu.tsx')).FilterMenu)

interface Props {
  readonly project: string
  readonly search: FlagSearch
  readonly go: (next: FlagSearch, replace?: boolean) => void
}

/** Search and filters of the list, stored in the URL. On a phone, the filters are behind one button. */
export function FlagFilters({ project, search, go }: Props) {
  const t = useTexts()
  const isNarrow = useIsNarrow()
  const [isOpen, setOpen] = useState(false)
  const [added, setAdded] = useState<readonly FilterField[]>([])
  const put: PutSearch = (change) => {
    const merged = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '')
    go(Object.fromEntries(merged), true)
  }
  const active = FILTER_FIELDS.filter((field) => hasFilter(search, field))
  const inBar = FILTER_FIELDS.filter((field) => active.includes(field) || added.includes(field))
  const shown = isNarrow ? FILTER_FIELDS.filter(() => isOpen) : inBar
  const others = FILTER_FIELDS.filter((field) => !inBar.includes(field))
  const remove = (field: FilterField): void => {
    setAdded(added.filter((one) => one !== field))
    put(clearFilter(field))
  }
  const clear = (): void => {
    setAdded([])
    go(withoutFilters(search))
  }
  return (
    <search className={styles.bar}>
      <LightDebouncedInput
        type="search"
        aria-label={t.flags.search}
        placeholder={t.flags.searchHint}
        value={search.q ?? ''}
        className={styles.text ?? ''}
        settle={(q) => put({ q })}
      />
      {isNarrow ? (
        <LightButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {active.length === 0 ? t.list.filters : t.list.filterCount(active.length)}
        </LightButton>
      ) : (
        others.length > 0 && <AddFilter fields={others} add={(field) => setAdded([...added, field])} />
      )}
      {shown.map((field) => (
        <FilterChip
          key={field}
          project={project}
          field={field}
          search={search}
          put={put}
          isNew={!isNarrow && added.at(-1) === field && !hasFilter(search, field)}
          remove={() => remove(field)}
        />
      ))}
      {isNarrow && isOpen && <NarrowSort search={search} go={go} />}
      {(isFiltered(search) || added.length > 0) && (
        <LightButton look="plain" onClick={clear}>
          {t.flags.clear}
        </LightButton>
      )}
      {search.state === ARCHIVED && (
        <LinkButton to="/archive" search={{ project }} size="sm">
          {t.list.openArchive}
        </LinkButton>
      )}
    </search>
  )
}

interface AddProps {
  readonly fields: readonly FilterField[]
  readonly add: (field: FilterField) => void
}

/** Button with a menu of filters to add. The menu is loaded when first opened. */
function AddFilter({ fields, add }: AddProps) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  const button = (
    <LightButton aria-haspopup="menu" left={<span aria-hidden="true">+</span>} onClick={() => setOpen(true)}>
      {t.list.filter}
    </LightButton>
  )
  if (!isOpen) return button
  return <FilterMenu target={button} fields={fields} add={add} close={() => setOpen(false)} fallback={button} />
}

/** Sort field for narrow layouts, which have no clickable headings. */
function NarrowSort({ search, go }: Pick<Props, 'search' | 'go'>) {
  const t = useTexts()
  const { sort = 'name', order = 'asc', ...rest } = search
  const columns: [FlagSort, string][] = [
    ['name', t.common.name],
    ['type', t.common.type],
    ['createdAt', t.common.created],
    ['lastSeenAt', t.common.lastEvaluated],
  ]
  return (
    <LightSelect
      label={t.list.sort}
      choices={columns.flatMap(([value, label]) => [
        { value: `${value} asc`, label: `↑ ${label}` },
        { value: `${value} desc`, label: `↓ ${label}` },
      ])}
      value={`${sort} ${order}`}
      choose={(chosen) => {
        const [column, direction] = chosen.split(' ')
        go({ ...rest, sort: column as FlagSort, order: direction === 'desc' ? 'desc' : 'asc' }, true)
      }}
    />
  )
}
