import type { Reader } from '../../database.ts'
import { EVENT_COLUMNS, type StoredEvent, toEvent } from './events.ts'

/** Limits for reading the newest events. */
export interface TailPart {
  readonly limit: number
  /** If given, only events with a lower id are returned. */
  readonly before?: number | undefined
}

/** Returns the events of all types with an id greater than `id`, in commit order. */
export async function listEventsAfter(reader: Reader, id: number, { limit, before }: TailPart): Promise<StoredEvent[]> {
  let query = reader.selectFrom('events').select(EVENT_COLUMNS).where('id', '>', id)
  if (before !== undefined) query = query.where('id', '<', before)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map((row) => ({ ...toEvent(row), reach: row.reach }))
}
