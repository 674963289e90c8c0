import { Button, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ENVIRONMENTS, PROJECTS } from '../api/queries.ts'
import { useCatalogue } from '../text/texts.tsx'
import { toIsoTime, toLocalTime } from '../ui/form/local-time.ts'
import { useSubmitAttempts } from '../ui/form/submit-attempted.ts'
import ui from '../ui/ui.module.css'
import styles from './playground.module.css'
import { ContextProperties } from './playground-properties.tsx'
import { formatProperties, type PlaygroundSearch, parseProperties } from './search-params.ts'
import { PLAYGROUND_TEXTS } from './texts.ts'

interface Props {
  readonly search: PlaygroundSearch
  /** Context fields that the flags' rules use. */
  readonly used: readonly string[]
  readonly run: (search: PlaygroundSearch) => void
}

const ALL = '*'
const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'appName'] as const
/** Context fields for which the form has a separate input. */
const FIELDS_WITH_INPUT: readonly string[] = [...FIELDS, 'currentTime', 'environment']

/** Form with the context, environments and projects to evaluate. */
export function PlaygroundForm({ search, used, run }: Props) {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const { data: environments = [] } = useQuery(ENVIRONMENTS)
  const [draft, setDraft] = useState(search)
  const [properties, setProperties] = useState(() => parseProperties(search.props))
  const put = (change: Partial<PlaygroundSearch>): void => setDraft({ ...draft, ...change })
  const chosen = draft.envs ?? environments.map(({ name }) => name).join(',')
  const form = useRef<HTMLFormElement>(null)
  const tries = useSubmitAttempts(form)
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    const named = properties.filter(([name]) => name.trim() !== '')
    const next = { ...draft, q: search.q, envs: chosen, props: formatProperties(named) }
    if (chosen === '') tries.note()
    else run(Object.fromEntries(Object.entries(next).filter(([name, value]) => value && name !== 'flag')))
  }
  const isTyped = draft !== search || formatProperties(properties) !== (search.props ?? '')
  return (
    <Stack
      component="form"
      // The type declarations assume the element that is used without `component`.
      ref={form as unknown as React.RefObject<HTMLDivElement>}
      onSubmit={submit}
      // Disables single-letter shortcuts, which would leave the page and lose the input.
      {...(isTyped && { 'data-typed': true })}
      className={`${ui.card} ${ui.padded} ${styles.form}`}
    >
      <ScopeFields
        draft={draft}
        chosen={chosen}
        put={put}
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
        value={toLocalTime(draft.currentTime ?? '')}
        onChange={(event) => put({ currentTime: toIsoTime(event.currentTarget.value) })}
      />
      <ContextProperties
        pairs={properties}
        used={used.filter((name) => !FIELDS_WITH_INPUT.includes(name))}
        own={FIELDS_WITH_INPUT}
        put={setProperties}
      />
      <PointInTimeFields draft={draft} put={put} />
      <div className={styles.run}>
        <Button type="submit" fullWidth>
          {t.run}
        </Button>
      </div>
    </Stack>
  )
}

interface ScopeFieldsProps extends PointInTimeFieldsProps {
  readonly environments: readonly string[]
  /** Selected environments, comma-separated. */
  readonly chosen: string
  /** True after the first attempt to submit; from then on, missing values are reported. */
  readonly hasTried: boolean
}

/** Projects and environments to evaluate. */
function ScopeFields({ draft, chosen, hasTried, environments, put }: ScopeFieldsProps) {
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

interface PointInTimeFieldsProps {
  readonly draft: PlaygroundSearch
  readonly put: (change: Partial<PlaygroundSearch>) => void
}

/** Fields for the point in time at which the flags are evaluated; defaults to now. */
function PointInTimeFields({ draft: { event, at }, put }: PointInTimeFieldsProps) {
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
      value={toLocalTime(at ?? '')}
      onChange={(change) => put({ at: toIsoTime(change.currentTarget.value) })}
    />
  )
}
