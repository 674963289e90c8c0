import { Button, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ENVIRONMENTS, PROJECTS } from '../api/queries.ts'
import { useCatalogue } from '../text/texts.tsx'
import { isoOf, localOf } from '../ui/form/local-time.ts'
import { useTries } from '../ui/form/tried.ts'
import ui from '../ui/ui.module.css'
import styles from './playground.module.css'
import { Properties } from './playground-properties.tsx'
import { type PlaygroundSearch, propertiesOf, textOfProperties } from './search-params.ts'
import { PLAYGROUND_TEXTS } from './texts.ts'

interface Props {
  readonly search: PlaygroundSearch
  /** Context fields that the flags' rules use. */
  readonly used: readonly string[]
  readonly run: (search: PlaygroundSearch) => void
}

const ALL = '*'
const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'appName'] as const
/** Fields with their own input in the form. */
const OWN_FIELDS: readonly string[] = [...FIELDS, 'currentTime', 'environment']

/** Form with the context, environments and projects to evaluate. */
export function PlaygroundForm({ search, used, run }: Props) {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const { data: environments = [] } = useQuery(ENVIRONMENTS)
  const [draft, setDraft] = useState(search)
  const [properties, setProperties] = useState(() => propertiesOf(search.props))
  const put = (change: Partial<PlaygroundSearch>): void => setDraft({ ...draft, ...change })
  const chosen = draft.envs ?? environments.map(({ name }) => name).join(',')
  const form = useRef<HTMLFormElement>(null)
  const tries = useTries(form)
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    const named = properties.filter(([name]) => name.trim() !== '')
    const next = { ...draft, q: search.q, envs: chosen, props: textOfProperties(named) }
    if (chosen === '') tries.note()
    else run(Object.fromEntries(Object.entries(next).filter(([name, value]) => value && name !== 'flag')))
  }
  const isTyped = draft !== search || textOfProperties(properties) !== (search.props ?? '')
  return (
    <Stack
      component="form"
      // The typings use the element type that applies without `component`.
      ref={form as unknown as React.RefObject<HTMLDivElement>}
      onSubmit={submit}
      // Disables letter shortcuts, which would leave the page and lose the input.
      {...(isTyped && { 'data-typed': true })}
      className={`${ui.card} ${ui.padded} ${styles.form}`}
    >
      <Where
        {...{ draft, chosen, put }}
        hasTried={tries.hasTried}
        environments={environments.map(({ name }) => name)}
      />
      {FIELDS.map((name) => (
        <TextInput
          key={name}
          label={t[name]}
          value={draft[name] ?? ''}
          onChange={(event) => put({ [name]: event.currentTarget.value })}
        />
      ))}
      <TextInput
        type="datetime-local"
        label={t.currentTime}
        description={t.when}
        value={localOf(draft.currentTime ?? '')}
        onChange={(event) => put({ currentTime: isoOf(event.currentTarget.value) })}
      />
      <Properties
        pairs={properties}
        used={used.filter((name) => !OWN_FIELDS.includes(name))}
        own={OWN_FIELDS}
        put={setProperties}
      />
      <AsOf draft={draft} put={put} />
      <Button type="submit">{t.run}</Button>
    </Stack>
  )
}

interface WhereProps extends AsOfProps {
  readonly environments: readonly string[]
  /** Selected environments, comma-separated. */
  readonly chosen: string
  /** True after the first submit attempt. From then on, missing values are reported. */
  readonly hasTried: boolean
}

/** Projects and environments to evaluate. */
function Where({ draft, chosen, hasTried, environments, put }: WhereProps) {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const { data: projects = [] } = useQuery(PROJECTS)
  return (
    <>
      <MultiSelect
        label={t.environments}
        data={[...environments]}
        error={hasTried && chosen === '' && t.noEnvironment}
        value={chosen.split(',').filter((name) => name !== '')}
        onChange={(names) => put({ envs: names.join(',') })}
      />
      <Select
        label={t.project}
        data={[{ value: ALL, label: t.allProjects }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
        value={draft.project ?? ALL}
        onChange={(project) => put({ project: project === ALL || project === null ? '' : project })}
      />
    </>
  )
}

interface AsOfProps {
  readonly draft: PlaygroundSearch
  readonly put: (change: Partial<PlaygroundSearch>) => void
}

/** Moment of the flags to evaluate; now by default. */
function AsOf({ draft: { event, at }, put }: AsOfProps) {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  if (event) {
    return (
      <div>
        <Text size="sm">{t.asOfEvent(event)}</Text>
        <Button variant="default" size="xs" mt={4} onClick={() => put({ event: '' })}>
          {t.asNow}
        </Button>
      </div>
    )
  }
  return (
    <TextInput
      type="datetime-local"
      label={t.asOf}
      description={t.asOfHint}
      value={localOf(at ?? '')}
      onChange={(change) => put({ at: isoOf(change.currentTarget.value) })}
    />
  )
}
