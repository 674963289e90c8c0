import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import type { FlagEnvironment } from '../api/flags.ts'
import { setDisabled } from '../api/strategies.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useGuardCheck } from '../proposals/guard.ts'
import { useGuardedEditor } from '../proposals/use-guarded-editor.ts'
import { toStrategyDraft, toStrategyInput } from '../strategy/strategy-draft.ts'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useStrategyUndo } from '../strategy/use-strategy-undo.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { showFailure, showSuccess } from '../ui/messages/feedback.ts'
import { FLAG_TEXTS } from './texts.ts'

/**
 * Returns a function that disables and enables strategies. If the change affects real users, asks for the same
 * confirmation as a save. Disabling the last enabled strategy turns the flag off. In unprotected environments, turning
 * the flag off always needs confirmation.
 */
export function useToggleStrategy(place: FlagEnvironment) {
  const t = useTexts(FLAG_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const ask = useConfirm()
  const refetch = useRefetch()
  const segmentName = useSegmentName()
  const isGuarded = useGuardCheck()
  const { confirm, save } = useGuardedEditor(place)
  const back = useStrategyUndo(place)
  return async (strategy: AdminStrategy, isLast: boolean): Promise<void> => {
    const { id, disabled, sortOrder } = strategy
    const endsIt = isLast && !disabled
    const action = disabled ? t.flag.enableStrategy : t.flag.disableStrategy
    const sentence = `${action}: ${describeStrategy(words, strategy, segmentName)}`
    const texts = { title: t.flag.disableStrategyTitle, text: t.flag.removeLastText(place.environment) }
    const payload = { ...toStrategyInput(toStrategyDraft(strategy)), disabled: !disabled, sortOrder, id }
    const edit = { strategy: payload }
    try {
      // Turning the flag off directly (not in a draft) needs confirmation in every environment. All other changes are
      // confirmed in the same way as a save.
      const mayGo =
        endsIt && !(await isGuarded(place)) ? ask({ ...texts, action, isDanger: true }) : confirm(sentence, { edit })
      if (!(await mayGo)) return
      const directly = () => setDisabled({ ...place, id }, !disabled)
      if (!(await save(directly, { action: 'updateStrategy', payload }))) return
      await refetch(['flag', place.project, place.feature], ['flags', place.project], ['events'])
      const done = disabled ? t.flag.strategyEnabled : t.flag.strategyDisabled
      showSuccess(
        endsIt ? t.flag.lastDisabled(place.environment) : done,
        // There is no undo, because enabling the strategy again would leave the flag off.
        endsIt ? undefined : back(() => setDisabled({ ...place, id }, disabled)),
      )
    } catch (error) {
      showFailure(t, action, error)
    }
  }
}
