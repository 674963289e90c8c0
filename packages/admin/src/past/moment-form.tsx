import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCatalogue } from '../text/texts.tsx'
import { isoOf, localOf } from '../ui/form/local-time.ts'
import styles from './past.module.css'
import { PAST_TEXTS } from './texts.ts'

interface Props {
  readonly label: string
  readonly hint?: string | undefined
  /** ISO 8601 time; empty if not set. */
  readonly at: string
  readonly go: (at: string) => void
}

/** Form for a time in the past, in the user's time zone. */
export function MomentForm({ label, hint, at, go }: Props) {
  const t = useCatalogue(PAST_TEXTS)
  const [local, setLocal] = useState(localOf(at))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // Include all events of the minute.
    if (local !== '') go(isoOf(`${local}:59.999`))
  }
  return (
    <form className={styles.compare} onSubmit={submit}>
      <TextInput
        type="datetime-local"
        label={label}
        description={hint}
        value={local}
        required
        withAsterisk={false}
        onChange={(event) => setLocal(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t.show}
      </Button>
    </form>
  )
}
