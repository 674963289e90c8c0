import type { NotificationReason } from '@burgee/protocol/administration/notification-reason'
import type { EventType } from '@burgee/protocol/event'
import type { Reader } from '@burgee/storage/database'
import { listRequestRows } from '@burgee/storage/queries/change-requests/requests'
import { readFollowedFlags } from '@burgee/storage/queries/notifications/flag-followers'
import {
  listChangeRequestNotifications,
  listDeletedFlagNotifications,
  listFavoriteProjects,
  listFlagNotifications,
  listProjectNotifications,
  type NotificationFilter,
} from '@burgee/storage/queries/notifications/notified-events'
import type { Actor } from '../../core/access/rights/rights.ts'
import { MAX_LISTED } from '../change-requests/request-lists.ts'
import { findInboxRequests } from '../inbox/inbox-requests.ts'

/** Maximum number of followed flags per reason. */
const MAX_FLAGS = 500
/** Maximum number of change request events to search, newest first. */
const MAX_REQUEST_EVENTS = 1000

/** Event that concerns a user, and why it does. */
export interface EventWithReason {
  readonly id: number
  readonly reason: NotificationReason
}

/** Events that name a flag but do not change it. Users are notified of a proposal once it is ready for review. */
const NO_FLAG_CHANGE_EVENTS: readonly EventType[] = [
  ...(['feature-favorited', 'feature-unfavorited'] as const),
  ...(['change-added', 'change-edited', 'change-discarded'] as const),
]

/** Events that concern a project as a whole. */
const PROJECT_EVENTS: readonly EventType[] = [
  ...(['project-updated', 'project-archived', 'project-revived', 'project-deleted'] as const),
  ...(['project-access-user-roles-updated', 'project-access-user-roles-deleted'] as const),
  ...(['project-access-group-roles-updated', 'project-access-group-roles-deleted'] as const),
  ...(['project-environment-added', 'project-environment-removed'] as const),
  ...(['default-strategy-updated', 'change-request-configuration-updated'] as const),
]

const SENT: EventType = 'change-request-sent-to-review'

/**
 * Types of events that report the outcome of a change request. The event for a successful scheduled application is not
 * included, because `change-request-applied` is written at the same time.
 */
const REQUEST_EVENTS: readonly EventType[] = [
  ...(['change-request-approval-added', 'change-request-approved', 'change-request-rejected'] as const),
  ...(['change-request-applied', 'change-request-cancelled', 'change-request-comment-added'] as const),
  ...(['change-request-scheduled', 'change-request-scheduled-application-failure'] as const),
  'change-request-schedule-suspended',
]

/** Finds events by other users about flags that a user follows. Also finds deletions of flags that the user created. */
export async function findFlagEvents(
  reader: Reader,
  userId: number,
  which: NotificationFilter,
): Promise<EventWithReason[]> {
  const followed = await readFollowedFlags(reader, userId, MAX_FLAGS)
  const found = await listFlagNotifications(reader, [...followed.keys()], NO_FLAG_CHANGE_EVENTS, which)
  const gone = await listDeletedFlagNotifications(reader, userId, which)
  return [
    ...found.map(({ id, feature_name: name }) => ({ id, reason: followed.get(name ?? '') ?? ('favorite' as const) })),
    ...gone.map(({ id }) => ({ id, reason: 'maker' as const })),
  ]
}

/** Finds events by other users about the favorite projects of a user. */
export async function findProjectEvents(
  reader: Reader,
  userId: number,
  which: NotificationFilter,
): Promise<EventWithReason[]> {
  const found = await listProjectNotifications(
    reader,
    await listFavoriteProjects(reader, userId),
    PROJECT_EVENTS,
    which,
  )
  return found.map(({ id }) => ({ id, reason: 'favorite-project' }))
}

/** Finds events about a user's own change requests, and about requests that the user can review or apply. */
export async function findRequestEvents(
  reader: Reader,
  actor: Actor,
  which: NotificationFilter,
): Promise<EventWithReason[]> {
  const page = { asker: actor.userId, limit: MAX_LISTED }
  const made = await listRequestRows(reader, { createdBy: actor.userId }, page)
  const waiting = await findInboxRequests(reader, actor)
  const own = new Set(made.map(({ id }) => id))
  const toReview = new Set(waiting.flatMap(({ action, row }) => (action === 'review' ? row.id : [])))
  const toApply = new Set(waiting.flatMap(({ action, row }) => (action === 'apply' ? row.id : [])))
  const projects = [...new Set([...made, ...waiting.map(({ row }) => row)].map(({ project }) => project))]
  const steps = (
    await listChangeRequestNotifications(reader, projects, [...REQUEST_EVENTS, SENT], {
      ...which,
      limit: MAX_REQUEST_EVENTS,
    })
  ).map(({ id, type, data }) => ({ id, type, request: getRequestId(data) }))
  const approved = new Set(steps.filter(({ type }) => type === 'change-request-approved').map(({ id }) => id))
  return steps.flatMap(({ id, type, request }): EventWithReason[] => {
    if (type === SENT) return toReview.delete(request) ? [{ id, reason: 'to-review' }] : []
    if (type === 'change-request-approved' && toApply.delete(request)) return [{ id, reason: 'to-apply' }]
    // the last required approval also causes `change-request-approved`; notify only once
    if (!own.has(request) || (type === 'change-request-approval-added' && approved.has(id + 1))) return []
    return [{ id, reason: 'your-request' }]
  })
}

/** Returns the id of the change request that an event belongs to; 0 if there is none. */
function getRequestId(data: unknown): number {
  const { changeRequestId } = (data ?? {}) as { readonly changeRequestId?: unknown }
  return typeof changeRequestId === 'number' ? changeRequestId : 0
}
