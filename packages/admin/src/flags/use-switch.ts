import { useRef, useState } from 'react'
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

/** Flag in an environment that can be switched. */
export interface Switchable extends FlagPlace {
  /** Type of the environment. Production asks for confirmation. */
  readonly environmentType: string
  /** True if the flag has only disabled strategies there. Turning it on enables them after confirmation. */
  readonly hasOnlyDisabled?: boolean
}

/** Switches flags on and off. */
export interface Switches {
  /** Resolves when the change is complete or the user has cancelled it. */
  readonly run: (place: Switchable, on: boolean) => Promise<void>
  /** State being saved; undefined if nothing is. */
  readonly wantedIn: (place: FlagPlace) => boolean | undefined
}

/**
 * Returns functions that switch flags. The new state appears immediately. A rejection restores the old state with a
 * message. Changes can be undone for some seconds.
 */
export function useSwitch(): Switches {
  const t = useTexts()
  const ask = useConfirm()
  const refetch = useRefetch()
  const liveAmong = useLiveCheck()
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map())
  const save = async (switching: Switching): Promise<string[]> => {
    const { place, on } = switching
    const renew = () => refetch(['flags', place.project], ['flag', place.project, place.feature], ['events'])
    setWanted((now) => new Map(now).set(keyOf(place), on))
    try {
      const enabled = await perform(switching)
      // Show the new state until the server has confirmed it.
      await renew()
      return enabled
    } catch (error) {
      void renew()
      throw error
    } finally {
      setWanted((now) => new Map([...now].filter(([key]) => key !== keyOf(place))))
    }
  }
  const isGuarded = useGuardCheck()
  const propose = useProposal()
  const busy = useRef(new Set<string>())
  const change = async (switching: Switching, isUndo = false): Promise<void> => {
    const { place, on } = switching
    const { feature, environment } = place
    try {
      const disable = await save(switching)
      const message = on ? t.flags.switchedOn(feature, environment) : t.flags.switchedOff(feature, environment)
      const back = () => void change({ place, on: !on, disable }, true)
      tellDone(message, isUndo ? undefined : { label: t.common.undo, run: back })
    } catch (error) {
      tellFailed(t, on ? t.flags.turnOn : t.flags.turnOff, error)
    }
  }
  const run = async (switchable: Switchable, on: boolean): Promise<void> => {
    const { environmentType, hasOnlyDisabled = false, ...place } = switchable
    // React state updates too late to block a second click.
    if (busy.current.has(keyOf(place))) return
    busy.current.add(keyOf(place))
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
      busy.current.delete(keyOf(place))
    }
  }
  return { run, wantedIn: (place) => wanted.get(keyOf(place)) }
}

const keyOf = ({ project, feature, environment }: FlagPlace): string => JSON.stringify([project, feature, environment])

interface Switching {
  readonly place: FlagPlace
  readonly on: boolean
  readonly activate?: boolean
  /** Strategies that turning on has enabled and that the undo disables again. */
  readonly disable?: readonly string[]
}

/** Turns a flag on or off. Resolves to the ids of the strategies that it has enabled. */
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
