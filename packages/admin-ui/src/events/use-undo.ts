import type { Event } from '@burgee/protocol/event'
import { useQueryClient } from '@tanstack/react-query'
import { searchEvents } from '../api/events.ts'
import { getFlagQuery } from '../api/queries.ts'
import { hasEnabledStrategy } from '../api/strategies.ts'
import { type LiveItem, listArchiveItems } from '../go-live/planned-change.ts'
import { useGoLive } from '../go-live/use-go-live.ts'
import { useConfirmSkip } from '../proposals/use-confirm-skip.ts'
import { useEnvironmentType } from '../shell/environment/environment-chip.tsx'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { showFailure, showFailureReason } from '../ui/messages/feedback.ts'
import { useAction } from '../ui/messages/use-action.ts'
import type { RowAction } from '../ui/page/row-menu.tsx'
import { getEventSubject } from './event-subject.ts'
import { EVENT_TEXTS } from './texts.ts'
import { createUndo, type EventUndo, getCurrentProject } from './undo-event.ts'
import { getUndoScopes } from './undo-scope.ts'

const MAX_LATER_EVENTS = 1000

/**
 * Returns an action that undoes an event. The confirmation dialog also lists later changes that would be lost. Returns
 * undefined if undoing is impossible or not permitted.
 */
export function useUndo(event: Event): RowAction | undefined {
  const t = useTexts()
  const log = useCatalogue(EVENT_TEXTS).log
  const may = usePermissionCheck()
  const act = useAction()
  const typeOf = useEnvironmentType()
  const skips = useConfirmSkip()
  const goLive = useGoLive()
  const liveAmong = useLiveCheck()
  const queries = useQueryClient()
  const undo = createUndo(event)
  if (undo?.places.every((place) => may(undo.permission, place)) !== true) return undefined
  const environment = event.environment ?? ''
  const what = log.types[event.type] ?? event.type
  const whose = log.ofWhom(getEventSubject(event), environment)
  /** Returns the changes that undoing would make for real users. */
  const listItems = async ({ project, featureName }: Event, { edit, archives }: EventUndo): Promise<LiveItem[]> => {
    if (project === null || featureName === null) return []
    const place = { project, feature: featureName }
    if (edit !== undefined) {
      const isServed = (await liveAmong([environment])).length > 0
      return isServed ? [{ place: { ...place, environment }, edits: [edit] }] : []
    }
    if (archives !== true) return []
    const flag = await queries.fetchQuery(getFlagQuery(place))
    const live = await liveAmong(flag.environments.map(({ name }) => name))
    return listArchiveItems(project, flag, (name) => live.includes(name))
  }
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
        ...(skipped === '' ? [] : [skipped]),
      ].join(' ')
      // The summary of a change that goes live names the environment and the time itself.
      const isProduction = typeOf(environment) === 'production'
      const plainText = isProduction ? `${text} ${log.undoProduction(environment)}` : text
      const question = { title: log.undoTitle, action: log.undoAction, isDanger: isProduction }
      const now = createUndo(moved) ?? undo
      const items = await listItems(moved, now)
      const ask =
        items.length === 0
          ? { ...question, text: plainText }
          : () => goLive({ items, question, note: text, isGuarded: false })
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
