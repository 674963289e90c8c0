import { snoozeAll } from '../api/bulk.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { STALE_TEXTS } from './texts.ts'

/**
 * Returns a function that snoozes flags until the given time, or ends the snooze (null); this can be undone for some
 * seconds. Resolves to true if this succeeded.
 */
export function useSnooze(): (project: string, names: readonly string[], until: string | null) => Promise<boolean> {
  const t = useCatalogue(STALE_TEXTS)
  const { date } = useFormat()
  const act = useAction()
  return (project, names, until) =>
    act({
      what: until === null ? t.wake : t.snooze,
      run: () => snoozeAll(project, names, until),
      done: until === null ? t.woken(names.length) : t.snoozeDone(names.length, date(until)),
      ...(until === null ? {} : { undo: { run: () => snoozeAll(project, names, null), done: t.woken(names.length) } }),
      changes: ['stale', 'inbox', 'notifications'],
    })
}
