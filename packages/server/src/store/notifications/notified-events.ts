import type { EventType } from '@burgee/protocol/event'
import type { Selectable } from 'kysely'
import { chunks } from '../chunks.ts'
import type { Reader, Schema } from '../database.ts'

/** Which events: newer than one, not by a person, of none of these projects; so many at most, the newest. */
export interface Notified {
  readonly afterId: number
  readonly notBy: number
  readonly hidden: readonly string[]
  readonly limit: number
}

/** An event that may concern somebody, in short. */
export type NotifiedEvent = Pick<Selectable<Schema['events']>, 'id' | 'type' | 'feature_name'>

/** Projects that a person likes, by id. */
export async function favoriteProjects(reader: Reader, userId: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('project_favorites')
    .select('project')
    .where('user_id', '=', userId)
    .orderBy('project')
    .execute()
  return rows.map(({ project }) => project)
}

/** Events of flags but those of some types, newest first. */
export async function notifiedOfFlags(
  reader: Reader,
  names: readonly string[],
  without: readonly EventType[],
  which: Notified,
): Promise<NotifiedEvent[]> {
  const found: NotifiedEvent[] = []
  for (const part of chunks(names)) {
    const query = among(reader, which).where('feature_name', 'in', part).where('type', 'not in', without)
    found.push(...(await query.execute()))
  }
  return found.sort((a, b) => b.id - a.id).slice(0, which.limit)
}

/** Events of projects of some types, newest first. */
export async function notifiedOfProjects(
  reader: Reader,
  projects: readonly string[],
  types: readonly EventType[],
  which: Notified,
): Promise<NotifiedEvent[]> {
  if (projects.length === 0) return []
  return among(reader, which).where('project', 'in', projects).where('type', 'in', types).execute()
}

/** That flags which a person made were deleted, newest first: their own events alone tell who made them. */
export function notifiedOfDeletedFlags(reader: Reader, maker: number, which: Notified): Promise<NotifiedEvent[]> {
  return among(reader, which)
    .where('type', '=', 'feature-deleted')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('events as made')
          .select('made.id')
          .whereRef('made.feature_name', '=', 'events.feature_name')
          .where('made.type', '=', 'feature-created')
          .where('made.created_by_user_id', '=', maker),
      ),
    )
    .execute()
}

/** Events of change requests of some types, newest first, with what they say. */
export async function notifiedOfRequests(
  reader: Reader,
  projects: readonly string[],
  types: readonly EventType[],
  which: Notified,
): Promise<(NotifiedEvent & { readonly data: unknown })[]> {
  if (projects.length === 0) return []
  return among(reader, which).select('data').where('project', 'in', projects).where('type', 'in', types).execute()
}

function among(reader: Reader, { afterId, notBy, hidden, limit }: Notified) {
  const query = reader
    .selectFrom('events')
    .select(['id', 'type', 'feature_name'])
    .where('id', '>', afterId)
    .where('created_by_user_id', '!=', notBy)
    .orderBy('id', 'desc')
    .limit(limit)
  if (hidden.length === 0) return query
  return query.where(({ or, eb }) => or([eb('project', 'is', null), eb('project', 'not in', hidden)]))
}
