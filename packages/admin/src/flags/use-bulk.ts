import type { FeatureListItem } from '@burgee/protocol/admin'
import { useQueryClient } from '@tanstack/react-query'
import type { FlagPage } from '../api/flags.ts'
import { useTexts } from '../text/texts.tsx'
import { tellDone, tellFailed } from '../ui/feedback.tsx'
import { useRenew } from '../ui/use-renew.ts'
import { after, type BulkAction, changing, perform, reverse } from './bulk.ts'
import { bulkDone, bulkTitle } from './bulk-texts.ts'

/**
 * Does things with several flags. The list shows them as they will be at once (but for archiving, which may be
 * refused for good reasons); a refusal puts the old state back and says why; what is done can be undone for some
 * seconds, for exactly the flags that were changed.
 */
export function useBulk(project: string): (action: BulkAction, flags: readonly FeatureListItem[]) => Promise<boolean> {
  const t = useTexts()
  const queries = useQueryClient()
  const renew = useRenew()
  const show = (action: BulkAction, names: ReadonlySet<string>): void => {
    if (action.kind === 'archive') return
    queries.setQueriesData<FlagPage>({ queryKey: ['flags', project] }, (page) =>
      page === undefined
        ? page
        : { ...page, features: page.features.map((flag) => (names.has(flag.name) ? after(action, flag) : flag)) },
    )
  }
  const refresh = () => renew(['flags', project], ['flag', project], ['events'])
  const run = async (action: BulkAction, names: readonly string[], isUndo: boolean): Promise<boolean> => {
    await queries.cancelQueries({ queryKey: ['flags', project] })
    show(action, new Set(names))
    try {
      await perform(project, action, names)
      const undo = { label: t.common.undo, run: () => void run(reverse(action), names, true) }
      tellDone(bulkDone(t, action, names.length), isUndo ? undefined : undo)
      return true
    } catch (error) {
      tellFailed(t, bulkTitle(t, action), error)
      return false
    } finally {
      await refresh()
    }
  }
  return async (action, flags) => {
    const names = changing(action, flags).map(({ name }) => name)
    return names.length === 0 || (await run(action, names, false))
  }
}
