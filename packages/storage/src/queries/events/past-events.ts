import type { EventType, Tag } from '@burgee/protocol/event'
import type { Selectable } from 'kysely'
import type { Reader, Schema } from '../../database.ts'

/** Event columns that are needed to undo the event. */
export type PastEvent = Pick<Selectable<Schema['events']>, (typeof COLUMNS)[number]>

const COLUMNS = [
  ...(['id', 'created_at', 'type', 'project', 'environment', 'feature_name'] as const),
  ...(['data', 'pre_data', 'undo'] as const),
] as const

/** Types of events that change flags without belonging to a single flag. */
export const SHARED_EVENTS = [
  'project-environment-added',
  'project-environment-removed',
  'tag-deleted',
  'tag-type-deleted',
  'instance-imported',
] as const satisfies readonly EventType[]

/** Types of events that change segments, including imports. */
export const SEGMENT_EVENTS = [
  'segment-created',
  'segment-updated',
  'segment-deleted',
  'instance-imported',
] as const satisfies readonly EventType[]

/** Range of event ids. Both ends are exclusive. */
export interface EventRange {
  readonly after: number
  readonly before: number
  readonly limit: number
}

/** Returns the events of one flag within a range of ids, newest first. */
export function listPastFlagEvents(reader: Reader, name: string, stretch: EventRange): Promise<PastEvent[]> {
  return selectWithin(reader, stretch).where('feature_name', '=', name).execute()
}

/** Returns the events of the given types within a range of ids, newest first. */
export function listPastEventsOfTypes(
  reader: Reader,
  types: readonly EventType[],
  stretch: EventRange,
): Promise<PastEvent[]> {
  return selectWithin(reader, stretch).where('type', 'in', types).execute()
}

/**
 * Start of a range of events: an event id or a time in milliseconds since 1970. If neither is given, the range is
 * empty.
 */
export interface EventStart {
  readonly event?: number | undefined
  readonly at?: number | undefined
}

/**
 * Returns the names of flags that have events in the range, sorted; at most `limit` names. Ignores events that do not
 * belong to a single flag.
 */
export async function listFlagsChangedAfter(reader: Reader, when: EventStart, limit: number): Promise<string[]> {
  const rows = await selectAfter(reader, when)
    .select('feature_name')
    .where('feature_name', 'is not', null)
    .distinct()
    .orderBy('feature_name')
    .limit(limit)
    .execute()
  return rows.flatMap(({ feature_name: name }) => name ?? [])
}

/** Returns the types and projects of events in the range that change flags without belonging to a single flag. */
export function listSharedChangesAfter(reader: Reader, when: EventStart) {
  return selectAfter(reader, when).select(['type', 'project']).where('type', 'in', SHARED_EVENTS).distinct().execute()
}

function selectAfter(reader: Reader, { event, at }: EventStart) {
  const events = reader.selectFrom('events')
  if (event !== undefined) return events.where('id', '>', event)
  return at === undefined ? events.where('id', '<', 0) : events.where('created_at', '>', at)
}

function selectWithin(reader: Reader, { after, before, limit }: EventRange) {
  return reader
    .selectFrom('events')
    .select(COLUMNS)
    .where('id', '>', after)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
}

/**
 * Returns the last event of a flag before a given event id, with the tags that the flag had at that time. Returns
 * undefined if there is no earlier event.
 */
export async function findLastTagsBefore(
  reader: Reader,
  name: string,
  before: number,
): Promise<{ id: number; tags: Tag[] } | undefined> {
  return reader
    .selectFrom('events')
    .select(['id', 'tags'])
    .where('feature_name', '=', name)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns true if a flag with this name was ever in the project. */
export async function wasInProject(reader: Reader, name: string, project: string): Promise<boolean> {
  const row = await reader
    .selectFrom('events')
    .select('id')
    .where('feature_name', '=', name)
    .where('project', '=', project)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the id and creation time of the first event whose id is greater than `id`. */
export function findFirstEventAfter(
  reader: Reader,
  id: number,
): Promise<Pick<PastEvent, 'id' | 'created_at'> | undefined> {
  return reader
    .selectFrom('events')
    .select(['id', 'created_at'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
