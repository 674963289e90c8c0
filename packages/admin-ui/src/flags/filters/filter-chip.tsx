import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { fetchFlagCreators } from '../../api/flags.ts'
import { ENVIRONMENTS } from '../../api/queries.ts'
import type { Texts } from '../../text/en.ts'
import { useTexts } from '../../text/texts.tsx'
import { LightDebouncedInput } from '../../ui/form/debounced-input.tsx'
import { LightSelect } from '../../ui/form/light-select.tsx'
import { ARCHIVED, type FlagSearch } from '../search-params.ts'
import { type FilterField, getFilterLabel } from './filter-fields.ts'
import styles from './filters.module.css'

/** Lifecycle stages of active flags. */
const STAGES = ['initial', 'pre-live', 'live', 'completed'] as const
const STATES = ['active', 'potentially-stale', 'stale', ARCHIVED] as const

/** Changes URL parameters. The value undefined removes a parameter. */
export type PutSearch = (change: { [K in keyof FlagSearch]?: FlagSearch[K] | undefined }) => void

interface Props {
  readonly project: string
  readonly field: FilterField
  readonly search: FlagSearch
  readonly put: PutSearch
  readonly remove: () => void
  /** True if the user has just added the filter, which then gets the focus. */
  readonly isNew: boolean
}

/** Filter of the list: its name, its value, and a button that removes the filter. */
export function FilterChip({ field, isNew, remove, ...props }: Props) {
  const t = useTexts()
  const box = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (isNew) box.current?.querySelector<HTMLElement>('select, input')?.focus()
  }, [isNew])
  const label = getFilterLabel(t, field)
  return (
    <span className={styles.chip} ref={box}>
      <span aria-hidden="true">{label}</span>
      <FilterValue field={field} {...props} />
      <button
        type="button"
        className={styles.remove}
        aria-label={t.list.removeFilter(label)}
        title={t.list.removeFilter(label)}
        onClick={remove}
      >
        ×
      </button>
    </span>
  )
}

type ValueProps = Pick<Props, 'project' | 'field' | 'search' | 'put'>

function FilterValue({ project, field, search, put }: ValueProps) {
  const t = useTexts()
  const label = getFilterLabel(t, field)
  switch (field) {
    case 'tag':
      return (
        <LightDebouncedInput
          aria-label={label}
          placeholder={t.flags.tagHint}
          value={search.tag ?? ''}
          settle={(tag) => put({ tag: tag === '' ? undefined : tag })}
        />
      )
    case 'status':
      return <StatusFilter search={search} put={put} />
    case 'createdBy':
      return <CreatorFilter project={project} search={search} put={put} />
    default:
      return (
        <LightSelect
          label={label}
          choices={listChoices(t, field)}
          value={search[field] ?? ''}
          choose={(value) => put({ [field]: value === '' ? undefined : value })}
        />
      )
  }
}

function listChoices({ flags, list, types, stages }: Texts, field: 'state' | 'type' | 'stage') {
  switch (field) {
    case 'state':
      return [
        { value: '', label: flags.anyState },
        ...STATES.map((value) => ({ value: value as string, label: list[value] })),
      ]
    case 'type':
      return [{ value: '', label: flags.anyType }, ...Object.entries(types).map(([value, label]) => ({ value, label }))]
    case 'stage':
      return [
        { value: '', label: list.anyStage },
        ...STAGES.map((value) => ({ value: value as string, label: stages[value] })),
      ]
  }
}

/** Filter by the user who created the flags. */
function CreatorFilter({ project, search: { createdBy = '' }, put }: Pick<Props, 'project' | 'search' | 'put'>) {
  const t = useTexts()
  const { data = [] } = useQuery({
    queryKey: ['flag-creators', project],
    queryFn: () => fetchFlagCreators(project),
  })
  const known = data.map(({ id, name }) => ({ value: String(id), label: name }))
  const isUnknown = createdBy !== '' && known.every(({ value }) => value !== createdBy)
  return (
    <LightSelect
      label={t.list.createdBy}
      choices={[
        { value: '', label: t.list.anyCreator },
        ...known,
        ...(isUnknown ? [{ value: createdBy, label: `#${createdBy}` }] : []),
      ]}
      value={createdBy}
      choose={(id) => put({ createdBy: id === '' ? undefined : id })}
    />
  )
}

/** Filter by the on/off state in one environment. */
function StatusFilter({ search: { on, off }, put }: Pick<Props, 'search' | 'put'>) {
  const t = useTexts()
  const { data = [] } = useQuery(ENVIRONMENTS)
  const names = [...new Set([...data.map(({ name }) => name), ...[on, off].filter((name) => name !== undefined)])]
  return (
    <LightSelect
      label={t.list.status}
      choices={[
        { value: '', label: t.list.anyStatus },
        ...names.flatMap((name) => [
          { value: `on:${name}`, label: t.list.onIn(name) },
          { value: `off:${name}`, label: t.list.offIn(name) },
        ]),
      ]}
      value={formatStatus(on, off)}
      choose={(status) => {
        const [, state, name] = /^(on|off):(.*)$/s.exec(status) ?? []
        put({ on: state === 'on' ? name : undefined, off: state === 'off' ? name : undefined })
      }}
    />
  )
}

function formatStatus(on: string | undefined, off: string | undefined): string {
  if (on !== undefined) return `on:${on}`
  return off === undefined ? '' : `off:${off}`
}
