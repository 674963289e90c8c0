import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { FlagPlace } from '../api/flags.ts'
import { addStrategy, removeStrategy } from '../api/strategies.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useGuardCheck } from '../proposals/guard.ts'
import { useProposal } from '../proposals/use-proposal.ts'
import { sentenceOf } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { tellDone, tellFailed } from '../ui/messages/feedback.ts'
import { FLAG_TEXTS } from './texts.ts'

/**
 * Returns functions that remove strategies after confirmation and restore them. Removing the last enabled strategy
 * turns the flag off; it stays off after an undo.
 */
export function useStrategyChanges(place: FlagPlace) {
  const t = useTexts(FLAG_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const ask = useConfirm()
  const refetch = useRefetch()
  const segmentName = useSegmentName()
  const isGuarded = useGuardCheck()
  const propose = useProposal()
  const refresh = async (): Promise<void> => {
    void refetch(['events'], ['flags', place.project])
    await refetch(['flag', place.project, place.feature])
  }
  const restore = async ({ id: _, ...body }: AdminStrategy): Promise<void> => {
    try {
      await addStrategy(place, body as StrategyInput)
      await refresh()
    } catch (error) {
      tellFailed(t, t.common.undo, error)
    }
  }
  const remove = async (strategy: AdminStrategy, isLast: boolean): Promise<void> => {
    const { removeStrategyTitle: title, removeStrategyText, removeStrategy: action } = t.flag
    const gone = removeStrategyText(sentenceOf(words, strategy, segmentName))
    const text = isLast ? `${gone}. ${t.flag.removeLastText(place.environment)}` : gone
    try {
      if (await isGuarded(place)) {
        await propose(place, [{ feature: place.feature, action: 'deleteStrategy', payload: { id: strategy.id } }])
        return
      }
      if (!(await ask({ title, text, action, isDanger: true }))) return
      await removeStrategy({ ...place, id: strategy.id })
      await refresh()
      const done = isLast ? t.flag.lastRemoved(place.environment) : t.flag.strategyRemoved
      tellDone(done, { label: t.common.undo, run: () => void restore(strategy) })
    } catch (error) {
      tellFailed(t, action, error)
    }
  }
  return { remove }
}
