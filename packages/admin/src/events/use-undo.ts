import type { Event } from '@burgee/protocol/event'
import { searchEvents } from '../api/events.ts'
import { hasEnabledStrategy } from '../api/strategies.ts'
import { useSkipQuestion } from '../proposals/use-skip-question.ts'
import { useEnvironmentType } from '../shell/environment/environment-chip.tsx'
import { useMay } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { tellFailed, tellNotDone } from '../ui/messages/feedback.ts'
import { useAct } from '../ui/messages/use-act.ts'
import type { RowAct } from '../ui/page/row-menu.tsx'
import { subjectOf } from './event-subject.ts'
import { EVENT_TEXTS } from './texts.ts'
import { projectAfter, undoOf } from './undo.ts'
import { undoReach } from './undo-reach.ts'

const MOST_LATER = 1000

/**
 * Returns an action that undoes an event after a confirmation that lists what else is lost. Undefined if the undo is
 * impossible or not permitted.
 */
export function useUndo(event: Event): RowAct | undefined {
  const t = useTexts()
  const log = useCatalogue(EVENT_TEXTS).log
  const may = useMay()
  const act = useAct()
  const typeOf = useEnvironmentType()
  const skips = useSkipQuestion()
  const undo = undoOf(event)
  if (undo?.places.every((place) => may(undo.permission, place)) !== true) return undefined
  const environment = event.environment ?? ''
  const what = log.types[event.type] ?? event.type
  const whose = log.ofWhom(subjectOf(event), environment)
  const start = async (): Promise<void> => {
    try {
      const later = await eventsAfter(event)
      const moved = { ...event, project: projectAfter(event.project, later) }
      const skipped = await skips.note(t.common.undo, undoReach(moved))
      if (skipped === undefined) return
      const lost = later.filter((one) => undoOf(one)?.subject === undo.subject).length
      const text = [
        log.undoText(what, whose),
        ...(lost === 0 ? [] : [log.undoLater(lost)]),
        ...(typeOf(environment) === 'production' ? [log.undoProduction(environment)] : []),
        ...(skipped === '' ? [] : [skipped]),
      ].join(' ')
      const ask = { title: log.undoTitle, text, action: t.common.undo, isDanger: typeOf(environment) === 'production' }
      const now = undoOf(moved) ?? undo
      if (now.turnsOn !== undefined && !(await hasEnabledStrategy(now.turnsOn))) {
        return tellNotDone(t, t.common.undo, log.undoOpens(environment))
      }
      const done = now.bringsBack === true ? log.undoneOff(what) : log.undone(what)
      await act({ what: t.common.undo, ask, run: now.run, done, changes: undo.changes })
    } catch (error) {
      tellFailed(t, t.common.undo, error)
    }
  }
  return { label: log.undoOf(what, whose), text: t.common.undo, act: start }
}

/** Fetches later events of the same flag, or all later events if the event has no flag. */
async function eventsAfter({ id, featureName }: Event): Promise<readonly Event[]> {
  const query = featureName === null ? {} : { flag: featureName }
  return (await searchEvents(query, { afterId: id, limit: MOST_LATER })).events
}
