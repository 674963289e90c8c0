import { Button, Checkbox, Group, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createFlag } from '../api/flags.ts'
import { useTexts } from '../text/texts.tsx'
import { tellDone } from '../ui/feedback.tsx'
import { messageOf } from '../ui/problem.tsx'
import { useFocusBack } from '../ui/use-focus-back.ts'
import { useRenew } from '../ui/use-renew.ts'

const EMPTY = { name: '', type: 'release', description: '', impressionData: false }

interface Props {
  readonly project: string
  readonly close: () => void
}

/** The form for a new flag; leads to its page. */
export function CreateFlag({ project, close }: Props) {
  const t = useTexts()
  useFocusBack()
  return (
    <Modal opened onClose={close} title={t.flags.createTitle} closeButtonProps={{ 'aria-label': t.common.close }}>
      <Form project={project} close={close} />
    </Modal>
  )
}

function Form({ project, close }: Props) {
  const t = useTexts()
  const renew = useRenew()
  const navigate = useNavigate()
  const [flag, setFlag] = useState(EMPTY)
  const put = (change: Partial<typeof EMPTY>): void => setFlag({ ...flag, ...change })
  const name = flag.name.trim()
  const isGood = name !== '' && encodeURIComponent(name) === name
  const save = useMutation({
    mutationFn: () => createFlag(project, { ...flag, name }),
    onSuccess: async ({ name: feature }) => {
      await renew(['flags', project])
      await navigate({ to: '/projects/$project/features/$feature', params: { project, feature }, replace: true })
      tellDone(t.flags.created(feature))
    },
  })
  const refusal = save.error === null ? undefined : messageOf(save.error, t.errors.offline)
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (isGood) save.mutate()
  }
  return (
    <Stack component="form" onSubmit={submit}>
      <TextInput
        label={t.common.name}
        description={t.flags.nameHint}
        value={flag.name}
        error={refusal ?? (name !== '' && !isGood && t.flags.nameBad)}
        maxLength={100}
        required
        data-autofocus
        onChange={(event) => {
          save.reset()
          put({ name: event.currentTarget.value })
        }}
      />
      <Select
        label={t.common.type}
        data={Object.entries(t.types).map(([value, label]) => ({ value, label }))}
        value={flag.type}
        onChange={(type) => put({ type: type ?? 'release' })}
      />
      <More flag={flag} put={put} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {t.common.cancel}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t.flags.create}
        </Button>
      </Group>
    </Stack>
  )
}

type Flag = typeof EMPTY

/** What may be left as it is. */
function More({ flag, put }: { flag: Flag; put: (change: Partial<Flag>) => void }) {
  const t = useTexts()
  return (
    <>
      <Textarea
        label={t.common.description}
        placeholder={t.flags.descriptionHint}
        value={flag.description}
        maxLength={5000}
        autosize
        minRows={2}
        onChange={(event) => put({ description: event.currentTarget.value })}
      />
      <Checkbox
        label={t.flags.impression}
        description={t.flags.impressionHint}
        checked={flag.impressionData}
        onChange={(event) => put({ impressionData: event.currentTarget.checked })}
      />
    </>
  )
}
