import type { EventType, Tag } from '@burgee/protocol/event'
import type { Selectable } from 'kysely'
import type { Reader, Schema } from '../database.ts'

/** Of an event what it takes to undo it. */
export type PastEvent = Pick<Selectable<Schema['events']>, (typeof COLUMNS)[number]>

const COLUMNS = [
  ...(['id', 'created_at', 'type', 'project', 'environment', 'feature_name'] as const),
  ...(['data', 'pre_data', 'undo'] as const),
] as const

/** Events that change flags and are none of their own. */
export const SHARED_EVENTS = [
  'project-environment-added',
  'project-environment-removed',
  'tag-deleted',
  'tag-type-deleted',
  'instance-imported',
] as const satisfies readonly EventType[]

/** Events of segments, and of what brings some in. */
export const SEGMENT_EVENTS = [
  'segment-created',
  'segment-updated',
  'segment-deleted',
  'instance-imported',
] as const satisfies readonly EventType[]

/** Which events: those that came after an id and before another one. */
export interface Stretch {
  readonly after: number
  readonly before: number
  readonly limit: number
}

/** Events of one flag, newest first. */
export function pastOfFlag(reader: Reader, name: string, stretch: Stretch): Promise<PastEvent[]> {
  return within(reader, stretch).where('feature_name', '=', name).execute()
}

/** Events of some types, newest first. */
export function pastOfTypes(reader: Reader, types: readonly EventType[], stretch: Stretch): Promise<PastEvent[]> {
  return within(reader, stretch).where('type', 'in', types).execute()
}

/** Which events: those after an event, or after a time in milliseconds since 1970; of both one. */
export interface After {
  readonly event?: number | undefined
  readonly at?: number | undefined
}

/** Names of flags that have events of their own after a moment, by name; no more than a limit. */
export async function flagsChangedAfter(reader: Reader, when: After, limit: number): Promise<string[]> {
  const rows = await after(reader, when)
    .select('feature_name')
    .where('feature_name', 'is not', null)
    .distinct()
    .orderBy('feature_name')
    .limit(limit)
    .execute()
  return rows.flatMap(({ feature_name: name }) => name ?? [])
}

/** Which types of events that change flags, and are none of their own, there were after a moment, and in which projects. */
export function sharedChangesAfter(reader: Reader, when: After) {
  return after(reader, when).select(['type', 'project']).where('type', 'in', SHARED_EVENTS).distinct().execute()
}

function after(reader: Reader, { event, at }: After) {
  const events = reader.selectFrom('events')
  if (event !== undefined) return events.where('id', '>', event)
  return at === undefined ? events.where('id', '<', 0) : events.where('created_at', '>', at)
}

function within(reader: Reader, { after, before, limit }: Stretch) {
  return reader
    .selectFrom('events')
    .select(COLUMNS)
    .where('id', '>', after)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
}

/** The last event of a flag before another one, and the tags that it had then; undefined where there is none. */
export async function lastTagsBefore(
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

/** Whether a flag of that name was ever in a project. */
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

/** When the first event after an id was, and which. */
export function firstEventAfter(reader: Reader, id: number): Promise<Pick<PastEvent, 'id' | 'created_at'> | undefined> {
  return reader
    .selectFrom('events')
    .select(['id', 'created_at'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
