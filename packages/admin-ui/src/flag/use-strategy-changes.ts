import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { FlagEnvironment } from '../api/flags.ts'
import { addStrategy, removeStrategy } from '../api/strategies.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useGoLive } from '../go-live/use-go-live.ts'
import { useGuardCheck } from '../proposals/guard.ts'
import { usePropose } from '../proposals/use-propose.ts'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { showFailure, showSuccess } from '../ui/messages/feedback.ts'
import { FLAG_TEXTS } from './texts.ts'

/**
 * Returns functions that remove strategies after confirmation and restore removed strategies. If the last enabled
 * strategy is removed, the flag is turned off. Undoing the removal does not turn it on again.
 */
export function useStrategyChanges(place: FlagEnvironment) {
  const t = useTexts(FLAG_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const ask = useConfirm()
  const goLive = useGoLive()
  const liveAmong = useLiveCheck()
  const refetch = useRefetch()
  const segmentName = useSegmentName()
  const isGuarded = useGuardCheck()
  const propose = usePropose()
  const refresh = async (): Promise<void> => {
    void refetch(['events'], ['flags', place.project])
    await refetch(['flag', place.project, place.feature])
  }
  const restore = async ({ id: _, ...body }: AdminStrategy): Promise<void> => {
    try {
      await addStrategy(place, body as StrategyInput)
      await refresh()
    } catch (error) {
      showFailure(t, t.common.undo, error)
    }
  }
  const remove = async (strategy: AdminStrategy, isLast: boolean): Promise<void> => {
    const { removeStrategyTitle: title, removeStrategyText, removeStrategy: action } = t.flag
    const gone = removeStrategyText(describeStrategy(words, strategy, segmentName))
    const text = isLast ? `${gone}. ${t.flag.removeLastText(place.environment)}` : gone
    try {
      const isProposal = await isGuarded(place)
      const isServed = isProposal || (await liveAmong([place.environment])).length > 0
      const question = { title, action, isDanger: true }
      const items = [{ place, edits: [{ removeStrategy: strategy.id }] }]
      const confirmed = isServed
        ? goLive({ items, question, note: text, isGuarded: isProposal })
        : ask({ ...question, text })
      if (!(await confirmed)) return
      if (isProposal) {
        await propose(place, [{ feature: place.feature, action: 'deleteStrategy', payload: { id: strategy.id } }])
        return
      }
      await removeStrategy({ ...place, id: strategy.id })
      await refresh()
      const done = isLast ? t.flag.lastRemoved(place.environment) : t.flag.strategyRemoved
      showSuccess(done, { label: t.common.undo, run: () => void restore(strategy) })
    } catch (error) {
      showFailure(t, action, error)
    }
  }
  return { remove }
}
