import type { Event } from '@burgee/protocol/event'
import { searchEvents } from '../api/events.ts'
import { hasEnabledStrategy } from '../api/strategies.ts'
import { useConfirmSkip } from '../proposals/use-confirm-skip.ts'
import { useEnvironmentType } from '../shell/environment/environment-chip.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { showFailure, showFailureReason } from '../ui/messages/feedback.ts'
import { useAction } from '../ui/messages/use-action.ts'
import type { RowAction } from '../ui/page/row-menu.tsx'
import { getEventSubject } from './event-subject.ts'
import { EVENT_TEXTS } from './texts.ts'
import { createUndo, getCurrentProject } from './undo-event.ts'
import { getUndoScopes } from './undo-scope.ts'

const MAX_LATER_EVENTS = 1000

/**
 * Returns an action that undoes an event. Its confirmation lists later changes that are lost as well. Undefined if the
 * undo is impossible or not permitted.
 */
export function useUndo(event: Event): RowAction | undefined {
  const t = useTexts()
  const log = useCatalogue(EVENT_TEXTS).log
  const may = usePermissionCheck()
  const act = useAction()
  const typeOf = useEnvironmentType()
  const skips = useConfirmSkip()
  const undo = createUndo(event)
  if (undo?.places.every((place) => may(undo.permission, place)) !== true) return undefined
  const environment = event.environment ?? ''
  const what = log.types[event.type] ?? event.type
  const whose = log.ofWhom(getEventSubject(event), environment)
  const start = async (): Promise<void> => {
    try {
      const later = await fetchLaterEvents(event)
      const moved = { ...event, project: getCurrentProject(event.project, later) }
      const skipped = await skips.note(log.undoAction, getUndoScopes(moved))
      if (skipped === undefined) return
      const lost = later.filter((one) => createUndo(one)?.subject === undo.subject).length
      const text = [
        log.undoText(what, whose),
        ...(lost === 0 ? [] : [log.undoLater(lost)]),
        ...(typeOf(environment) === 'production' ? [log.undoProduction(environment)] : []),
        ...(skipped === '' ? [] : [skipped]),
      ].join(' ')
      const ask = { title: log.undoTitle, text, action: log.undoAction, isDanger: typeOf(environment) === 'production' }
      const now = createUndo(moved) ?? undo
      if (now.turnsOn !== undefined && !(await hasEnabledStrategy(now.turnsOn))) {
        return showFailureReason(t, log.undoAction, log.undoOpens(environment))
      }
      const done = now.bringsBack === true ? log.undoneOff(what) : log.undone(what)
      await act({ what: log.undoAction, ask, run: now.run, done, changes: undo.changes })
    } catch (error) {
      showFailure(t, log.undoAction, error)
    }
  }
  return { label: log.undoOf(what, whose), text: log.undoAction, act: start }
}

/** Fetches later events of the same flag, or all later events if the event has no flag. */
async function fetchLaterEvents({ id, featureName }: Event): Promise<readonly Event[]> {
  const query = featureName === null ? {} : { flag: featureName }
  return (await searchEvents(query, { afterId: id, limit: MAX_LATER_EVENTS })).events
}
