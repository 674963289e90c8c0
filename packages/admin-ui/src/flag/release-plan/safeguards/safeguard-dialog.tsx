import type { Safeguard } from '@burgee/protocol/administration/safeguard'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlagEnvironment } from '../../../api/flags.ts'
import { removeSafeguard, setSafeguard, toSafeguardInput } from '../../../api/release-plans.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { METRIC_TEXTS } from '../../../metrics/texts.ts'
import { useFormatValue } from '../../../metrics/use-format-value.ts'
import { useGuardedEditor } from '../../../proposals/use-guarded-editor.ts'
import { EnvironmentBanner } from '../../../shell/environment/environment-banner.tsx'
import { useStrategyUndo } from '../../../strategy/use-strategy-undo.ts'
import { useCatalogue } from '../../../text/texts.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { showSuccess } from '../../../ui/messages/feedback.ts'
import { describeCondition } from './describe-safeguard.ts'
import { isReady, NEW_SAFEGUARD, type SafeguardDraft, toBody, toSafeguardDraft } from './safeguard-draft.ts'
import { SafeguardFields } from './safeguard-fields.tsx'
import styles from './safeguards.module.css'
import { SAFEGUARD_TEXTS } from './texts.ts'

interface Props {
  readonly place: FlagEnvironment
  readonly planId: string
  /** Edited safeguard; undefined for a new one. */
  readonly safeguard: Safeguard | undefined
  readonly close: () => void
}

/** Panel that adds or edits a safeguard of a release plan. */
export function SafeguardDialog(props: Props) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const { place, safeguard, close } = props
  const title = safeguard === undefined ? t.newTitle : t.editTitle
  return (
    <SidePanel title={title(place.environment)} close={close}>
      <Editor {...props} />
    </SidePanel>
  )
}

function Editor({ place, planId, safeguard, close }: Props) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const metrics = useCatalogue(METRIC_TEXTS)
  const format = useFormatValue()
  const [draft, setDraft] = useState<SafeguardDraft>(() =>
    safeguard === undefined ? NEW_SAFEGUARD : toSafeguardDraft(safeguard),
  )
  const { save, guarded } = useSave({ place, planId, safeguard, close })
  const body = toBody(draft)
  const range = draft.source === 'internal' ? t.ranges[draft.timeRange] : ''
  return (
    <Form
      save={save}
      close={close}
      draft={body}
      isReady={isReady(draft)}
      submit={() => save.mutate(draft)}
      isLong
      {...(guarded.action === undefined ? {} : { action: guarded.action })}
    >
      <EnvironmentBanner name={place.environment} guarded={guarded.banner} />
      {isReady(draft) && (
        <p className={styles.sentence}>
          {t.sentence(describeCondition(body, { own: t, metrics, format }), range, t.actions[draft.action])}
        </p>
      )}
      <SafeguardFields
        environment={place.environment}
        draft={draft}
        put={(change) => setDraft((now) => ({ ...now, ...change }))}
      />
    </Form>
  )
}

function useSave({ place, planId, safeguard, close }: Props) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const refetch = useRefetch()
  const guarded = useGuardedEditor(place)
  const back = useStrategyUndo(place)
  const ref = { ...place, planId }
  const refresh = () => refetch(['release-plan', place.project, place.feature], ['events'])
  const save = useMutation({
    mutationFn: async (draft: SafeguardDraft): Promise<(() => Promise<unknown>) | undefined> => {
      const body = { ...toBody(draft), ...(safeguard === undefined ? {} : { id: safeguard.id }) }
      let undo: (() => Promise<unknown>) | undefined
      const directly = async () => {
        const { id } = await setSafeguard(ref, body)
        undo = () =>
          safeguard === undefined ? removeSafeguard(ref, id) : setSafeguard(ref, { ...toSafeguardInput(safeguard), id })
      }
      await guarded.save(directly, { action: 'changeSafeguard', payload: { planId, safeguard: body } })
      return undo
    },
    onSuccess: async (undo) => {
      await refresh()
      close()
      if (undo === undefined) return
      const run = async () => {
        await undo()
        await refresh()
      }
      showSuccess(t.saved, back(run))
    },
  })
  return { save, guarded }
}
