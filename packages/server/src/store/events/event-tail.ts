import type { Reader } from '../database.ts'
import { eventView, type StoredEvent } from './events.ts'

/** Events after an id, of all kinds, in the order they were committed; at most `limit`. */
export async function eventsAfter(reader: Reader, id: number, limit: number): Promise<StoredEvent[]> {
  const rows = await reader.selectFrom('events').selectAll().where('id', '>', id).orderBy('id').limit(limit).execute()
  return rows.map((row) => ({ ...eventView(row), reach: row.reach }))
}
