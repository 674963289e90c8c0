import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { patchFlag, uncompleteFlag } from '../api/flags.ts'
import { LIFECYCLE_TEXTS } from '../lifecycle/texts.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ACTION_TEXTS } from './action-texts.ts'
import { FLAG_TEXTS } from './texts.ts'

/** Returns functions that mark a flag as stale or active, and that reopen a completed flag. */
export function useFlagStatus({ project, name: feature }: AdminFeature) {
  const t = useTexts(FLAG_TEXTS)
  const done = useCatalogue(ACTION_TEXTS)
  const stages = useCatalogue(LIFECYCLE_TEXTS)
  const act = useAction()
  const setStale = (value: boolean) => patchFlag({ project, feature }, [{ op: 'replace', path: '/stale', value }])
  const mark = (isStale: boolean) =>
    act({
      what: isStale ? t.flag.markStale : t.flag.markActive,
      run: () => setStale(isStale),
      done: (isStale ? done.markedStale : done.markedActive)(feature),
      changes: ['flag', 'flags'],
      undo: { run: () => setStale(!isStale), done: (isStale ? done.markedActive : done.markedStale)(feature) },
    })
  const reopen = () =>
    act({
      what: stages.reopen,
      run: () => uncompleteFlag({ project, feature }),
      done: stages.reopened(feature),
      changes: ['flag', 'flags'],
    })
  return { mark, reopen }
}
