import { useRef, useState } from 'react'
import { type FlagEnvironment, setEnabled } from '../api/flags.ts'
import { fetchDisabledStrategies, setDisabled } from '../api/strategies.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useGoLive } from '../go-live/use-go-live.ts'
import { useGuardCheck } from '../proposals/guard.ts'
import { createSwitchChange, usePropose } from '../proposals/use-propose.ts'
import { isLive } from '../shell/environment/production.ts'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { useTexts } from '../text/texts.tsx'
import { showFailure, showSuccess } from '../ui/messages/feedback.ts'

/** Flag in an environment that can be switched. */
export interface Switchable extends FlagEnvironment {
  /** Type of the environment. In production, a switch needs confirmation. */
  readonly environmentType: string
  /**
   * True if the flag has only disabled strategies in the environment. Turning on such a flag enables its disabled
   * strategies after confirmation.
   */
  readonly hasOnlyDisabled?: boolean
}

/** Switches flags on and off. */
export interface Switches {
  /** Resolves when the change is complete or the user has cancelled it. */
  readonly run: (place: Switchable, on: boolean) => Promise<void>
  /** Returns the state that is currently being saved; undefined if there is none. */
  readonly getPendingState: (place: FlagEnvironment) => boolean | undefined
}

/**
 * Returns functions that switch flags. The new state appears immediately. A rejection restores the old state with a
 * message. Changes can be undone for some seconds.
 */
export function useSwitch(): Switches {
  const t = useTexts()
  const ask = useGoLive()
  const refetch = useRefetch()
  const liveAmong = useLiveCheck()
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map())
  const save = async (switching: SwitchRequest): Promise<string[]> => {
    const { place, on } = switching
    const renew = () => refetch(['flags', place.project], ['flag', place.project, place.feature], ['events'])
    setWanted((now) => new Map(now).set(getKey(place), on))
    try {
      const enabled = await setFlagEnabled(switching)
      // Show the new state until the server has confirmed it.
      await renew()
      return enabled
    } catch (error) {
      void renew()
      throw error
    } finally {
      setWanted((now) => new Map([...now].filter(([key]) => key !== getKey(place))))
    }
  }
  const isGuarded = useGuardCheck()
  const propose = usePropose()
  const busy = useRef(new Set<string>())
  const change = async (switching: SwitchRequest, isUndo = false): Promise<void> => {
    const { place, on } = switching
    const { feature, environment } = place
    try {
      const disable = await save(switching)
      const message = on ? t.flags.switchedOn(feature, environment) : t.flags.switchedOff(feature, environment)
      const back = () => void change({ place, on: !on, disable }, true)
      showSuccess(message, isUndo ? undefined : { label: t.common.undo, run: back })
    } catch (error) {
      showFailure(t, on ? t.flags.turnOn : t.flags.turnOff, error)
    }
  }
  const run = async (switchable: Switchable, on: boolean): Promise<void> => {
    const { environmentType, hasOnlyDisabled = false, ...place } = switchable
    // React state updates too late to block a second click.
    if (busy.current.has(getKey(place))) return
    busy.current.add(getKey(place))
    try {
      const activate = on && hasOnlyDisabled
      const guarded = await isGuarded(place)
      const isConfirmed = guarded || activate || isLive({ type: environmentType })
      const live = isConfirmed || (await liveAmong([place.environment])).length > 0
      const edit = { enabled: on, ...(activate ? { activate } : {}) }
      if (live && !(await ask({ items: [{ place, edits: [edit] }], isGuarded: guarded }))) return
      if (guarded) await propose(place, [createSwitchChange(place.feature, on, activate)])
      else await change({ place, on, activate })
    } catch (error) {
      showFailure(t, on ? t.flags.turnOn : t.flags.turnOff, error)
    } finally {
      busy.current.delete(getKey(place))
    }
  }
  return { run, getPendingState: (place) => wanted.get(getKey(place)) }
}

const getKey = ({ project, feature, environment }: FlagEnvironment): string =>
  JSON.stringify([project, feature, environment])

interface SwitchRequest {
  readonly place: FlagEnvironment
  readonly on: boolean
  readonly activate?: boolean
  /** Ids of the strategies that turning the flag on has enabled; undoing disables them again. */
  readonly disable?: readonly string[]
}

/** Turns a flag on or off. Resolves to the ids of the strategies that this has enabled. */
async function setFlagEnabled({ place, on, activate = false, disable = [] }: SwitchRequest): Promise<string[]> {
  const enabled = activate ? await fetchDisabledStrategies(place) : []
  await setEnabled(place, on, activate)
  for (const id of disable) await setDisabled({ ...place, id }, true)
  return enabled
}
