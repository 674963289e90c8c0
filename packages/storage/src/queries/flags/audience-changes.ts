import type { EventType } from '@burgee/protocol/event'
import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'

/** Types of events that change which users get a flag. An event without an environment applies to all environments. */
export const AUDIENCE_EVENTS: readonly EventType[] = [
  'feature-revived',
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-strategy-add',
  'feature-strategy-update',
  'feature-strategy-remove',
  'strategy-order-changed',
  'feature-environment-variants-updated',
  'feature-dependency-added',
  'feature-dependency-removed',
  'feature-dependencies-removed',
]

/**
 * Returns the time at which the audience of each flag last changed, by flag name and then by environment. The
 * environment '' stands for all environments.
 */
export async function readLastAudienceChanges(
  reader: Reader,
  names: readonly string[],
): Promise<Map<string, ReadonlyMap<string, number>>> {
  const found = new Map<string, Map<string, number>>()
  for (const part of chunks(names)) {
    const rows = await reader
      .selectFrom('events')
      .select(({ fn }) => ['feature_name', 'environment', fn.max<number>('created_at').as('at')])
      .where('feature_name', 'in', part)
      .where('type', 'in', AUDIENCE_EVENTS)
      .groupBy(['feature_name', 'environment'])
      .execute()
    for (const { feature_name: name, environment, at } of rows) {
      const own = found.get(name ?? '') ?? new Map<string, number>()
      found.set(name ?? '', own.set(environment ?? '', Number(at)))
    }
  }
  return found
}

/** Maximum number of events that are searched for a change to something that flags share. */
const MAX_SEARCHED = 2000
const PAGE = 50

/** Event with the states before and after the change. */
export type SharedChange = Pick<Selectable<Schema['events']>, 'project' | 'environment' | 'data' | 'pre_data'>

/** Search for the last change to something that flags share. */
export interface SharedChangeSearch {
  readonly type: EventType
  /** Only events after this time are searched. */
  readonly after: number
  /** Environments whose events are searched; if omitted, all events are searched. */
  readonly environments?: readonly string[]
  readonly isMatch: (change: SharedChange) => boolean
}

/**
 * Returns the time of the last change to something that flags share, such as a segment; returns `after` if there was no
 * such change after that time. Searches at most 2,000 events; if none of them matches, returns the time of the oldest
 * of the 2,000.
 */
export async function readLastSharedChange(reader: Reader, search: SharedChangeSearch): Promise<number> {
  const { type, after, environments, isMatch } = search
  let before: number | undefined
  let oldest = after
  for (let searched = 0; searched < MAX_SEARCHED; searched += PAGE) {
    let query = reader
      .selectFrom('events')
      .select(['id', 'created_at', 'project', 'environment', 'data', 'pre_data'])
      .where('type', '=', type)
      .orderBy('id', 'desc')
      .limit(PAGE)
    if (before !== undefined) query = query.where('id', '<', before)
    if (environments !== undefined) query = query.where('environment', 'in', [...environments])
    const events = await query.execute()
    for (const event of events) {
      before = event.id
      oldest = Number(event.created_at)
      if (oldest <= after) return after
      if (isMatch(event)) return oldest
    }
    if (events.length < PAGE) return after
  }
  return oldest
}

/**
 * Returns the time since which the event log is complete: the time of the first event, or of the last import that
 * contained flags without their history.
 */
export async function readHistoryStart(reader: Reader): Promise<number> {
  const first = await reader.selectFrom('events').select('created_at').orderBy('id').limit(1).executeTakeFirst()
  return Math.max(Number(first?.created_at ?? 0), await readLastImport(reader))
}

/** Returns the time of the last import that contained flags without their history; 0 if there was no such import. */
export async function readLastImport(reader: Reader): Promise<number> {
  const imported = await reader
    .selectFrom('events')
    .select(({ fn }) => fn.max<number | null>('created_at').as('at'))
    .where('type', '=', 'instance-imported')
    .executeTakeFirst()
  return Number(imported?.at ?? 0)
}
