import { useMutation } from '@tanstack/react-query'
import { type FlagPlace, setEnabled } from '../api/flags.ts'
import { useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { tellDone, tellFailed } from '../ui/feedback.tsx'
import { useRenew } from '../ui/use-renew.ts'

/** A flag in an environment that can be switched. */
export interface Switchable extends FlagPlace {
  /** Type of the environment: production asks first. */
  readonly environmentType: string
}

/**
 * Switches flags. The wanted state shows at once; a refusal puts the old one back and says why; what is done can be
 * undone for some seconds. `run` resolves when it is over, also when the person changes their mind.
 */
export function useSwitch() {
  const t = useTexts()
  const ask = useConfirm()
  const renew = useRenew()
  const save = useMutation({
    mutationFn: ({ place, on }: { place: FlagPlace; on: boolean }) => setEnabled(place, on),
    onSettled: (_data, _error, { place }) =>
      renew(['flags', place.project], ['flag', place.project, place.feature], ['events']),
  })
  const change = async (place: FlagPlace, on: boolean, isUndo = false): Promise<void> => {
    const { feature, environment } = place
    try {
      await save.mutateAsync({ place, on })
      const message = on ? t.flags.switchedOn(feature, environment) : t.flags.switchedOff(feature, environment)
      tellDone(message, isUndo ? undefined : { label: t.common.undo, run: () => void change(place, !on, true) })
    } catch (error) {
      tellFailed(t, on ? t.flags.turnOn : t.flags.turnOff, error)
    }
  }
  const run = async ({ environmentType, ...place }: Switchable, on: boolean): Promise<void> => {
    if (environmentType === 'production' && !(await ask(questionOf(t, place, on)))) return
    await change(place, on)
  }
  return { run, pending: save.isPending ? save.variables : undefined }
}

function questionOf(t: ReturnType<typeof useTexts>, { feature, environment }: FlagPlace, on: boolean) {
  const { confirmOn, confirmOff, confirmOnText, confirmOffText, turnOn, turnOff } = t.flags
  return on
    ? { title: confirmOn(feature, environment), text: confirmOnText(environment), action: turnOn }
    : { title: confirmOff(feature, environment), text: confirmOffText(environment), action: turnOff, isDanger: true }
}
