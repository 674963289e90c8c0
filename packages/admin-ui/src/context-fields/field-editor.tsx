import type { ContextFieldView, CreateContextField } from '@burgee/protocol/targeting/context-field'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import * as api from '../api/context-fields.ts'
import { findLastEvent } from '../api/events.ts'
import type { WithEtag } from '../api/http.ts'
import { ConflictNotice } from '../edit-conflict/conflict-notice.tsx'
import { EditorLoader } from '../edit-conflict/editor-loader.tsx'
import { useConditionalSave } from '../edit-conflict/use-conditional-save.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { DescriptionField, NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { LegalValues } from './legal-values.tsx'
import { CONTEXT_FIELD_TEXTS } from './texts.ts'

interface Props {
  /** Name of the edited field; undefined for a new field. */
  readonly name: string | undefined
  readonly close: () => void
}

/** Dialog that creates or edits a context field and reports concurrent changes. */
export function FieldEditor({ name, close }: Props) {
  const t = useCatalogue(CONTEXT_FIELD_TEXTS).fields
  return (
    <Dialog opened close={close} title={name === undefined ? t.create : t.edit(name)}>
      <EditorLoader
        of={name === undefined ? undefined : ['context-field', name]}
        read={() => api.fetchContextField(name ?? '')}
      >
        {(opened) => <Fields opened={opened} close={close} />}
      </EditorLoader>
    </Dialog>
  )
}

interface FieldsProps {
  readonly opened: WithEtag<ContextFieldView> | undefined
  readonly close: () => void
}

function Fields({ opened, close }: FieldsProps) {
  const words = useCatalogue(CONTEXT_FIELD_TEXTS).fields
  const [draft, setDraft] = useState(() => toDraft(opened?.value))
  const put = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change })
  const { save, conflict, take } = useSave(opened, close, (theirs) => setDraft(toDraft(theirs)))
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="field"
        event={conflict.event}
        theirs={{ body: toDraft(conflict.theirs) }}
        mine={{ body: draft }}
      />
    ),
    take,
  }
  const name = draft.name.trim()
  const isReady = name !== ''
  return (
    <Form
      save={save}
      draft={draft}
      isReady={isReady}
      close={close}
      submit={() => save.mutate({ ...draft, name })}
      conflict={over}
      isLong={draft.legalValues.length > 0}
    >
      {opened === undefined && (
        <NameField hint={words.nameHint} value={draft.name} maxLength={100} isFirst put={(name) => put({ name })} />
      )}
      <DescriptionField
        value={draft.description}
        maxLength={5000}
        isFirst={opened !== undefined}
        put={(description) => put({ description })}
      />
      <Checkbox
        label={words.sticky}
        description={words.stickyHint}
        checked={draft.stickiness}
        onChange={(event) => put({ stickiness: event.currentTarget.checked })}
      />
      <LegalValues values={draft.legalValues} put={(legalValues) => put({ legalValues: [...legalValues] })} />
    </Form>
  )
}

const toDraft = (field: ContextFieldView | undefined) =>
  ({
    name: field?.name ?? '',
    description: field?.description ?? '',
    stickiness: field?.stickiness ?? false,
    legalValues: field?.legalValues ?? [],
  }) satisfies CreateContextField

function useSave(
  opened: WithEtag<ContextFieldView> | undefined,
  close: () => void,
  begin: (theirs: ContextFieldView) => void,
) {
  const t = useCatalogue(CONTEXT_FIELD_TEXTS).fields
  return useConditionalSave<ContextFieldView, ReturnType<typeof toDraft>>({
    opened,
    begin,
    create: api.createField,
    replace: ({ name }, { name: _name, ...body }, ifMatch) => api.replaceField(name, body, ifMatch),
    read: ({ name }) => api.fetchContextField(name),
    bodyOf: toDraft,
    lastChange: (field) => findLastEvent({ type: 'context-field-updated' }, ({ name }) => name === field.name),
    changes: [['context-fields']],
    done: ({ name }) => {
      close()
      showSuccess(t.saved(name))
    },
  })
}
