import type { EventType } from '@burgee/protocol/event'
import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'

/**
 * Selects the events after a given event, except events caused by one user and events in hidden projects. If more than
 * `limit` events match, the newest are selected.
 */
export interface NotificationFilter {
  readonly afterId: number
  readonly notBy: number
  readonly hidden: readonly string[]
  readonly limit: number
}

/** Event with only the columns that notifications need. */
export type NotifiedEvent = Pick<Selectable<Schema['events']>, 'id' | 'type' | 'feature_name'>

/** Returns the ids of a user's favorite projects, sorted. */
export async function listFavoriteProjects(reader: Reader, userId: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('project_favorites')
    .select('project')
    .where('user_id', '=', userId)
    .orderBy('project')
    .execute()
  return rows.map(({ project }) => project)
}

/** Returns the selected events of the given flags, newest first. Omits the given event types. */
export async function listFlagNotifications(
  reader: Reader,
  names: readonly string[],
  without: readonly EventType[],
  which: NotificationFilter,
): Promise<NotifiedEvent[]> {
  const found: NotifiedEvent[] = []
  for (const part of chunks(names)) {
    const query = selectMatching(reader, which).where('feature_name', 'in', part).where('type', 'not in', without)
    found.push(...(await query.execute()))
  }
  return found.sort((a, b) => b.id - a.id).slice(0, which.limit)
}

/**
 * Returns the selected events that belong to one of the given projects and have one of the given types, newest first.
 */
export async function listProjectNotifications(
  reader: Reader,
  projects: readonly string[],
  types: readonly EventType[],
  which: NotificationFilter,
): Promise<NotifiedEvent[]> {
  if (projects.length === 0) return []
  return selectMatching(reader, which).where('project', 'in', projects).where('type', 'in', types).execute()
}

/**
 * Returns the deletions of flags that a user had created, newest first. Reads the creator from the creation event,
 * because no other record of a deleted flag's creator exists.
 */
export function listDeletedFlagNotifications(
  reader: Reader,
  maker: number,
  which: NotificationFilter,
): Promise<NotifiedEvent[]> {
  return selectMatching(reader, which)
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

/** Returns the selected change-request events of the given types, newest first, with their data. */
export async function listChangeRequestNotifications(
  reader: Reader,
  projects: readonly string[],
  types: readonly EventType[],
  which: NotificationFilter,
): Promise<(NotifiedEvent & { readonly data: unknown })[]> {
  if (projects.length === 0) return []
  return selectMatching(reader, which)
    .select('data')
    .where('project', 'in', projects)
    .where('type', 'in', types)
    .execute()
}

function selectMatching(reader: Reader, { afterId, notBy, hidden, limit }: NotificationFilter) {
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
