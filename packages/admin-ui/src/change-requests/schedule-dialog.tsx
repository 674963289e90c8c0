import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { setChangeRequestState } from '../api/change-requests.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { toIsoTime, toLocalTime } from '../ui/form/local-time.ts'
import { showSuccess } from '../ui/messages/feedback.ts'
import { REQUEST_TEXTS } from './texts.ts'

interface Props {
  readonly request: ChangeRequest
  readonly close: () => void
}

/** Dialog that schedules a change request. */
export function ScheduleDialog({ request, close }: Props) {
  const t = useCatalogue(REQUEST_TEXTS)
  return (
    <Dialog title={t.scheduleTitle} close={close} size="md">
      <ScheduleForm request={request} close={close} />
    </Dialog>
  )
}

function ScheduleForm({ request, close }: Props) {
  const t = useCatalogue(REQUEST_TEXTS)
  const refetch = useRefetch()
  const { time } = useFormat()
  const [local, setLocal] = useState(toLocalTime(request.schedule?.scheduledAt ?? ''))
  const isPast = local !== '' && new Date(local).getTime() <= Date.now()
  const save = useMutation({
    mutationFn: () => setChangeRequestState(request, { state: 'Scheduled', scheduledAt: toIsoTime(local) }),
    onSuccess: async () => {
      await refetch(['change-request', request.project], ['change-requests', request.project], ['events'])
      close()
      showSuccess(t.scheduleDone)
    },
  })
  return (
    <Form
      save={save}
      close={close}
      isReady={local !== '' && !isPast}
      draft={local}
      submit={() => save.mutate()}
      action={t.schedule}
    >
      <TextInput
        type="datetime-local"
        label={t.time}
        description={t.timeHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        min={toLocalTime(new Date().toISOString())}
        value={local}
        error={isPast && t.timeBad}
        required
        data-autofocus
        onChange={(event) => setLocal(event.currentTarget.value)}
      />
      {local !== '' && !isPast && (
        <Text size="sm" role="status">
          {t.scheduleNote(time(toIsoTime(local)))}
        </Text>
      )}
    </Form>
  )
}
