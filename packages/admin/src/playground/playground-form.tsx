import { Button, MultiSelect, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ENVIRONMENTS, PROJECTS } from '../api/queries.ts'
import { useTexts } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import styles from './playground.module.css'
import { type PlaygroundSearch, propertiesOf, textOfProperties } from './search.ts'

interface Props {
  readonly search: PlaygroundSearch
  readonly run: (search: PlaygroundSearch) => void
}

const ALL = '*'
const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'appName'] as const

/** Who asks, and where. */
export function PlaygroundForm({ search, run }: Props) {
  const t = useTexts()
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
        label={t.playground.environments}
        data={environments.map(({ name }) => name)}
        value={chosen.split(',').filter((name) => name !== '')}
        onChange={(names) => put({ envs: names.join(',') })}
      />
      <Select
        label={t.playground.project}
        data={[
          { value: ALL, label: t.playground.allProjects },
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={draft.project ?? ALL}
        onChange={(project) => put({ project: project === ALL || project === null ? '' : project })}
      />
      {FIELDS.map((name) => (
        <TextInput
          key={name}
          label={t.playground[name]}
          value={draft[name] ?? ''}
          onChange={(event) => put({ [name]: event.currentTarget.value })}
        />
      ))}
      <Properties pairs={properties} put={setProperties} />
      <Button type="submit" disabled={chosen === ''}>
        {t.playground.run}
      </Button>
    </Stack>
  )
}

type Pairs = [string, string][]

function Properties({ pairs, put }: { pairs: Pairs; put: (pairs: Pairs) => void }) {
  const t = useTexts()
  const set = (at: number, pair: [string, string]): void => put(pairs.with(at, pair))
  return (
    <fieldset className={styles.properties}>
      <legend>{t.playground.properties}</legend>
      {pairs.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
        <div key={index} className={styles.property}>
          <TextInput
            aria-label={t.playground.propertyName}
            placeholder={t.playground.propertyName}
            value={name}
            onChange={(event) => set(index, [event.currentTarget.value, value])}
          />
          <TextInput
            aria-label={t.playground.propertyValue}
            placeholder={t.playground.propertyValue}
            value={value}
            onChange={(event) => set(index, [name, event.currentTarget.value])}
          />
          <Button
            variant="subtle"
            color="red"
            px={6}
            aria-label={t.playground.removeProperty(name)}
            onClick={() => put(pairs.toSpliced(index, 1))}
          >
            ✕
          </Button>
        </div>
      ))}
      <Button variant="default" size="xs" onClick={() => put([...pairs, ['', '']])}>
        {t.playground.addProperty}
      </Button>
    </fieldset>
  )
}
