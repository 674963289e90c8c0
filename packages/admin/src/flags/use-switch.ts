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

/** A flag in an environment that can be switched. */
export interface Switchable extends FlagPlace {
  /** Type of the environment: production asks first. */
  readonly environmentType: string
  /** It has strategies there, all of them disabled: turning it on asks first, and enables them. */
  readonly hasOnlyDisabled?: boolean
}

/** Switches flags, one or many. */
export interface Switches {
  /** Resolves when it is over, also when the person changes their mind. */
  readonly run: (place: Switchable, on: boolean) => Promise<void>
  /** The state that is being saved; undefined where nothing is. */
  readonly wantedIn: (place: FlagPlace) => boolean | undefined
}

/**
 * Switches flags. The wanted state shows at once; a refusal puts the old one back and says why; what is done can be
 * undone for some seconds.
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
      // the new state shows until the server has told it
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
    // the page hears late that a change is on its way; a second click comes earlier
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
