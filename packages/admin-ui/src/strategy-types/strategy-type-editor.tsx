import type {
  ParameterDefinition,
  StrategyTypeView,
  UpdateStrategyType,
} from '@burgee/protocol/targeting/strategy-type'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createStrategyType, replaceStrategyType } from '../api/strategy-types.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { DescriptionField, NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { type Keyed, withKey } from '../ui/form/keyed-list.ts'
import { showSuccess } from '../ui/messages/feedback.ts'
import { ParameterList } from './parameter-list.tsx'
import { STRATEGY_TYPE_TEXTS } from './texts.ts'

interface Props {
  /** Edited type; undefined for a new type. */
  readonly type: StrategyTypeView | undefined
  readonly close: () => void
}

/** Dialog that creates or edits a strategy type with its parameters. */
export function StrategyTypeEditor({ type, close }: Props) {
  const t = useCatalogue(STRATEGY_TYPE_TEXTS).strategyTypes
  return (
    <Dialog opened close={close} title={type === undefined ? t.create : t.edit(type.name)}>
      <Fields type={type} close={close} />
    </Dialog>
  )
}

interface Draft {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: readonly Keyed<ParameterDefinition>[]
}

function toInput({ title, description, parameters }: Draft): UpdateStrategyType {
  return {
    title: title.trim() === '' ? null : title.trim(),
    description,
    parameters: parameters.map(({ value }) => ({ ...value, name: value.name.trim() })),
  }
}

function Fields({ type, close }: Props) {
  const t = useTexts()
  const words = useCatalogue(STRATEGY_TYPE_TEXTS).strategyTypes
  const [draft, setDraft] = useState<Draft>(() => ({
    name: type?.name ?? '',
    title: type?.title ?? '',
    description: type?.description ?? '',
    parameters: (type?.parameters ?? []).map(withKey),
  }))
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change })
  const save = useSave(type, close)
  const names = draft.parameters.map(({ value }) => value.name.trim())
  const isTwice = new Set(names).size < names.length
  return (
    <Form
      save={save}
      draft={[draft.name, toInput(draft)]}
      submit={() => save.mutate({ name: draft.name.trim(), body: toInput(draft) })}
      isReady={draft.name.trim() !== '' && !names.includes('') && !isTwice}
      close={close}
      isLong
    >
      {type === undefined && (
        <NameField hint={words.nameHint} value={draft.name} maxLength={100} isFirst put={(name) => put({ name })} />
      )}
      <TextInput
        label={`${words.displayTitle} (${t.common.optional})`}
        description={words.titleHint}
        value={draft.title}
        maxLength={200}
        data-autofocus={type !== undefined || undefined}
        onChange={(event) => put({ title: event.currentTarget.value })}
      />
      <DescriptionField value={draft.description} maxLength={5000} put={(description) => put({ description })} />
      <ParameterList parameters={draft.parameters} isTwice={isTwice} put={(parameters) => put({ parameters })} />
    </Form>
  )
}

function useSave(type: StrategyTypeView | undefined, close: () => void) {
  const t = useCatalogue(STRATEGY_TYPE_TEXTS).strategyTypes
  const refetch = useRefetch()
  return useMutation({
    mutationFn: async ({ name, body }: { name: string; body: UpdateStrategyType }): Promise<void> => {
      if (type === undefined) await createStrategyType({ name, ...body })
      else await replaceStrategyType(name, body)
    },
    onSuccess: async (_data, { name }) => {
      await refetch(['strategy-types'])
      close()
      showSuccess(t.saved(name))
    },
  })
}
