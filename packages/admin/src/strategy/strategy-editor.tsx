import type { AdminStrategy, StrategyInput } from '@burgee/protocol/admin'
import { Alert, Button, Drawer, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlagPlace } from '../api/flags.ts'
import * as api from '../api/strategies.ts'
import { useTexts } from '../text/texts.tsx'
import { tellDone } from '../ui/feedback.tsx'
import { messageOf } from '../ui/problem.tsx'
import { type Draft, draftOf, inputOf, isReady, newDraft } from './draft.ts'
import { sentenceOf } from './sentence.ts'
import styles from './strategy.module.css'
import { StrategyForm } from './strategy-form.tsx'
import { useSegmentName } from './use-segment-name.ts'

interface Props {
  readonly place: FlagPlace
  /** What is edited; undefined for a new one. */
  readonly strategy: AdminStrategy | undefined
  readonly close: () => void
}

/** Adds or changes a strategy. When somebody else changed it meanwhile, the person is told before it is replaced. */
export function StrategyEditor({ place, strategy, close }: Props) {
  const t = useTexts()
  const { newTitle, editTitle } = t.strategy
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="xl"
      lockScroll={false}
      title={(strategy === undefined ? newTitle : editTitle)(place.environment)}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Editor place={place} strategy={strategy} close={close} />
    </Drawer>
  )
}

function Editor({ place, strategy, close }: Props) {
  const t = useTexts()
  const segmentName = useSegmentName()
  const [draft, setDraft] = useState<Draft>(() =>
    strategy === undefined ? newDraft(place.feature) : draftOf(strategy),
  )
  const { save, theirs, take } = useSave({ place, strategy, close }, setDraft)
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (isReady(draft)) save.mutate(inputOf(draft))
  }
  return (
    <Stack component="form" onSubmit={submit}>
      <p className={styles.sentence}>{sentenceOf(t, inputOf(draft) as AdminStrategy, segmentName)}</p>
      <StrategyForm
        draft={draft}
        feature={place.feature}
        put={(change) => setDraft((now) => ({ ...now, ...change }))}
      />
      <div className={styles.foot}>
        {theirs !== undefined && (
          <Alert color="yellow" role="alert" title={t.strategy.changedMeanwhile} mb="sm">
            {t.strategy.changedMeanwhileText} {sentenceOf(t, theirs, segmentName)}
          </Alert>
        )}
        {save.error !== null && (
          <Alert color="red" role="alert" mb="sm">
            {messageOf(save.error, t.errors.offline)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={theirs === undefined ? close : take}>
            {theirs === undefined ? t.common.cancel : t.strategy.takeTheirs}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!isReady(draft)}>
            {theirs === undefined ? t.common.save : t.strategy.saveAnyway}
          </Button>
        </Group>
      </div>
    </Stack>
  )
}

function useSave({ place, strategy, close }: Props, setDraft: (draft: Draft) => void) {
  const t = useTexts()
  const queries = useQueryClient()
  const [base, setBase] = useState(strategy)
  const [theirs, setTheirs] = useState<AdminStrategy>()
  const save = useMutation({
    mutationFn: async (body: StrategyInput): Promise<AdminStrategy | undefined> => {
      if (base === undefined) return void (await api.addStrategy(place, body))
      const ref = { ...place, id: base.id }
      const now = await api.strategy(ref)
      if (JSON.stringify(now) !== JSON.stringify(base)) return now
      await api.replaceStrategy(ref, { ...body, sortOrder: now.sortOrder })
      return undefined
    },
    onSuccess: async (changed) => {
      await queries.invalidateQueries({ queryKey: ['flag', place.project, place.feature] })
      if (changed !== undefined) {
        setBase(changed)
        setTheirs(changed)
        return
      }
      void queries.invalidateQueries({ queryKey: ['events'] })
      close()
      tellDone(base === undefined ? t.strategy.added : t.strategy.saved)
    },
  })
  const take = (): void => {
    if (theirs !== undefined) setDraft(draftOf(theirs))
    setTheirs(undefined)
  }
  return { save, theirs, take }
}
