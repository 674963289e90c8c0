import { getRolloutPercentage } from '@burgee/protocol/targeting/audience'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import { useRef, useState } from 'react'
import { findLastEvent } from '../api/events.ts'
import type { FlagEnvironment } from '../api/flags.ts'
import { ApiError, type WithEtag } from '../api/http.ts'
import * as api from '../api/strategies.ts'
import { findDifferences } from '../diff/diff.ts'
import { ConflictNotice } from '../edit-conflict/conflict-notice.tsx'
import { EditorLoader } from '../edit-conflict/editor-loader.tsx'
import { useConditionalSave } from '../edit-conflict/use-conditional-save.ts'
import { StrategyImpact } from '../impact/strategy-impact.tsx'
import { useGuardedEditor } from '../proposals/use-guarded-editor.ts'
import { StrategyGaps } from '../sdk-differences/strategy-gaps.tsx'
import { EnvironmentBanner } from '../shell/environment/environment-banner.tsx'
import { useTexts } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import styles from './strategy.module.css'
import { createDraft, isReady, type StrategyDraft, toStrategyDraft, toStrategyInput } from './strategy-draft.ts'
import { StrategyForm } from './strategy-form.tsx'
import { describeStrategy } from './strategy-sentence.ts'
import { STRATEGY_TEXTS } from './texts.ts'
import { useSegmentName } from './use-segment-name.ts'
import { useStrategyUndo } from './use-strategy-undo.ts'

interface Props {
  readonly place: FlagEnvironment
  /** Id of the edited strategy; undefined for a new strategy. */
  readonly id: string | undefined
  readonly close: () => void
}

/** Panel that creates or edits a strategy. Reports changes by other users before a save would overwrite them. */
export function StrategyEditor({ place, id, close }: Props) {
  const t = useTexts(STRATEGY_TEXTS)
  const { newTitle, editTitle } = t.strategy
  const title = (id === undefined ? newTitle : editTitle)(place.environment)
  return (
    <SidePanel title={title} close={close} isWide>
      <EditorLoader
        of={id === undefined ? undefined : ['strategy', place, id]}
        read={() => api.fetchStrategy({ ...place, id: id ?? '' })}
      >
        {(opened) => <Editor place={place} opened={opened} close={close} />}
      </EditorLoader>
    </SidePanel>
  )
}

interface EditorProps extends Omit<Props, 'id'> {
  readonly opened: WithEtag<AdminStrategy> | undefined
}

function Editor({ place, opened, close }: EditorProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  const [draft, setDraft] = useState<StrategyDraft>(() =>
    opened === undefined ? createDraft(place.feature) : toStrategyDraft(opened.value),
  )
  const guarded = useGuardedEditor(place)
  const { save, conflict, take } = useSave({ place, opened, close, guarded }, (theirs) =>
    setDraft(toStrategyDraft(theirs)),
  )
  const mine = toStrategyInput(draft)
  const textOf = (strategy: StrategyInput): string => {
    const sentence = describeStrategy(t, strategy as AdminStrategy, segmentName)
    return strategy.title ? `${strategy.title}: ${sentence}` : sentence
  }
  const versionOf = (body: StrategyInput) => ({ body, text: textOf(body) })
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="strategy"
        event={conflict.event}
        theirs={versionOf(toStrategyInput(toStrategyDraft(conflict.theirs)))}
        mine={versionOf(mine)}
      />
    ),
    take,
  }
  return (
    <Form
      save={save}
      close={close}
      conflict={over}
      isReady={isReady(draft)}
      draft={mine}
      submit={() => save.mutate(mine)}
      confirm={() => guarded.confirm('', { edit: { strategy: withId(mine, opened?.value.id) } })}
      note={<StrategyImpact place={place} id={opened?.value.id} strategy={mine} isReady={isReady(draft)} />}
      isLong
      {...(guarded.action === undefined ? {} : { action: guarded.action })}
    >
      <EnvironmentBanner name={place.environment} guarded={guarded.banner} />
      <p className={styles.sentence}>{describeStrategy(t, mine as AdminStrategy, segmentName)}</p>
      <StrategyGaps place={place} strategies={[mine]} withValues />
      <StrategyForm
        draft={draft}
        feature={place.feature}
        before={opened && (getRolloutPercentage(opened.value) ?? undefined)}
        put={(change) => setDraft((now) => ({ ...now, ...change }))}
      />
    </Form>
  )
}

const withId = (strategy: StrategyInput, id: string | undefined) => (id === undefined ? strategy : { ...strategy, id })

type SaveProps = EditorProps & { readonly guarded: ReturnType<typeof useGuardedEditor> }

function useSave({ place, opened, close, guarded }: SaveProps, begin: (theirs: AdminStrategy) => void) {
  const t = useTexts(STRATEGY_TEXTS)
  const back = useStrategyUndo(place)
  // Function that undoes the last save.
  const undo = useRef<() => Promise<unknown>>(undefined)
  const isProposed = useRef(false)
  const save = async (...change: Parameters<typeof guarded.save>): Promise<void> => {
    isProposed.current = !(await guarded.save(...change))
  }
  return useConditionalSave<AdminStrategy, StrategyInput>({
    opened,
    begin,
    create: (body) => {
      const directly = async () => {
        const { id } = await api.addStrategy(place, body)
        undo.current = () => api.removeStrategy({ ...place, id })
      }
      return save(directly, { action: 'addStrategy', payload: body })
    },
    replace: (before, body, ifMatch) => {
      const ref = { ...place, id: before.id }
      // The editor does not change the position in the list, which must be preserved.
      const payload = { ...body, sortOrder: before.sortOrder }
      const directly = async () => {
        await api.replaceStrategy(ref, payload, ifMatch)
        undo.current = () => restoreStrategy(ref, toStrategyInput(toStrategyDraft(before)), body)
      }
      return save(directly, {
        action: 'updateStrategy',
        payload: { ...payload, id: before.id, ...allowEmptyLists(payload, before) },
      })
    },
    read: ({ id }) => api.fetchStrategy({ ...place, id }),
    bodyOf: (strategy) => toStrategyInput(toStrategyDraft(strategy)),
    lastChange: ({ id }) =>
      findLastEvent({ type: 'feature-strategy-update', flag: place.feature }, (state) => state.id === id),
    changes: [['flag', place.project, place.feature]],
    done: () => {
      close()
      const run = undo.current
      const done = opened === undefined ? t.strategy.added : t.strategy.saved
      if (!isProposed.current) showSuccess(done, run && back(run))
    },
  })
}

/** Allows a proposal to remove all constraints or segments, because the user has already confirmed this. */
function allowEmptyLists(
  { constraints = [], segments = [] }: StrategyInput,
  before: AdminStrategy,
): { readonly allowEmpty?: true } {
  const isEmptied = constraints.length === 0 && before.constraints.length > 0
  return isEmptied || (segments.length === 0 && (before.segments ?? []).length > 0) ? { allowEmpty: true } : {}
}

/** Restores the previous strategy if the saved one is still current; otherwise rejects with ApiError 412. */
async function restoreStrategy(ref: api.StrategyRef, before: StrategyInput, saved: StrategyInput): Promise<void> {
  const { value, etag } = await api.fetchStrategy(ref)
  if (findDifferences(saved, toStrategyInput(toStrategyDraft(value))).length > 0)
    throw new ApiError(412, 'changed since')
  await api.replaceStrategy(ref, { ...before, sortOrder: value.sortOrder }, etag)
}
