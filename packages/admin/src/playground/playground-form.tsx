import { Autocomplete, Button, MultiSelect, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FIELDS as CONTEXT, ENVIRONMENTS, PROJECTS } from '../api/queries.ts'
import { useCatalogue } from '../text/texts.tsx'
import { isoOf, localOf } from '../ui/form/local-time.ts'
import ui from '../ui/ui.module.css'
import styles from './playground.module.css'
import { type PlaygroundSearch, propertiesOf, textOfProperties } from './search-params.ts'
import { PLAYGROUND_TEXTS } from './texts.ts'

interface Props {
  readonly search: PlaygroundSearch
  readonly run: (search: PlaygroundSearch) => void
}

const ALL = '*'
const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'appName'] as const
/** Fields that have a place of their own in the form. */
const OWN_FIELDS: readonly string[] = [...FIELDS, 'currentTime', 'environment']

/** Who asks, and where. */
export function PlaygroundForm({ search, run }: Props) {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const { data: environments = [] } = useQuery(ENVIRONMENTS)
  const { data: projects = [] } = useQuery(PROJECTS)
  const [draft, setDraft] = useState(search)
  const [properties, setProperties] = useState(() => propertiesOf(search.props))
  const put = (change: Partial<PlaygroundSearch>): void => setDraft({ ...draft, ...change })
  const chosen = draft.envs ?? environments.map(({ name }) => name).join(',')
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    const named = properties.filter(([name]) => name.trim() !== '')
    const next = { ...draft, q: search.q, envs: chosen, props: textOfProperties(named) }
    run(Object.fromEntries(Object.entries(next).filter(([name, value]) => value && name !== 'flag')))
  }
  return (
    <Stack component="form" onSubmit={submit} className={`${ui.card} ${ui.padded} ${styles.form}`}>
      <MultiSelect
        label={t.environments}
        data={environments.map(({ name }) => name)}
        value={chosen.split(',').filter((name) => name !== '')}
        onChange={(names) => put({ envs: names.join(',') })}
      />
      <Select
        label={t.project}
        data={[{ value: ALL, label: t.allProjects }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
        value={draft.project ?? ALL}
        onChange={(project) => put({ project: project === ALL || project === null ? '' : project })}
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
      <Properties pairs={properties} put={setProperties} />
      <Button type="submit" className={styles.run ?? ''} disabled={chosen === ''}>
        {t.run}
      </Button>
    </Stack>
  )
}

type Pairs = [string, string][]

function Properties({ pairs, put }: { pairs: Pairs; put: (pairs: Pairs) => void }) {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const { data: fields = [] } = useQuery(CONTEXT)
  const names = fields.map((field) => field.name).filter((name) => !OWN_FIELDS.includes(name))
  const legalOf = (name: string) =>
    fields.find((field) => field.name === name)?.legalValues.map((legal) => legal.value) ?? []
  const set = (at: number, pair: [string, string]): void => put(pairs.with(at, pair))
  return (
    <fieldset className={styles.properties}>
      <legend>{t.properties}</legend>
      {pairs.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
        <div key={index} className={styles.property}>
          <Autocomplete
            aria-label={t.propertyName}
            placeholder={t.propertyName}
            data={names}
            value={name}
            onChange={(next) => set(index, [next, value])}
          />
          <Autocomplete
            aria-label={t.propertyValue}
            placeholder={t.propertyValue}
            data={legalOf(name)}
            value={value}
            onChange={(next) => set(index, [name, next])}
          />
          <Button
            variant="subtle"
            color="red"
            px={6}
            aria-label={t.removeProperty(name)}
            onClick={() => put(pairs.toSpliced(index, 1))}
          >
            ✕
          </Button>
        </div>
      ))}
      <Button variant="default" size="xs" onClick={() => put([...pairs, ['', '']])}>
        {t.addProperty}
      </Button>
    </fieldset>
  )
}
