import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { DependencyInput } from '@burgee/protocol/batch'
import { useQueryClient } from '@tanstack/react-query'
import type { FlagRef } from '../../api/flags.ts'
import { ApiError } from '../../api/http.ts'
import { getFlagQuery } from '../../api/queries.ts'
import { useSharedDraft } from '../../proposals/use-shared-draft.ts'
import { useLiveCheck } from '../../shell/environment/use-live-check.ts'
import { useCatalogue, useTexts } from '../../text/texts.tsx'
import { useConfirm } from '../../ui/dialog/confirm.tsx'
import { showFailure } from '../../ui/messages/feedback.ts'
import { FLAG_TEXTS } from '../texts.ts'
import { describeEffect } from './effect-text.ts'
import { isSameParent, listParentChanges, type Parent, type ParentChange } from './parent-effect.ts'
import { DEPENDENCY_TEXTS } from './texts.ts'

/**
 * Asks for confirmation if a new or removed parent changes the results for real users. Resolves to true if the change
 * may proceed.
 */
export function useConfirmParent({ project, feature }: FlagRef) {
  const t = useTexts()
  const own = useCatalogue(DEPENDENCY_TEXTS)
  const { dependencies: parents } = useCatalogue(FLAG_TEXTS)
  const queries = useQueryClient()
  const liveAmong = useLiveCheck()
  const shared = useSharedDraft(project)
  const ask = useConfirm()
  const read = (name: string): Promise<AdminFeature> => queries.fetchQuery(getFlagQuery({ project, feature: name }))
  const parentOf = async (needs: DependencyInput | undefined): Promise<Parent | undefined> =>
    needs && { flag: await read(needs.feature), needs }
  return async (what: string, next: DependencyInput | undefined): Promise<boolean> => {
    try {
      // A proposal takes no effect yet, so it needs no confirmation; reviewers see its effect.
      if (next !== undefined && (await shared.find()) !== undefined) return true
      const child = await read(feature)
      const now = child.dependencies[0] as DependencyInput | undefined
      const [before, after] = [await parentOf(now).catch(treatMissingAsArchived(child, now)), await parentOf(next)]
      const changes = isSameParent(now, next) ? [] : listParentChanges(child, before, after).filter(isDifferent)
      const live = await liveAmong(changes.map(({ environment }) => environment))
      const liveChanges = changes.filter(({ environment }) => live.includes(environment))
      if (liveChanges.length === 0) return true
      const lines = liveChanges.map((one) => describeEffect({ own, parents }, feature, one, after))
      const title =
        next === undefined ? own.confirmRemove(feature, now?.feature ?? '') : own.confirmSet(feature, next.feature)
      const text = [...lines, own.confirmText(live.join(', '))].join(' ')
      return await ask({ title, text, action: next === undefined ? own.remove : own.set, isDanger: true })
    } catch (error) {
      showFailure(t, what, error)
      return false
    }
  }
}

/**
 * State as which a missing parent is treated. A missing parent keeps the child off, as an archived parent does. The
 * dependency on a missing parent can still be removed.
 */
const treatMissingAsArchived =
  (child: AdminFeature, needs: DependencyInput | undefined) =>
  (error: unknown): Parent | undefined => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return needs && { flag: { ...child, name: needs.feature, archived: true }, needs }
  }

/**
 * Returns true if a parent change makes a difference. Two effects of the kind `some` count as a difference, because
 * they may concern different users.
 */
const isDifferent = ({ before, after }: ParentChange): boolean => before === 'some' || before !== after
