import type { AdminFeatureEnvironment, VariantInput } from '@burgee/protocol/admin'
import { Alert, Button, Drawer, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlagPlace } from '../api/flags.ts'
import { setVariants } from '../api/strategies.ts'
import { keyed } from '../strategy/draft.ts'
import { VariantList } from '../strategy/variant-list.tsx'
import { spread, weightProblem } from '../strategy/weights.ts'
import { useTexts } from '../text/texts.tsx'
import { tellDone } from '../ui/feedback.tsx'
import { messageOf } from '../ui/problem.tsx'

interface Props {
  readonly place: FlagPlace
  readonly variants: AdminFeatureEnvironment['variants']
  readonly close: () => void
}

/** Variants of an environment, for strategies that have none of their own. */
export function VariantsEditor({ place, variants, close }: Props) {
  const t = useTexts()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => (variants as VariantInput[]).map(keyed))
  const values = draft.map(({ value }) => value)
  const isReady = values.every(({ name }) => name.trim() !== '') && weightProblem(values) === undefined
  const save = useMutation({
    mutationFn: () => setVariants(place, spread(values)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['flag', place.project, place.feature] })
      close()
      tellDone(t.common.saved)
    },
  })
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (isReady) save.mutate()
  }
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      lockScroll={false}
      title={`${t.flag.variants}: ${place.environment}`}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Stack component="form" onSubmit={submit}>
        <VariantList variants={draft} put={(next) => setDraft([...next])} hint={t.flag.variantsHint} />
        {save.error !== null && (
          <Alert color="red" role="alert">
            {messageOf(save.error, t.errors.offline)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.common.cancel}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!isReady}>
            {t.common.save}
          </Button>
        </Group>
      </Stack>
    </Drawer>
  )
}
