import type { FlagRef } from '../api/flags.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useTexts } from '../text/texts.tsx'
import { showFailure, showSuccess } from '../ui/messages/feedback.ts'
import type { UndoAction } from '../ui/messages/message-list.tsx'
import { STRATEGY_TEXTS } from './texts.ts'

/** Returns a function that offers `takeBack` as the undo action in a message about a flag. */
export function useStrategyUndo({ project, feature }: FlagRef): (takeBack: () => Promise<unknown>) => UndoAction {
  const t = useTexts(STRATEGY_TEXTS)
  const refetch = useRefetch()
  const run = async (takeBack: () => Promise<unknown>): Promise<void> => {
    try {
      await takeBack()
      await refetch(['flag', project, feature], ['events'])
      showSuccess(t.strategy.asBefore)
    } catch (error) {
      showFailure(t, t.common.undo, error)
    }
  }
  return (takeBack) => ({ label: t.common.undo, run: () => void run(takeBack) })
}
