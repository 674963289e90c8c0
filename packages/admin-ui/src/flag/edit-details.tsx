import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { Checkbox, Select, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { patchFlag } from '../api/flags.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useTypeMeaning } from '../flags/stale-badge.tsx'
import { useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { FLAG_TEXTS } from './texts.ts'

interface Props {
  readonly flag: AdminFeature
  readonly close: () => void
}

/** Dialog that edits the type, description and impression data of a flag. */
export function EditDetails({ flag, close }: Props) {
  const t = useTexts(FLAG_TEXTS)
  return (
    <Dialog close={close} title={t.flag.editDetails} size="md">
      <Fields flag={flag} close={close} />
    </Dialog>
  )
}

function Fields({ flag, close }: Props) {
  const t = useTexts()
  const [draft, setDraft] = useState(() => ({
    type: flag.type,
    description: flag.description ?? '',
    impressionData: flag.impressionData,
  }))
  const put = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change })
  const save = useSave(flag, close)
  const types = Object.entries(t.types).map(([value, label]) => ({ value, label }))
  const isKnown = types.some(({ value }) => value === draft.type)
  return (
    <Form save={save} draft={draft} close={close} submit={() => save.mutate(draft)}>
      <Select
        label={t.common.type}
        description={useTypeMeaning(draft.type)}
        data={isKnown ? types : [...types, { value: draft.type, label: draft.type }]}
        value={draft.type}
        onChange={(type) => put({ type: type ?? draft.type })}
      />
      <Textarea
        label={t.common.description}
        value={draft.description}
        maxLength={5000}
        autosize
        minRows={3}
        onChange={(event) => put({ description: event.currentTarget.value })}
      />
      <Checkbox
        label={t.flags.impression}
        description={t.flags.impressionHint}
        checked={draft.impressionData}
        onChange={(event) => put({ impressionData: event.currentTarget.checked })}
      />
    </Form>
  )
}

function useSave({ project, name: feature }: AdminFeature, close: () => void) {
  const t = useTexts()
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (values: Readonly<Record<string, unknown>>) => {
      const changes = Object.entries(values)
      return patchFlag(
        { project, feature },
        changes.map(([name, value]) => ({ op: 'replace' as const, path: `/${name}`, value })),
      )
    },
    onSuccess: async () => {
      await refetch(['flag', project, feature], ['flags', project], ['events'])
      close()
      showSuccess(t.common.saved)
    },
  })
}
