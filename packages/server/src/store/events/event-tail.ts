import type { Reader } from '../database.ts'
import { EVENT_COLUMNS, eventView, type StoredEvent } from './events.ts'

/** Which events of the tail are read. */
export interface TailPart {
  readonly limit: number
  /** Only those before this one. */
  readonly before?: number | undefined
}

/** Events after an id, of all kinds, in the order they were committed. */
export async function eventsAfter(reader: Reader, id: number, { limit, before }: TailPart): Promise<StoredEvent[]> {
  let query = reader.selectFrom('events').select(EVENT_COLUMNS).where('id', '>', id)
  if (before !== undefined) query = query.where('id', '<', before)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map((row) => ({ ...eventView(row), reach: row.reach }))
}
