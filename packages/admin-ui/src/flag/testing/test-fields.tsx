import { Autocomplete, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FIELDS } from '../../api/queries.ts'
import { toIsoTime, toLocalTime } from '../../ui/form/local-time.ts'
import type { TestContext } from './saved-people.ts'

interface Props {
  /** Names of the context fields that the flag reads. */
  readonly names: readonly string[]
  readonly context: TestContext
  readonly put: (context: TestContext) => void
}

/** Inputs for the context fields that a flag reads, with suggestions for legal values. */
export function TestFields({ names, context, put }: Props) {
  const { data: defined = [] } = useQuery(FIELDS)
  return names.map((name) => {
    const field = defined.find((one) => one.name === name)
    const set = (value: string): void => put({ ...context, [name]: value })
    if (name === 'currentTime') return <TimeField key={name} value={context[name] ?? ''} set={set} />
    return (
      <Autocomplete
        key={name}
        label={name}
        size="xs"
        data={[...new Set((field?.legalValues ?? []).map(({ value }) => value))]}
        value={context[name] ?? ''}
        autoComplete="off"
        spellCheck={false}
        onChange={set}
      />
    )
  })
}

function TimeField({ value, set }: { value: string; set: (value: string) => void }) {
  return (
    <TextInput
      type="datetime-local"
      label="currentTime"
      size="xs"
      value={toLocalTime(value)}
      onChange={(event) => set(toIsoTime(event.currentTarget.value))}
    />
  )
}
