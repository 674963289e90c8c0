import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { CompleteFeature } from '@burgee/protocol/administration/feature-stage'
import { Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { completeFlag } from '../api/flags.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { LIFECYCLE_TEXTS } from './texts.ts'

const DROP_OUTCOME = 'drop'
const KEEP_OUTCOME = 'keep'
const VARIANT_PREFIX = 'variant '

/** Dialog that completes a flag and records which result stays in the code. */
export function CompleteFlag({ flag, close }: { flag: AdminFeature; close: () => void }) {
  const t = useCatalogue(LIFECYCLE_TEXTS)
  const { project, name: feature } = flag
  const refetch = useRefetch()
  const [outcome, setOutcome] = useState(KEEP_OUTCOME)
  const save = useMutation({
    mutationFn: () => completeFlag({ project, feature }, toBody(outcome)),
    onSuccess: async () => {
      await refetch(['flag', project, feature], ['flags', project], ['events'])
      close()
      showSuccess(t.completed(feature))
    },
  })
  return (
    <Dialog title={t.title(feature)} close={close} size="md">
      <Form save={save} close={close} action={t.complete} draft={undefined} submit={() => save.mutate()}>
        <Text>{t.text}</Text>
        <Radio.Group label={t.outcome} value={outcome} onChange={setOutcome}>
          <Stack gap="xs" mt={4}>
            <Radio value={KEEP_OUTCOME} label={t.keep} description={t.keepText} />
            {listVariantNames(flag).map((variant) => (
              <Radio key={variant} value={`${VARIANT_PREFIX}${variant}`} label={t.keepVariant(variant)} />
            ))}
            <Radio value={DROP_OUTCOME} label={t.drop} description={t.dropText} />
          </Stack>
        </Radio.Group>
      </Form>
    </Dialog>
  )
}

function toBody(outcome: string): CompleteFeature {
  if (outcome === DROP_OUTCOME) return { status: 'discarded' }
  return outcome === KEEP_OUTCOME
    ? { status: 'kept' }
    : { status: 'kept', statusValue: outcome.slice(VARIANT_PREFIX.length) }
}

/** Returns the sorted names of all variants of a flag. */
function listVariantNames({ environments }: AdminFeature): string[] {
  const names = environments.flatMap(({ variants, strategies }) =>
    [...variants, ...strategies.flatMap((strategy) => strategy.variants ?? [])].map(({ name }) => name),
  )
  return [...new Set(names)].sort()
}
