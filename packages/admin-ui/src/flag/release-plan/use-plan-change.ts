import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import type { FlagEnvironment } from '../../api/flags.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import type { LiveEdit } from '../../go-live/flag-edit.ts'
import { useGoLive } from '../../go-live/use-go-live.ts'
import { useGuardCheck } from '../../proposals/guard.ts'
import { usePropose } from '../../proposals/use-propose.ts'
import { useLiveCheck } from '../../shell/environment/use-live-check.ts'
import { useCatalogue, useTexts } from '../../text/texts.tsx'
import { useConfirm } from '../../ui/dialog/confirm.tsx'
import type { Question } from '../../ui/dialog/question.ts'
import { showFailure, showSuccess } from '../../ui/messages/feedback.ts'
import { PLAN_TEXTS } from './texts.ts'

/** Change to a release plan or to its safeguards. */
export interface PlanChange {
  /** Name of the change, for failure messages and for the button of the confirmation question. */
  readonly what: string
  /** Change to propose; undefined if the change takes effect at once in every environment, such as a pause. */
  readonly proposal: Omit<ChangeInput, 'feature'> | undefined
  /** Edits that the change makes to the flag, which are shown before they go live. */
  readonly edits?: readonly LiveEdit[]
  /**
   * Title and text of the confirmation question. Without `isAlwaysAsked`, the question is only shown for live
   * environments.
   */
  readonly question?: Pick<Question, 'title'> & { readonly text?: string; readonly isAlwaysAsked?: boolean }
  readonly isDanger?: boolean
  readonly run: () => Promise<unknown>
  readonly done: string
  readonly undo?: () => Promise<unknown>
}

/**
 * Returns a function that changes a release plan: it asks for confirmation if real users are affected, adds the change
 * to the draft if the environment requires change requests, and otherwise makes the change, which can be undone.
 * Resolves to true if the change was performed or proposed. `fail` makes the function reject instead of showing an
 * error message.
 */
export function usePlanChange(place: FlagEnvironment) {
  const t = useTexts()
  const own = useCatalogue(PLAN_TEXTS)
  const ask = useAskPlanChange(place)
  const isGuarded = useGuardCheck()
  const propose = usePropose()
  const refetch = useRefetch()
  const { project, feature } = place
  const refresh = () =>
    refetch(['release-plan', project, feature], ['flag', project, feature], ['flags', project], ['events'])
  const takeBack = async (undo: () => Promise<unknown>): Promise<void> => {
    try {
      await undo()
      await refresh()
      showSuccess(own.undone)
    } catch (error) {
      showFailure(t, t.common.undo, error)
    }
  }
  const perform = async (change: PlanChange): Promise<boolean> => {
    const { proposal, run, done, undo } = change
    const isProposal = proposal !== undefined && (await isGuarded(place))
    if (!(await ask(change, isProposal))) return false
    if (isProposal) {
      await propose(place, [{ feature, ...proposal }])
      return true
    }
    await run()
    await refresh()
    showSuccess(done, undo && { label: t.common.undo, run: () => void takeBack(undo) })
    return true
  }
  return async (change: PlanChange): Promise<boolean> => {
    try {
      return await perform(change)
    } catch (error) {
      showFailure(t, change.what, error)
      return false
    }
  }
}

/** Returns a function that asks for confirmation of a change. Resolves to true if the change may proceed. */
function useAskPlanChange(place: FlagEnvironment) {
  const t = useTexts()
  const ask = useConfirm()
  const goLive = useGoLive()
  const liveAmong = useLiveCheck()
  return async (change: PlanChange, isProposal: boolean): Promise<boolean> => {
    const { what: action, question, edits, isDanger = false } = change
    if (question === undefined) return true
    const { title, text = '', isAlwaysAsked = false } = question
    const isLive = isProposal || (await liveAmong([place.environment])).length > 0
    if (!isLive && !isAlwaysAsked) return true
    if (!isLive || edits === undefined) {
      return isProposal && !isAlwaysAsked ? true : ask({ title, text, action: action || t.common.save, isDanger })
    }
    const note = text === '' ? {} : { note: text }
    return goLive({ items: [{ place, edits }], question: { title, action, isDanger }, ...note, isGuarded: isProposal })
  }
}
