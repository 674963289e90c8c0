import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { useQueryClient } from '@tanstack/react-query'
import type { FlagEnvironment, FlagRef } from '../../api/flags.ts'
import { getFlagQuery } from '../../api/queries.ts'
import { addStrategy, removeStrategy } from '../../api/strategies.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import { useGuardedChange } from '../../proposals/use-guarded-editor.ts'
import { toStrategyDraft, toStrategyInput } from '../../strategy/strategy-draft.ts'
import { describeStrategy } from '../../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../../strategy/texts.ts'
import { useSegmentName } from '../../strategy/use-segment-name.ts'
import { useStrategyUndo } from '../../strategy/use-strategy-undo.ts'
import { useCatalogue, useTexts } from '../../text/texts.tsx'
import { showFailure, showSuccess } from '../../ui/messages/feedback.ts'
import { FLAG_TEXTS } from '../texts.ts'
import { COPYING_TEXTS } from './texts.ts'

/** Returns a function that appends a copy of a strategy in the same environment. The user can then edit the copy. */
export function useDuplicateStrategy(place: FlagEnvironment): (strategy: AdminStrategy) => Promise<void> {
  const t = useTexts(FLAG_TEXTS)
  const own = useCatalogue(COPYING_TEXTS)
  const copy = useCopyWithMessages(place)
  return (strategy) => copy(strategy, place.environment, { action: t.flag.repeatStrategy, done: () => own.repeated })
}

/** Returns a function that appends a copy of a strategy in another environment of the flag and reports the effect. */
export function useCopyStrategy(ref: FlagRef): (strategy: AdminStrategy, environment: string) => Promise<void> {
  const own = useCatalogue(COPYING_TEXTS)
  const queries = useQueryClient()
  const copy = useCopyWithMessages(ref)
  const meaningOf = ({ disabled }: AdminStrategy, environment: string): string => {
    if (disabled) return own.copiedDisabled(environment)
    const flag = queries.getQueryData<AdminFeature>(getFlagQuery(ref).queryKey)
    const isOn = flag?.environments.some(({ name, enabled }) => name === environment && enabled) === true
    return (isOn ? own.copiedOn : own.copiedOff)(environment)
  }
  return (strategy, environment) =>
    copy(strategy, environment, { action: own.copyTo(environment), done: () => meaningOf(strategy, environment) })
}

interface CopyMessages {
  readonly action: string
  /** Returns the success message to show after the copy. */
  readonly done: () => string
}

/**
 * Returns a function that copies a strategy. If the copy affects real users, asks for the same confirmation as a save.
 */
function useCopyWithMessages({ project, feature }: FlagRef) {
  const t = useTexts()
  const words = useCatalogue(STRATEGY_TEXTS)
  const refetch = useRefetch()
  const segmentName = useSegmentName()
  const { isGuarded, confirm, save } = useGuardedChange({ project, feature })
  const back = useStrategyUndo({ project, feature })
  return async (strategy: AdminStrategy, environment: string, { action, done }: CopyMessages): Promise<void> => {
    const place = { project, feature, environment }
    const sentence = `${action}: ${describeStrategy(words, strategy, segmentName)}`
    try {
      let id: string | undefined
      const payload = toStrategyInput(toStrategyDraft(strategy))
      const directly = async () => {
        ;({ id } = await addStrategy(place, payload))
      }
      // With random stickiness, two equal strategies match more users than one of them does.
      if (!isGuarded(environment) && !(await confirm(sentence, [environment], { strategy: payload }))) return
      if (!(await save(environment, directly, { action: 'addStrategy', payload }))) return
      await refetch(['flag', project, feature], ['flags', project], ['events'])
      showSuccess(done(), id === undefined ? undefined : back(() => removeStrategy({ ...place, id: id ?? '' })))
    } catch (error) {
      showFailure(t, action, error)
    }
  }
}
