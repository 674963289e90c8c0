import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlagSort } from '../api/first/flag-search.ts'
import { ENVIRONMENTS } from '../api/queries.ts'
import { useTexts } from '../text/texts.tsx'
import { LightDebouncedInput } from '../ui/form/debounced-input.tsx'
import { LightButton } from '../ui/form/light-button.tsx'
import { LightSelect } from '../ui/form/light-select.tsx'
import { useIsNarrow } from './flag-columns.ts'
import styles from './flags.module.css'
import { ARCHIVED, type FlagSearch, isFiltered, withoutFilters } from './search-params.ts'

/** Lifecycle stages of active flags. */
const STAGES = ['initial', 'pre-live', 'live', 'completed'] as const

interface Props {
  readonly search: FlagSearch
  readonly go: (next: FlagSearch, replace?: boolean) => void
}

/** Filters of the list, stored in the URL. */
export function FlagFilters({ search, go }: Props) {
  const t = useTexts()
  const { q, type, state, tag, stage, on, off, mine } = search
  const isNarrow = useIsNarrow()
  const [isOpen, setOpen] = useState(false)
  const put = (change: { [K in keyof FlagSearch]?: FlagSearch[K] | undefined }): void => {
    const merged = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '')
    go(Object.fromEntries(merged), true)
  }
  const types = Object.entries(t.types).map(([value, label]) => ({ value, label }))
  const states = ['active', 'potentially-stale', 'stale', ARCHIVED] as const
  return (
    <search className={styles.filters}>
      <LightDebouncedInput
        type="search"
        aria-label={t.flags.search}
        placeholder={t.flags.searchHint}
        value={q ?? ''}
        className={styles.text ?? ''}
        settle={(q) => put({ q })}
      />
      {isNarrow && (
        <LightButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t.list.filters}
        </LightButton>
      )}
      {(isOpen || !isNarrow) && (
        <>
          <LightSelect
            label={t.flags.type}
            choices={[{ value: '', label: t.flags.anyType }, ...types]}
            value={type ?? ''}
            choose={(type) => put({ type })}
          />
          <LightSelect
            label={t.flags.state}
            choices={[
              { value: '', label: t.flags.anyState },
              ...states.map((value) => ({ value, label: t.list[value] })),
            ]}
            value={state ?? ''}
            choose={(state) => put({ state })}
          />
          <LightSelect
            label={t.list.stage}
            choices={[
              { value: '', label: t.list.anyStage },
              ...STAGES.map((value) => ({ value, label: t.stages[value] })),
            ]}
            value={stage ?? ''}
            choose={(stage) => put({ stage })}
          />
          <StatusFilter on={on} off={off} put={put} />
          <LightDebouncedInput
            aria-label={t.flags.tag}
            placeholder={`${t.flags.tag} (${t.flags.tagHint})`}
            value={tag ?? ''}
            className={styles.short ?? ''}
            settle={(tag) => put({ tag })}
          />
        </>
      )}
      <MineFilter isOn={mine === true} put={put} />
      {isOpen && <NarrowSort search={search} go={go} />}
      {isFiltered(search) && (
        <Button variant="subtle" px="sm" onClick={() => go(withoutFilters(search))}>
          {t.flags.clear}
        </Button>
      )}
    </search>
  )
}

interface MineProps {
  readonly isOn: boolean
  readonly put: (change: { mine: true | undefined }) => void
}

/** Filter for flags that the user created or marked as a favorite. */
function MineFilter({ isOn, put }: MineProps) {
  const { list } = useTexts()
  return (
    <LightButton
      look={isOn ? 'chosen' : 'framed'}
      aria-pressed={isOn}
      title={list.mineHint}
      onClick={() => put({ mine: isOn ? undefined : true })}
    >
      {list.mine}
    </LightButton>
  )
}

interface StatusProps {
  readonly on: string | undefined
  readonly off: string | undefined
  readonly put: (change: { on: string | undefined; off: string | undefined }) => void
}

/** Filter by on or off in one environment. */
function StatusFilter({ on, off, put }: StatusProps) {
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
      value={on === undefined ? (off === undefined ? '' : `off:${off}`) : `on:${on}`}
      choose={(status) => {
        const [, state, name] = /^(on|off):(.*)$/s.exec(status) ?? []
        put({ on: state === 'on' ? name : undefined, off: state === 'off' ? name : undefined })
      }}
    />
  )
}

/** Sort field for narrow layouts, which have no clickable headings. */
function NarrowSort({ search, go }: Props) {
  const t = useTexts()
  const isNarrow = useIsNarrow()
  const { sort = 'name', order = 'asc', ...rest } = search
  if (!isNarrow) return null
  const columns: [FlagSort, string][] = [
    ['name', t.common.name],
    ['type', t.common.type],
    ['createdAt', t.common.created],
    ['lastSeenAt', t.common.lastSeen],
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
