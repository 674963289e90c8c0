import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { EventQuery } from '../api/events.ts'
import { ENVIRONMENTS, PROJECTS } from '../api/queries.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { DebouncedInput } from '../ui/form/debounced-input.tsx'
import styles from './events.module.css'
import { EVENT_TEXTS } from './texts.ts'

interface Props {
  readonly search: EventQuery
  readonly go: (search: EventQuery, replace?: boolean) => void
}

/** Rarely used filters, hidden behind a button. */
const RARE_FILTERS = ['type', 'flag', 'env', 'by'] as const

/** Filters of the event log, stored in the URL. */
export function EventFilters({ search, go }: Props) {
  const t = useTexts()
  const log = useCatalogue(EVENT_TEXTS).log
  const put = (name: keyof EventQuery, value: string | null, replace = false): void => {
    const { [name]: _, ...rest } = search
    go(value === null || value === '' ? rest : { ...rest, [name]: value }, replace)
  }
  const inUse = RARE_FILTERS.filter((name) => search[name] !== undefined).length
  const [isOpen, setOpen] = useState(inUse > 0)
  const id = useId()
  useEffect(() => {
    if (inUse > 0) setOpen(true)
  }, [inUse])
  return (
    <search>
      <div className={styles.filters}>
        <DebouncedInput
          type="search"
          label={log.search}
          placeholder={log.searchHint}
          className={styles.search ?? ''}
          value={search.q ?? ''}
          settle={(value) => put('q', value, true)}
        />
        <ProjectField search={search} put={put} />
        <DateFields search={search} put={put} />
        <Button variant="default" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {log.moreFilters(inUse)}
        </Button>
        {Object.keys(search).length > 0 && (
          <Button variant="subtle" onClick={() => go({})}>
            {t.flags.clear}
          </Button>
        )}
      </div>
      <div id={id} className={styles.filters} hidden={!isOpen}>
        {isOpen && <RareFields search={search} put={put} />}
      </div>
    </search>
  )
}

interface PartProps {
  readonly search: EventQuery
  readonly put: (name: keyof EventQuery, value: string | null, replace?: boolean) => void
}

function DateFields({ search, put }: PartProps) {
  const log = useCatalogue(EVENT_TEXTS).log
  return (
    <>
      <TextInput
        type="date"
        label={log.from}
        value={search.from ?? ''}
        max={search.to}
        onChange={(event) => put('from', event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={log.to}
        value={search.to ?? ''}
        min={search.from}
        onChange={(event) => put('to', event.currentTarget.value)}
      />
    </>
  )
}

function RareFields({ search, put }: PartProps) {
  const t = useTexts(EVENT_TEXTS)
  const log = useCatalogue(EVENT_TEXTS).log
  const { data: environments = [] } = useQuery(ENVIRONMENTS)
  const types = Object.entries(log.types).map(([value, label]) => ({ value, label }))
  const typed = (name: keyof EventQuery) => ({
    value: search[name] ?? '',
    settle: (value: string) => put(name, value, true),
  })
  const chosen = (name: keyof EventQuery) => ({
    value: search[name] ?? null,
    onChange: (value: string | null) => put(name, value),
  })
  return (
    <>
      <Choice label={t.events.filterType} any={log.anyType} data={types} {...chosen('type')} />
      <DebouncedInput label={t.events.filterFlag} {...typed('flag')} />
      <Choice
        label={t.common.environment}
        any={log.anyEnvironment}
        data={environments.map(({ name }) => ({ value: name, label: name }))}
        {...chosen('env')}
      />
      <DebouncedInput label={t.events.filterBy} {...typed('by')} />
    </>
  )
}

function ProjectField({ search, put }: PartProps) {
  const t = useTexts()
  const log = useCatalogue(EVENT_TEXTS).log
  const { data: projects = [] } = useQuery(PROJECTS)
  return (
    <Choice
      label={t.common.project}
      any={log.anyProject}
      data={projects.map(({ id, name }) => ({ value: id, label: name }))}
      value={search.project ?? null}
      onChange={(value) => put('project', value)}
    />
  )
}

interface ChoiceProps {
  readonly label: string
  /** Placeholder while nothing is selected. */
  readonly any: string
  readonly data: { readonly value: string; readonly label: string }[]
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

function Choice({ label, any, ...rest }: ChoiceProps) {
  return (
    <Select
      label={label}
      placeholder={any}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `${label}: ${any}` }}
      {...rest}
    />
  )
}
