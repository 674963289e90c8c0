import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { EventQuery } from '../api/events.ts'
import { ENVIRONMENTS, PROJECTS } from '../api/queries.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { SettledInput } from '../ui/form/settled-input.tsx'
import styles from './events.module.css'
import { EVENT_TEXTS } from './texts.ts'

interface Props {
  readonly search: EventQuery
  readonly go: (search: EventQuery, replace?: boolean) => void
}

/** What the log is narrowed to; it stands in the address. */
export function EventFilters({ search, go }: Props) {
  const t = useTexts()
  const log = useCatalogue(EVENT_TEXTS).log
  const put = (name: keyof EventQuery, value: string | null, replace = false): void => {
    const { [name]: _, ...rest } = search
    go(value === null || value === '' ? rest : { ...rest, [name]: value }, replace)
  }
  return (
    <search className={styles.filters}>
      <TypedFields search={search} put={put} />
      <Chosen search={search} put={put} />
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
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" className={styles.clear ?? ''} onClick={() => go({})}>
          {t.flags.clear}
        </Button>
      )}
    </search>
  )
}

interface PartProps {
  readonly search: EventQuery
  readonly put: (name: keyof EventQuery, value: string | null, replace?: boolean) => void
}

function TypedFields({ search, put }: PartProps) {
  const t = useTexts(EVENT_TEXTS)
  const log = useCatalogue(EVENT_TEXTS).log
  const field = (name: keyof EventQuery) => ({
    value: search[name] ?? '',
    settle: (value: string) => put(name, value, true),
  })
  return (
    <>
      <SettledInput
        type="search"
        label={log.search}
        placeholder={log.searchHint}
        className={styles.wide ?? ''}
        {...field('q')}
      />
      <SettledInput label={t.events.filterFlag} {...field('flag')} />
      <SettledInput label={t.events.filterBy} {...field('by')} />
    </>
  )
}

function Chosen({ search, put }: PartProps) {
  const t = useTexts(EVENT_TEXTS)
  const log = useCatalogue(EVENT_TEXTS).log
  const { data: projects = [] } = useQuery(PROJECTS)
  const { data: environments = [] } = useQuery(ENVIRONMENTS)
  const fields = [
    {
      name: 'type',
      label: t.events.filterType,
      any: log.anyType,
      data: Object.entries(log.types).map(([value, label]) => ({ value, label })),
    },
    {
      name: 'project',
      label: t.common.project,
      any: log.anyProject,
      data: projects.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: 'env',
      label: t.common.environment,
      any: log.anyEnvironment,
      data: environments.map(({ name }) => ({ value: name, label: name })),
    },
  ] as const
  return fields.map(({ name, label, any, data }) => (
    <Select
      key={name}
      label={label}
      placeholder={any}
      data={[...data]}
      value={search[name] ?? null}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `${label}: ${any}` }}
      onChange={(value) => put(name, value)}
    />
  ))
}
