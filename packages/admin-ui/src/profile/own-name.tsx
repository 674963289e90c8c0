import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { updateMyProfile } from '../api/me.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { getDisplayName } from '../api/users.ts'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { PROFILE_TEXTS } from './texts.ts'

interface Props {
  readonly opened: boolean
  readonly name: string
  readonly close: () => void
}

/** Dialog in which users change their own name. */
export function NameDialog({ opened, ...props }: Props) {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  return (
    <Dialog title={own.rename} opened={opened} close={props.close} size="md">
      <NameForm {...props} />
    </Dialog>
  )
}

function NameForm({ name, close }: Omit<Props, 'opened'>) {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const { person } = useCatalogue(PEOPLE_TEXTS)
  const refetch = useRefetch()
  const [draft, setDraft] = useState(name)
  const save = useMutation({
    mutationFn: () => updateMyProfile({ name: draft.trim() }),
    onSuccess: async (me) => {
      await refetch(['me'], ['users'], ['members'], ['events'])
      close()
      showSuccess(own.renamed(getDisplayName(me)))
    },
  })
  return (
    <Form save={save} draft={draft} close={close} submit={() => save.mutate()}>
      <TextInput
        label={person.fullName}
        description={own.renameHint}
        value={draft}
        maxLength={200}
        data-autofocus
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
    </Form>
  )
}
