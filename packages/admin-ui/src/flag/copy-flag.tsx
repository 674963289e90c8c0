import { Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { cloneFlag, type FlagRef } from '../api/flags.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { FLAG_TEXTS } from './texts.ts'

/** Dialog that copies a flag and opens the page of the copy. */
export function CopyFlag({ project, feature, close }: FlagRef & { close: () => void }) {
  const t = useTexts()
  const words = useCatalogue(FLAG_TEXTS)
  const refetch = useRefetch()
  const navigate = useNavigate()
  const [name, setName] = useState(`${feature}-copy`)
  const save = useMutation({
    mutationFn: () => cloneFlag({ project, feature }, { name: name.trim(), replaceGroupId: true }),
    onSuccess: async (copy) => {
      close()
      await refetch(['flags', project])
      await navigate({ to: '/projects/$project/features/$feature', params: { project, feature: copy.name } })
      showSuccess(words.copied(copy.name))
    },
  })
  return (
    <Dialog close={close} title={words.cloneTitle(feature)} size="md">
      <Form
        save={save}
        close={close}
        draft={name}
        isReady={name.trim() !== ''}
        submit={() => save.mutate()}
        action={t.flags.create}
      >
        <Text size="sm">{words.cloneText}</Text>
        <TextInput
          label={words.cloneName}
          description={t.flags.nameHint}
          value={name}
          maxLength={100}
          required
          data-autofocus
          onChange={(event) => {
            save.reset()
            setName(event.currentTarget.value)
          }}
        />
      </Form>
    </Dialog>
  )
}
