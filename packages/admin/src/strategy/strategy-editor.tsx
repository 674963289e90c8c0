import type { AdminStrategy } from '@burgee/protocol/admin'
import { Alert, Button, Drawer, Group, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlagPlace } from '../api/flags.ts'
import type { Tagged } from '../api/http.ts'
import * as api from '../api/strategies.ts'
import { usePageTexts } from '../text/page.ts'
import { useTexts } from '../text/texts.tsx'
import { EnvironmentBanner } from '../ui/environment-banner.tsx'
import { tellDone } from '../ui/feedback.tsx'
import { messageOf, ProblemNotice } from '../ui/problem.tsx'
import { useFocusBack } from '../ui/use-focus-back.ts'
import { CollisionNotice } from './collision-notice.tsx'
import { type Draft, draftOf, inputOf, isReady, newDraft } from './draft.ts'
import { sentenceOf } from './sentence.ts'
import styles from './strategy.module.css'
import { StrategyForm } from './strategy-form.tsx'
import { useSegmentName } from './use-segment-name.ts'
import { useStrategySave } from './use-strategy-save.ts'

interface Props {
  readonly place: FlagPlace
  /** What is edited; undefined for a new one. */
  readonly id: string | undefined
  readonly close: () => void
}

/** Adds or changes a strategy. When somebody else changed it meanwhile, the person is told before it is replaced. */
export function StrategyEditor({ place, id, close }: Props) {
  const t = useTexts()
  useFocusBack()
  const { newTitle, editTitle } = t.strategy
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="xl"
      lockScroll={false}
      title={(id === undefined ? newTitle : editTitle)(place.environment)}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      {id === undefined ? (
        <Editor place={place} opened={undefined} close={close} />
      ) : (
        <Loaded place={place} id={id} close={close} />
      )}
    </Drawer>
  )
}

/** The strategy as it is when the editor opens, with its state; not what the page got some time ago. */
function Loaded({ place, id, close }: Props & { id: string }) {
  const t = useTexts()
  const { data, error, refetch } = useQuery({
    queryKey: ['strategy', place, id],
    queryFn: () => api.strategy({ ...place, id }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data !== undefined) return <Editor place={place} opened={data} close={close} />
  if (error !== null) return <ProblemNotice error={error} retry={() => void refetch()} />
  return <Skeleton height={320} role="status" aria-label={t.common.loading} />
}

interface EditorProps extends Omit<Props, 'id'> {
  readonly opened: Tagged<AdminStrategy> | undefined
}

function Editor({ place, opened, close }: EditorProps) {
  const t = useTexts()
  const segmentName = useSegmentName()
  const [draft, setDraft] = useState<Draft>(() =>
    opened === undefined ? newDraft(place.feature) : draftOf(opened.value),
  )
  const { save, collision, take } = useStrategySave(place, opened, () => {
    close()
    tellDone(opened === undefined ? t.strategy.added : t.strategy.saved)
  })
  const mine = inputOf(draft)
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (isReady(draft)) save.mutate(mine)
  }
  return (
    <Stack component="form" onSubmit={submit}>
      <EnvironmentBanner name={place.environment} />
      <p className={styles.sentence}>{sentenceOf(t, mine as AdminStrategy, segmentName)}</p>
      <StrategyForm
        draft={draft}
        feature={place.feature}
        put={(change) => setDraft((now) => ({ ...now, ...change }))}
      />
      <div className={styles.foot}>
        {collision && <CollisionNotice collision={collision} mine={mine} />}
        {save.error !== null && (
          <Alert color="red" role="alert" mb="sm">
            {messageOf(save.error, t.errors.offline)}
          </Alert>
        )}
        <Answers
          isCollision={collision !== undefined}
          isSaving={save.isPending}
          isReady={isReady(draft)}
          close={close}
          take={() => {
            if (collision !== undefined) setDraft(draftOf(collision.theirs))
            take()
          }}
        />
      </div>
    </Stack>
  )
}

interface AnswersProps {
  readonly isCollision: boolean
  readonly isSaving: boolean
  readonly isReady: boolean
  readonly close: () => void
  readonly take: () => void
}

function Answers({ isCollision, isSaving, isReady: isGood, close, take }: AnswersProps) {
  const t = useTexts()
  const { collision: words } = usePageTexts()
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={close}>
        {t.common.cancel}
      </Button>
      {isCollision && (
        <Button variant="default" onClick={take}>
          {words.take}
        </Button>
      )}
      <Button type="submit" loading={isSaving} disabled={!isGood} {...(isCollision ? { color: 'red' } : {})}>
        {isCollision ? words.keep : t.common.save}
      </Button>
    </Group>
  )
}
