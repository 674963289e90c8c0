import type { ContextFieldView, UpdateContextField } from '@burgee/protocol/context-field'
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createField, replaceField } from '../api/context-fields.ts'
import { useDomainTexts } from '../text/domain.ts'
import { useTexts } from '../text/texts.tsx'
import { tellDone } from '../ui/feedback.tsx'
import { Dialog, Form } from '../ui/form-dialog.tsx'
import { LegalValues } from './legal-values.tsx'

interface Props {
  /** What is edited; undefined for a new one. */
  readonly field: ContextFieldView | undefined
  readonly close: () => void
}

/** Adds or changes a context field. */
export function FieldEditor({ field, close }: Props) {
  const t = useDomainTexts().fields
  return (
    <Dialog opened close={close} title={field === undefined ? t.create : t.edit(field.name)}>
      <Fields field={field} close={close} />
    </Dialog>
  )
}

function Fields({ field, close }: Props) {
  const t = useTexts()
  const words = useDomainTexts().fields
  const [name, setName] = useState(field?.name ?? '')
  const [draft, setDraft] = useState({
    description: field?.description ?? '',
    stickiness: field?.stickiness ?? false,
    legalValues: field?.legalValues ?? [],
  })
  const save = useSave(field, close)
  return (
    <Form
      save={save}
      submit={() => save.mutate({ name: name.trim(), body: draft })}
      isReady={name.trim() !== ''}
      close={close}
    >
      {field === undefined && (
        <TextInput
          label={t.common.name}
          description={words.nameHint}
          value={name}
          maxLength={100}
          required
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <Textarea
        label={t.common.description}
        value={draft.description}
        maxLength={5000}
        autosize
        data-autofocus={field !== undefined || undefined}
        onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
      />
      <Checkbox
        label={words.sticky}
        description={words.stickyHint}
        checked={draft.stickiness}
        onChange={(event) => setDraft({ ...draft, stickiness: event.currentTarget.checked })}
      />
      <LegalValues
        values={draft.legalValues}
        put={(legalValues) => setDraft({ ...draft, legalValues: [...legalValues] })}
      />
    </Form>
  )
}

function useSave(field: ContextFieldView | undefined, close: () => void) {
  const t = useDomainTexts().fields
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ name, body }: { name: string; body: UpdateContextField }): Promise<void> => {
      if (field === undefined) await createField({ name, ...body })
      else await replaceField(name, body)
    },
    onSuccess: async (_data, { name }) => {
      await queries.invalidateQueries({ queryKey: ['context-fields'] })
      close()
      tellDone(t.saved(name))
    },
  })
}
