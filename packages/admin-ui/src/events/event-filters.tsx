import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { EventQuery } from '../api/events.ts'
import { ENVIRONMENTS, EVENT_CREATORS, PROJECTS } from '../api/queries.ts'
import { usePersonNames } from '../people/person-names.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { DebouncedInput } from '../ui/form/debounced-input.tsx'
import styles from './events.module.css'
import { SENTENCE_TEXTS } from './sentence-texts.ts'
import { EVENT_TEXTS } from './texts.ts'

interface Props {
  readonly search: EventQuery
  readonly go: (search: EventQuery, replace?: boolean) => void
}

/** Filters that are rarely used and are hidden behind a button. */
const RARE_FILTERS = ['type', 'flag', 'env', 'agents'] as const

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
        <PersonField search={search} put={put} />
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
    <div className={styles.dates}>
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
    </div>
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
      <Choice
        label={log.agents}
        any={log.anyAuthor}
        data={[
          { value: 'only', label: log.onlyAgents },
          { value: 'none', label: log.noAgents },
        ]}
        {...chosen('agents')}
      />
    </>
  )
}

function PersonField({ search, put }: PartProps) {
  const t = useCatalogue(SENTENCE_TEXTS)
  const { data = [] } = useQuery(EVENT_CREATORS)
  const creators = data.map(({ id, name }) => ({ id, username: name }))
  const nameOf = usePersonNames(creators)
  const people = creators.map((one) => ({ value: one.username, label: nameOf(one) }))
  const isKnown = search.by === undefined || people.some(({ value }) => value === search.by)
  const missing = isKnown ? [] : [{ value: search.by ?? '', label: search.by ?? '' }]
  return (
    <Choice
      label={t.person}
      any={t.anyPerson}
      data={[...people.sort((one, other) => one.label.localeCompare(other.label)), ...missing]}
      value={search.by ?? null}
      onChange={(value) => put('by', value)}
    />
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
