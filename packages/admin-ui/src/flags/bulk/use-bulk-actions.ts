import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { useQueryClient } from '@tanstack/react-query'
import type { FlagListPage } from '../../api/flags.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import { useGuardCheck } from '../../proposals/guard.ts'
import { useConfirmSkip } from '../../proposals/use-confirm-skip.ts'
import { fetchDraftedFlags } from '../../proposals/use-flag-draft.ts'
import { createSwitchChange, usePropose } from '../../proposals/use-propose.ts'
import { useSharedDraft } from '../../proposals/use-shared-draft.ts'
import { useTexts } from '../../text/texts.tsx'
import { showFailure, showSuccess } from '../../ui/messages/feedback.ts'
import {
  applyAction,
  type BulkAction,
  filterChanged,
  listActivated,
  performBulkAction,
  reverseAction,
} from './bulk-action.ts'
import { getBulkSuccess, getBulkTitle } from './bulk-sentences.ts'

/**
 * Returns a function that performs bulk actions. The list is updated optimistically, except for archiving, which the
 * server often has good reasons to reject. A rejection rolls back the list and rejects the promise. The action can be
 * undone for some seconds. An action that enabled strategies cannot be undone, because turning the flags off would not
 * restore the earlier state.
 */
export function useBulkActions(
  project: string,
): (action: BulkAction, flags: readonly FeatureListItem[]) => Promise<void> {
  const t = useTexts()
  const queries = useQueryClient()
  const isGuarded = useGuardCheck()
  const propose = usePropose()
  const skips = useConfirmSkip()
  const shared = useSharedDraft(project)
  const run = useOptimisticAction(project)
  const undo = async (action: BulkAction, names: readonly string[]): Promise<void> => {
    const isRemoval = action.kind === 'archive' && action.archived
    if (isRemoval && !(await skips.confirm(t.common.undo, [{ project }]))) return
    try {
      await run(action, names)
      showSuccess(getBulkSuccess(t, action, names.length))
    } catch (error) {
      showFailure(t, getBulkTitle(t, action), error)
    }
  }
  return async (action, flags) => {
    if (action.kind === 'switch' && (await isGuarded({ project, environment: action.environment }))) {
      const place = { project, environment: action.environment }
      const activate = new Set(listActivated(action, flags))
      const changed = filterChanged(action, flags, await fetchDraftedFlags(queries, place))
      const changes = changed.map(({ name }) => createSwitchChange(name, action.on, activate.has(name)))
      if (changes.length > 0) await propose(place, changes)
      return
    }
    const names = filterChanged(action, flags).map(({ name }) => name)
    if (names.length === 0) return
    const draft = action.kind === 'archive' && action.archived ? await shared.find() : undefined
    if (draft !== undefined) {
      await shared.propose(
        draft,
        names.map((feature) => ({ feature, action: 'archiveFeature' })),
      )
      return
    }
    const activate = listActivated(action, flags)
    await run(action, names, activate)
    const back = { label: t.common.undo, run: () => void undo(reverseAction(action), names) }
    showSuccess(getBulkSuccess(t, action, names.length), activate.length > 0 ? undefined : back)
  }
}

/**
 * Returns a function that performs an action. Shows the outcome in the lists at once, and restores the lists after a
 * failure.
 */
function useOptimisticAction(project: string) {
  const queries = useQueryClient()
  const refetch = useRefetch()
  const lists = { queryKey: ['flags', project] }
  const show = (action: BulkAction, names: ReadonlySet<string>): void => {
    if (action.kind === 'archive') return
    queries.setQueriesData<FlagListPage>(lists, (page) =>
      page === undefined
        ? page
        : {
            ...page,
            features: page.features.map((flag) =>
              names.has(flag.name) ? { ...flag, ...applyAction(action, flag) } : flag,
            ),
          },
    )
  }
  return async (action: BulkAction, names: readonly string[], activate?: readonly string[]): Promise<void> => {
    await queries.cancelQueries(lists)
    const before = queries.getQueriesData<FlagListPage>(lists)
    show(action, new Set(names))
    try {
      await performBulkAction(project, action, names, activate)
    } catch (error) {
      for (const [key, page] of before) queries.setQueryData(key, page)
      throw error
    } finally {
      void refetch(lists.queryKey, ['flag', project], ['events'])
    }
  }
}
