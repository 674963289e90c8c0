import type { Tag } from '@burgee/protocol/event'
import type { Reader } from '@burgee/storage/database'
import { findLastTagsBefore, listPastEventsOfTypes, type PastEvent } from '@burgee/storage/queries/events/past-events'
import { readRemovedUpTo } from '@burgee/storage/queries/retention/old-events'
import { GAP, HistoryBreak } from './history-break.ts'
import { isLostBy, TAG_LOSSES, type TagsBefore } from './rewind-shared-event.ts'

/** Tags recorded by the last event of a flag before a given event, and the later events that deleted tags. */
interface RecordedTags {
  /** Id of that last event; 0 if there is no such event. */
  readonly id: number
  readonly tags: readonly Tag[] | undefined
  readonly losses: readonly PastEvent[]
}

/**
 * Returns a function that determines a flag's tags right before an event: the tags recorded by the flag's previous
 * event, without those deleted since. Call the function for newer events first, so that it queries deleted tags only
 * once per event of the flag.
 */
export function createTagReader(reader: Reader, name: string): TagsBefore {
  let known: RecordedTags | undefined
  return async ({ id: before }) => {
    if (known === undefined || known.id >= before) {
      const read = await readRecordedTags(reader, name, before)
      if (read instanceof HistoryBreak) return read
      known = read
    }
    const { tags, losses } = known
    return tags?.filter((tag) => !losses.some((event) => event.id < before && isLostBy(event, tag))) ?? GAP
  }
}

const MAX_LOSSES = 1000

async function readRecordedTags(reader: Reader, name: string, before: number): Promise<RecordedTags | HistoryBreak> {
  const last = await findLastTagsBefore(reader, name, before)
  if (last === undefined) return { id: 0, tags: undefined, losses: [] }
  // the log was trimmed beyond this event; the event itself remained for another purpose
  if (last.id <= (await readRemovedUpTo(reader))) return new HistoryBreak('gap', 'trimmed')
  if (last.tags.length === 0) return { ...last, losses: [] }
  const losses = await listPastEventsOfTypes(reader, TAG_LOSSES, { after: last.id, before, limit: MAX_LOSSES })
  return losses.length < MAX_LOSSES ? { ...last, losses } : GAP
}
