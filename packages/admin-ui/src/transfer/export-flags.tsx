import type { FeatureDocument } from '@burgee/protocol/administration/feature-transfer'
import { Checkbox, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { getFileName, saveAsFile } from './flag-document.ts'
import { TRANSFER_TEXTS } from './texts.ts'
import { exportFlags } from './transfer-calls.ts'
import { useEnvironmentChoice } from './use-environment-choice.ts'

interface Props {
  readonly project: string
  /**
   * Names of the flags to export. If undefined, the user chooses between all flags and all flags that have a certain
   * tag.
   */
  readonly flags: readonly string[] | undefined
  readonly close?: () => void
}

/** Dialog that exports the flags selected in the list. */
export function ExportDialog({ project, flags = [], close }: Props & { readonly close: () => void }) {
  const t = useCatalogue(TRANSFER_TEXTS)
  return (
    <Dialog title={t.exportTitle(flags.length)} close={close} size="md">
      <ExportForm project={project} flags={flags} close={close} />
    </Dialog>
  )
}

/** Form that exports flags to a file, with their state in one environment. */
export function ExportForm({ project, flags, close }: Props) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const { number } = useFormat()
  const { names, environment, choose, isPossible, taken } = useEnvironmentChoice(project)
  const [which, setWhich] = useState<'all' | 'tag'>('all')
  const [tag, setTag] = useState('')
  const [isForUnleash, setIsForUnleash] = useState(false)
  const save = useMutation({
    mutationFn: async () => {
      const from = { environment: await taken(), project, ...(!isForUnleash && { segmentDefinitions: true }) }
      const some = flags !== undefined ? { features: [...flags] } : which === 'tag' ? { tag: tag.trim() } : {}
      return { document: await exportFlags({ ...from, ...some }), name: getFileName(project, from.environment) }
    },
    onSuccess: ({ document, name }: { document: FeatureDocument; name: string }) => {
      const count = document.features.length
      if (count > 0) saveAsFile(document, name)
      showSuccess(count === 0 ? t.exportedNone : t.exported(count, number(count)))
      close?.()
    },
  })
  const isReady = isPossible && (flags !== undefined || which === 'all' || tag.trim() !== '')
  return (
    <Form
      save={save}
      isReady={isReady}
      action={t.export}
      {...(close && { close })}
      draft={undefined}
      submit={() => save.mutate()}
    >
      <Select
        label={t.exportEnvironment}
        description={t.exportEnvironmentHint}
        data={[...names]}
        value={environment}
        allowDeselect={false}
        maw={420}
        onChange={(value) => choose(value ?? '')}
      />
      <Checkbox
        label={t.forUnleash}
        description={t.forUnleashHint}
        checked={isForUnleash}
        onChange={(event) => setIsForUnleash(event.currentTarget.checked)}
      />
      {flags === undefined && <FlagChoice which={which} setWhich={setWhich} tag={tag} setTag={setTag} />}
    </Form>
  )
}

interface FlagChoiceProps {
  readonly which: 'all' | 'tag'
  readonly setWhich: (which: 'all' | 'tag') => void
  readonly tag: string
  readonly setTag: (tag: string) => void
}

/** Choice between all flags in the project and all flags that have a certain tag. */
function FlagChoice({ which, setWhich, tag, setTag }: FlagChoiceProps) {
  const t = useCatalogue(TRANSFER_TEXTS)
  return (
    <>
      <Radio.Group label={t.which} value={which} onChange={(value) => setWhich(value === 'tag' ? 'tag' : 'all')}>
        <Stack gap="xs" mt={4}>
          <Radio value="all" label={t.whichAll} />
          <Radio value="tag" label={t.whichTag} />
        </Stack>
      </Radio.Group>
      {which === 'tag' && (
        <TextInput
          label={t.tag}
          placeholder="team:payments"
          value={tag}
          maxLength={200}
          required
          maw={420}
          onChange={(event) => setTag(event.currentTarget.value)}
        />
      )}
    </>
  )
}
