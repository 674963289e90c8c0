import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCatalogue } from '../text/texts.tsx'
import { toIsoTime, toLocalTime } from '../ui/form/local-time.ts'
import styles from './flag-history.module.css'
import { HISTORY_TEXTS } from './texts.ts'

const DAY_MS = 86_400_000
/** Times in the past that users often choose, in days before now. */
const PRESET_DAYS = [1, 7, 30] as const

interface Props {
  readonly label: string
  readonly hint?: string | undefined
  /** Time in ISO 8601; empty if it is not set. */
  readonly at: string
  readonly go: (at: string) => void
}

/** Form for a time in the past, in the user's time zone. */
export function PointInTimeForm({ label, hint, at, go }: Props) {
  const t = useCatalogue(HISTORY_TEXTS)
  const [local, setLocal] = useState(toLocalTime(at))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // Include all events within the minute.
    if (local !== '') go(toIsoTime(`${local}:59.999`))
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
      {PRESET_DAYS.map((days) => (
        <Button key={days} variant="subtle" onClick={() => go(new Date(Date.now() - days * DAY_MS).toISOString())}>
          {t.daysAgo(days)}
        </Button>
      ))}
    </form>
  )
}
