import { Radio, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { STALE_TEXTS } from './texts.ts'
import { useSnooze } from './use-snooze.ts'

const DAY_MS = 86_400_000
const MAX_DAYS = 365
const SPANS = ['7', '30', '90', 'date'] as const
type Span = (typeof SPANS)[number]

interface Props {
  readonly project: string
  readonly names: readonly string[]
  /** Called when the dialog closes; `isDone` is true if flags were snoozed. */
  readonly close: (isDone: boolean) => void
}

/** Dialog that snoozes flags until a date. */
export function SnoozeDialog(props: Props) {
  const t = useCatalogue(STALE_TEXTS)
  return (
    <Dialog title={t.snoozeTitle(props.names.length)} size="md" close={() => props.close(false)}>
      <Fields {...props} />
    </Dialog>
  )
}

function Fields({ project, names, close }: Props) {
  const t = useCatalogue(STALE_TEXTS)
  const snooze = useSnooze()
  const [span, setSpan] = useState<Span>('30')
  const [day, setDay] = useState('')
  const until = getSnoozeEnd(span, day)
  const save = useMutation({
    mutationFn: async () => (until === undefined ? false : snooze(project, names, until)),
    onSuccess: (isDone) => close(isDone),
  })
  return (
    <Form
      save={save}
      draft={undefined}
      isReady={until !== undefined}
      submit={() => save.mutate()}
      close={() => close(false)}
      action={t.snooze}
    >
      <Radio.Group label={t.snoozeFor} value={span} onChange={(value) => setSpan(value as Span)}>
        <Stack gap="xs" mt={4}>
          {SPANS.map((one) => (
            <Radio key={one} value={one} label={t.days[one]} />
          ))}
        </Stack>
      </Radio.Group>
      {span === 'date' && (
        <TextInput
          type="date"
          label={t.date}
          description={t.dateBad}
          required
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      )}
    </Form>
  )
}

/**
 * Returns the end of a snooze: the start of the selected day in the user's time zone, or the end of the selected time
 * span. Returns undefined if the date is invalid, in the past or more than a year away.
 */
function getSnoozeEnd(span: Span, day: string): string | undefined {
  const now = Date.now()
  const at = span === 'date' ? new Date(`${day}T00:00`).getTime() : now + Number(span) * DAY_MS
  return at > now && at <= now + MAX_DAYS * DAY_MS ? new Date(at).toISOString() : undefined
}
