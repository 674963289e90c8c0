import type { TagType, UpdateTagType } from '@burgee/protocol/tag-type'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createTagType, updateTagType } from '../api/tag-types.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { DescriptionField, NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { TAG_TYPE_TEXTS } from './texts.ts'

const MIN_NAME_LENGTH = 2

interface Props {
  /** Edited tag type; undefined for a new tag type. */
  readonly type: TagType | undefined
  readonly close: () => void
}

/** Dialog that creates or edits a tag type. */
export function TagTypeEditor({ type, close }: Props) {
  const t = useCatalogue(TAG_TYPE_TEXTS).tagTypes
  return (
    <Dialog opened close={close} title={type === undefined ? t.create : t.edit(type.name)}>
      <Fields type={type} close={close} />
    </Dialog>
  )
}

function Fields({ type, close }: Props) {
  const words = useCatalogue(TAG_TYPE_TEXTS).tagTypes
  const [name, setName] = useState(type?.name ?? '')
  const [draft, setDraft] = useState({ description: type?.description ?? '', icon: type?.icon ?? '' })
  const save = useSave(type, close)
  return (
    <Form
      save={save}
      draft={[name, draft]}
      submit={() => save.mutate({ name: name.trim(), body: draft })}
      isReady={name.trim().length >= MIN_NAME_LENGTH}
      close={close}
    >
      {type === undefined && <NameField hint={words.nameHint} value={name} maxLength={50} isFirst put={setName} />}
      <DescriptionField
        value={draft.description}
        maxLength={1000}
        isFirst={type !== undefined}
        put={(description) => setDraft({ ...draft, description })}
      />
      <TextInput
        label={words.icon}
        description={words.iconHint}
        value={draft.icon}
        maxLength={16}
        maw={320}
        onChange={(event) => setDraft({ ...draft, icon: event.currentTarget.value })}
      />
    </Form>
  )
}

function useSave(type: TagType | undefined, close: () => void) {
  const t = useCatalogue(TAG_TYPE_TEXTS).tagTypes
  const refetch = useRefetch()
  return useMutation({
    mutationFn: async ({ name, body }: { name: string; body: UpdateTagType }): Promise<void> => {
      if (type === undefined) await createTagType({ name, ...body })
      else await updateTagType(name, body)
    },
    onSuccess: async (_data, { name }) => {
      await refetch(['tag-types'])
      close()
      showSuccess(t.saved(name))
    },
  })
}
