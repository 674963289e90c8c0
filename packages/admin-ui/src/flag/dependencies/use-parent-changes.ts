import type { DependencyInput } from '@burgee/protocol/batch'
import { removeParent, setParent } from '../../api/dependencies.ts'
import { type FlagRef, fetchFlag } from '../../api/flags.ts'
import { ApiError } from '../../api/http.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import { PROPOSAL_TEXTS } from '../../proposals/texts.ts'
import { useConfirmSkip } from '../../proposals/use-confirm-skip.ts'
import { useSharedDraft } from '../../proposals/use-shared-draft.ts'
import { STRATEGY_TEXTS } from '../../strategy/texts.ts'
import { useCatalogue, useTexts } from '../../text/texts.tsx'
import { useConfirm } from '../../ui/dialog/confirm.tsx'
import { showFailure, showSuccess } from '../../ui/messages/feedback.ts'
import { FLAG_TEXTS } from '../texts.ts'
import { isSameParent } from './parent-effect.ts'
import { DEPENDENCY_TEXTS } from './texts.ts'
import { useConfirmParent } from './use-confirm-parent.ts'

/** Returns functions that remove a flag's parent, and that report a changed parent with an undo action. */
export function useParentChanges(place: FlagRef) {
  const t = useTexts()
  const { dependencies: words } = useCatalogue(FLAG_TEXTS)
  const { asBefore } = useCatalogue(STRATEGY_TEXTS).strategy
  const refetch = useRefetch()
  const skips = useConfirmSkip()
  const question = useConfirmParent(place)
  const shared = useSharedDraft(place.project)
  const proposals = useCatalogue(PROPOSAL_TEXTS)
  const own = useCatalogue(DEPENDENCY_TEXTS)
  const ask = useConfirm()
  const refresh = async (): Promise<void> => {
    void refetch(['events'])
    await refetch(['flag', place.project])
  }
  const restore = async (before: DependencyInput | undefined, saved: DependencyInput | undefined): Promise<void> => {
    if (!(await skips.confirm(t.common.undo, [{ project: place.project }]))) return
    try {
      await restoreParent(place, before, saved)
      await refresh()
      showSuccess(asBefore)
    } catch (error) {
      showFailure(t, t.common.undo, error)
    }
  }
  /** Reports that the parent was changed or removed. */
  const done = async (before: DependencyInput | undefined, saved: DependencyInput | undefined): Promise<void> => {
    await refresh()
    const run = () => void restore(before, saved)
    const undo = isSameParent(before, saved) ? undefined : { label: t.common.undo, run }
    showSuccess(saved === undefined ? words.removed : words.saved, undo)
  }
  const remove = async (parent: DependencyInput): Promise<void> => {
    try {
      const draft = await shared.find()
      if (draft !== undefined) {
        const text = proposals.sharedBanner(draft)
        const title = own.confirmRemove(place.feature, parent.feature)
        if (!(await ask({ title, text, action: proposals.action }))) return
        await shared.propose(draft, [{ feature: place.feature, action: 'deleteDependency' }])
        return
      }
      if (!(await question(words.remove, undefined))) return
      await removeParent(place, parent.feature)
      await done(parent, undefined)
    } catch (error) {
      showFailure(t, words.remove, error)
    }
  }
  return { done, remove }
}

/** Restores the previous parent if the saved parent is still current; otherwise rejects with ApiError 412. */
async function restoreParent(
  place: FlagRef,
  before: DependencyInput | undefined,
  saved: DependencyInput | undefined,
): Promise<void> {
  const { dependencies } = await fetchFlag(place)
  const now = dependencies as DependencyInput[]
  if (now.length > 1 || !isSameParent(now[0], saved)) throw new ApiError(412, 'changed since')
  if (before !== undefined) await setParent(place, before)
  else if (saved !== undefined) await removeParent(place, saved.feature)
}
