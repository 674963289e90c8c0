import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import { useState } from 'react'
import { lastEvent } from '../api/events.ts'
import type { FlagPlace } from '../api/flags.ts'
import type { Tagged } from '../api/http.ts'
import * as api from '../api/strategies.ts'
import { ConflictNotice } from '../edit-conflict/conflict-notice.tsx'
import { Opened } from '../edit-conflict/opened.tsx'
import { useConditionalSave } from '../edit-conflict/use-conditional-save.ts'
import { EnvironmentBanner } from '../shell/environment/environment-banner.tsx'
import { useTexts } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { Form } from '../ui/form/form.tsx'
import { tellDone } from '../ui/messages/feedback.ts'
import styles from './strategy.module.css'
import { type Draft, draftOf, inputOf, isReady, newDraft } from './strategy-draft.ts'
import { StrategyForm } from './strategy-form.tsx'
import { sentenceOf } from './strategy-sentence.ts'
import { STRATEGY_TEXTS } from './texts.ts'
import { useSegmentName } from './use-segment-name.ts'

interface Props {
  readonly place: FlagPlace
  /** What is edited; undefined for a new one. */
  readonly id: string | undefined
  readonly close: () => void
}

/** Adds or changes a strategy. When somebody else changed it meanwhile, the person is told before it is replaced. */
export function StrategyEditor({ place, id, close }: Props) {
  const t = useTexts(STRATEGY_TEXTS)
  const { newTitle, editTitle } = t.strategy
  const title = (id === undefined ? newTitle : editTitle)(place.environment)
  return (
    <SidePanel title={title} close={close} isWide>
      <Opened
        of={id === undefined ? undefined : ['strategy', place, id]}
        read={() => api.strategy({ ...place, id: id ?? '' })}
      >
        {(opened) => <Editor place={place} opened={opened} close={close} />}
      </Opened>
    </SidePanel>
  )
}

interface EditorProps extends Omit<Props, 'id'> {
  readonly opened: Tagged<AdminStrategy> | undefined
}

function Editor({ place, opened, close }: EditorProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  const [draft, setDraft] = useState<Draft>(() =>
    opened === undefined ? newDraft(place.feature) : draftOf(opened.value),
  )
  const { save, conflict, take } = useSave({ place, opened, close }, (theirs) => setDraft(draftOf(theirs)))
  const mine = inputOf(draft)
  const textOf = (strategy: StrategyInput): string => {
    const sentence = sentenceOf(t, strategy as AdminStrategy, segmentName)
    return strategy.title ? `${strategy.title}: ${sentence}` : sentence
  }
  const versionOf = (body: StrategyInput) => ({ body, text: textOf(body) })
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="strategy"
        event={conflict.event}
        theirs={versionOf(inputOf(draftOf(conflict.theirs)))}
        mine={versionOf(mine)}
      />
    ),
    take,
  }
  return (
    <Form
      {...{ save, close, conflict: over, isReady: isReady(draft) }}
      draft={mine}
      submit={() => save.mutate(mine)}
      isLong
    >
      <EnvironmentBanner name={place.environment} />
      <p className={styles.sentence}>{sentenceOf(t, mine as AdminStrategy, segmentName)}</p>
      <StrategyForm
        draft={draft}
        feature={place.feature}
        put={(change) => setDraft((now) => ({ ...now, ...change }))}
      />
    </Form>
  )
}

function useSave({ place, opened, close }: EditorProps, begin: (theirs: AdminStrategy) => void) {
  const t = useTexts(STRATEGY_TEXTS)
  return useConditionalSave<AdminStrategy, StrategyInput>({
    opened,
    begin,
    create: (body) => api.addStrategy(place, body),
    // another place in the list is no other strategy, and stays
    replace: ({ id, sortOrder }, body, ifMatch) =>
      api.replaceStrategy({ ...place, id }, { ...body, sortOrder }, ifMatch),
    read: ({ id }) => api.strategy({ ...place, id }),
    bodyOf: (strategy) => inputOf(draftOf(strategy)),
    lastChange: ({ id }) =>
      lastEvent({ type: 'feature-strategy-update', flag: place.feature }, (state) => state.id === id),
    changes: [['flag', place.project, place.feature]],
    done: () => {
      close()
      tellDone(opened === undefined ? t.strategy.added : t.strategy.saved)
    },
  })
}
