import type { Event } from '@burgee/protocol/event'
import { sql } from 'kysely'
import type { Reader } from '../../database.ts'
import { buildConditions, type EventConditions, resolveUserIds, selectDepartures } from './event-conditions.ts'
import { listEventsByIds } from './events.ts'

/**
 * Maximum number of events on a page, and maximum number of characters of their JSON. A single event may exceed the
 * character limit.
 */
const MAX_PAGE = { events: 500, characters: 262_144 }

/**
 * Returns the next matching events after `afterId`, oldest first, with their client addresses. Returns as many events
 * as fit on a page; one event is returned even if it exceeds the character limit. A filter by project also matches
 * events that moved a flag out of the project.
 */
export async function readExportPage(reader: Reader, wanted: EventConditions): Promise<Event[]> {
  const filter = { ...wanted, columns: await resolveUserIds(reader, wanted.columns) }
  const own = reader.selectFrom('events').where((eb) => eb.and(buildConditions(eb, filter)))
  const queries = [own, selectDepartures(reader, filter)].filter((query) => query !== undefined)
  const found: SizedEvent[] = []
  for (const query of queries) {
    const rows = await query
      .select(['id', sql<number>`coalesce(length(data), 0) + coalesce(length(pre_data), 0)`.as('characters')])
      .orderBy('id')
      .limit(MAX_PAGE.events)
      .execute()
    for (const { id, characters } of rows) found.push({ id: Number(id), characters: Number(characters) })
  }
  const page = selectPage(found.sort((one, other) => one.id - other.id))
  return (await listEventsByIds(reader, page, true)).reverse()
}

interface SizedEvent {
  readonly id: number
  readonly characters: number
}

function selectPage(events: readonly SizedEvent[]): number[] {
  const ids: number[] = []
  let total = 0
  for (const { id, characters } of events.slice(0, MAX_PAGE.events)) {
    total += characters
    if (ids.length > 0 && total > MAX_PAGE.characters) break
    ids.push(id)
  }
  return ids
}
