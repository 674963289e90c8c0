import type { Event } from '@burgee/protocol/event'
import { Button } from '@mantine/core'
import { searchEvents } from '../api/events.ts'
import { useLogTexts } from '../text/log.ts'
import { useTexts } from '../text/texts.tsx'
import { useEnvironmentType } from '../ui/environment.tsx'
import { tellFailed } from '../ui/feedback.tsx'
import { useMay } from '../ui/session.tsx'
import { useAct } from '../ui/use-act.ts'
import { nameOf } from './name.ts'
import { type Undo, undoOf } from './undo.ts'

const MOST_LATER = 1000

/** Takes an event back, after a question that says what else is lost; nothing where that cannot be, or is not allowed. */
export function UndoButton({ event }: { event: Event }) {
  const t = useTexts()
  const log = useLogTexts()
  const may = useMay()
  const act = useAct()
  const typeOf = useEnvironmentType()
  const undo = undoOf(event)
  if (undo === undefined || !may(undo.permission, undo.place)) return null
  const environment = event.environment ?? ''
  const what = log.types[event.type] ?? event.type
  const whose = log.ofWhom(nameOf(event), environment)
  const start = async (): Promise<void> => {
    try {
      const later = await countLater(event, undo)
      const text = [
        log.undoText(what, whose),
        ...(later === 0 ? [] : [log.undoLater(later)]),
        ...(typeOf(environment) === 'production' ? [log.undoProduction(environment)] : []),
      ].join(' ')
      const ask = { title: log.undoTitle, text, action: t.common.undo, isDanger: typeOf(environment) === 'production' }
      await act({ what: t.common.undo, ask, run: undo.run, done: log.undone(what), changes: undo.changes })
    } catch (error) {
      tellFailed(t, t.common.undo, error)
    }
  }
  return (
    <Button size="compact-xs" variant="default" aria-label={log.undoOf(what, whose)} onClick={() => void start()}>
      {t.common.undo}
    </Button>
  )
}

/** How often the same thing was changed after an event. */
async function countLater({ id, featureName }: Event, { subject }: Undo): Promise<number> {
  const query = featureName === null ? {} : { flag: featureName }
  const { events } = await searchEvents(query, { afterId: id, limit: MOST_LATER })
  return events.filter((later) => undoOf(later)?.subject === subject).length
}
