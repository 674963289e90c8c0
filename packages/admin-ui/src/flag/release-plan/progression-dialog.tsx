import { MAX_INTERVAL_MINUTES, type ReleasePlan } from '@burgee/protocol/administration/release-plan'
import { Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlagEnvironment } from '../../api/flags.ts'
import { setProgression } from '../../api/release-plans.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import { useGuardedEditor } from '../../proposals/use-guarded-editor.ts'
import { useCatalogue } from '../../text/texts.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { DurationField } from '../../ui/form/duration-field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { showSuccess } from '../../ui/messages/feedback.ts'
import { findActiveIndex } from './plan-progress.ts'
import { PLAN_TEXTS } from './texts.ts'

const DAY_MINUTES = 1440

interface Props {
  readonly place: FlagEnvironment
  readonly plan: ReleasePlan
  readonly close: () => void
}

/** Dialog that sets when the milestone after the active one starts. */
export function ProgressionDialog(props: Props) {
  const t = useCatalogue(PLAN_TEXTS)
  const { plan, close } = props
  const next = plan.milestones[findActiveIndex(plan) + 1]
  return (
    <Dialog close={close} title={t.timeTitle(next?.name ?? '')} size="md">
      <Fields {...props} />
    </Dialog>
  )
}

function Fields({ place, plan, close }: Props) {
  const t = useCatalogue(PLAN_TEXTS)
  const active = plan.milestones[findActiveIndex(plan)]
  const [minutes, setMinutes] = useState<number | null>(active?.transitionCondition?.intervalMinutes ?? null)
  const { action, save } = useSave({ place, plan, close })
  return (
    <Form
      save={save}
      close={close}
      draft={minutes}
      isReady={minutes === null || minutes >= 1}
      submit={() => save.mutate(minutes)}
      {...(action === undefined ? {} : { action })}
    >
      <Checkbox
        label={t.isAutomatic}
        description={t.timeHint}
        checked={minutes !== null}
        onChange={(event) => setMinutes(event.currentTarget.checked ? DAY_MINUTES : null)}
      />
      {minutes !== null && (
        <DurationField
          label={t.timeAfter}
          unitLabel={t.unit}
          units={t.units}
          minutes={minutes}
          min={1}
          max={MAX_INTERVAL_MINUTES}
          put={setMinutes}
        />
      )}
    </Form>
  )
}

function useSave({ place, plan, close }: Props) {
  const t = useCatalogue(PLAN_TEXTS)
  const refetch = useRefetch()
  const guarded = useGuardedEditor(place)
  const index = findActiveIndex(plan)
  const source = plan.milestones[index]?.id ?? ''
  const target = plan.milestones[index + 1]?.id ?? ''
  const save = useMutation({
    mutationFn: (intervalMinutes: number | null): Promise<boolean> =>
      guarded.save(
        () => setProgression(place, { source, target, intervalMinutes }),
        intervalMinutes === null
          ? { action: 'deleteMilestoneProgression', payload: { sourceMilestone: source } }
          : {
              action: 'changeMilestoneProgression',
              payload: { sourceMilestone: source, targetMilestone: target, transitionCondition: { intervalMinutes } },
            },
      ),
    onSuccess: async (isApplied) => {
      await refetch(['release-plan', place.project, place.feature], ['events'])
      close()
      if (isApplied) showSuccess(t.timeSaved)
    },
  })
  return { save, action: guarded.action }
}
