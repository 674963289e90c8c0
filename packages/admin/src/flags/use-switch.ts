import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { type FlagPlace, setEnabled } from '../api/flags.ts'
import { disabledStrategies, setDisabled } from '../api/strategies.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useGuardCheck } from '../proposals/guard.ts'
import { proposedSwitch, useProposal } from '../proposals/use-proposal.ts'
import { isLive } from '../shell/environment/production.ts'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { tellDone, tellFailed } from '../ui/messages/feedback.ts'

/** A flag in an environment that can be switched. */
export interface Switchable extends FlagPlace {
  /** Type of the environment: production asks first. */
  readonly environmentType: string
  /** It has strategies there, all of them disabled: turning it on asks first, and enables them. */
  readonly hasOnlyDisabled?: boolean
}

/**
 * Switches flags. The wanted state shows at once; a refusal puts the old one back and says why; what is done can be
 * undone for some seconds. `run` resolves when it is over, also when the person changes their mind.
 */
export function useSwitch() {
  const t = useTexts()
  const ask = useConfirm()
  const refetch = useRefetch()
  const liveAmong = useLiveCheck()
  const save = useMutation({
    mutationFn: perform,
    onSettled: async (_data, error, { place }) => {
      const renewed = refetch(['flags', place.project], ['flag', place.project, place.feature], ['events'])
      // the new state shows until the server has told it; after a refusal the old one is back at once
      if (error === null) await renewed
    },
  })
  const isGuarded = useGuardCheck()
  const propose = useProposal()
  const isBusy = useRef(false)
  const change = async (switching: Switching, isUndo = false): Promise<void> => {
    const { place, on } = switching
    const { feature, environment } = place
    try {
      const disable = await save.mutateAsync(switching)
      const message = on ? t.flags.switchedOn(feature, environment) : t.flags.switchedOff(feature, environment)
      const back = () => void change({ place, on: !on, disable }, true)
      tellDone(message, isUndo ? undefined : { label: t.common.undo, run: back })
    } catch (error) {
      tellFailed(t, on ? t.flags.turnOn : t.flags.turnOff, error)
    }
  }
  const run = async (switchable: Switchable, on: boolean): Promise<void> => {
    const { environmentType, hasOnlyDisabled = false, ...place } = switchable
    // the page hears late that a change is on its way; a second click comes earlier
    if (isBusy.current) return
    isBusy.current = true
    try {
      const activate = on && hasOnlyDisabled
      if (await isGuarded(place)) {
        await propose(place, [proposedSwitch(place.feature, on, activate)])
        return
      }
      const live = isLive({ type: environmentType }) || (await liveAmong([place.environment])).length > 0
      if ((live || activate) && !(await ask(questionOf(t, switchable, { on, live })))) return
      await change({ place, on, activate })
    } catch (error) {
      tellFailed(t, on ? t.flags.turnOn : t.flags.turnOff, error)
    } finally {
      isBusy.current = false
    }
  }
  return { run, pending: save.isPending ? save.variables : undefined }
}

interface Switching {
  readonly place: FlagPlace
  readonly on: boolean
  readonly activate?: boolean
  /** Strategies that are disabled again with it: those that turning on has enabled. */
  readonly disable?: readonly string[]
}

/** Turns on or off; resolves to the strategies that it has enabled. */
async function perform({ place, on, activate = false, disable = [] }: Switching): Promise<string[]> {
  const enabled = activate ? await disabledStrategies(place) : []
  await setEnabled(place, on, activate)
  for (const id of disable) await setDisabled({ ...place, id }, true)
  return enabled
}

function questionOf(
  t: ReturnType<typeof useTexts>,
  { feature, environment, hasOnlyDisabled = false }: Switchable,
  { on, live }: { readonly on: boolean; readonly live: boolean },
) {
  const { confirmOn, confirmOff, confirmOnText, confirmOffText, turnOn, turnOff, enablesDisabled } = t.flags
  const texts = [...(hasOnlyDisabled ? [enablesDisabled] : []), ...(live ? [confirmOnText(environment)] : [])]
  return on
    ? { title: confirmOn(feature, environment), text: texts.join(' '), action: turnOn }
    : { title: confirmOff(feature, environment), text: confirmOffText(environment), action: turnOff, isDanger: true }
}
