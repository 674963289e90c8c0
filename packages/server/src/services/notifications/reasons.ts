import type { NotificationReason } from '@burgee/protocol/administration/notification'
import type { EventType } from '@burgee/protocol/event'
import { requestsWhere } from '../../store/change-requests/requests.ts'
import type { Reader } from '../../store/database.ts'
import { flagsFollowedBy } from '../../store/notifications/flag-followers.ts'
import {
  favoriteProjects,
  type Notified,
  notifiedOfDeletedFlags,
  notifiedOfFlags,
  notifiedOfProjects,
  notifiedOfRequests,
} from '../../store/notifications/notified-events.ts'
import type { Actor } from '../access/rights/rights.ts'
import { MOST_LISTED, requestsForReview } from '../change-requests/request-lists.ts'

/** Maximum number of followed flags per reason. */
const MOST_FLAGS = 500
/** Maximum number of change request events to search, newest first. */
const MOST_STEPS = 1000

/** Event that concerns a user, with the reason. */
export interface Reasoned {
  readonly id: number
  readonly reason: NotificationReason
}

/** Events that name a flag but do not change it; users are notified of proposals when these are ready for review. */
const NOT_OF_FLAG: readonly EventType[] = [
  ...(['feature-favorited', 'feature-unfavorited'] as const),
  ...(['change-added', 'change-edited', 'change-discarded'] as const),
]

/** Events that concern a project as a whole. */
const OF_PROJECT: readonly EventType[] = [
  ...(['project-updated', 'project-archived', 'project-revived', 'project-deleted'] as const),
  ...(['project-access-user-roles-updated', 'project-access-user-roles-deleted'] as const),
  ...(['project-access-group-roles-updated', 'project-access-group-roles-deleted'] as const),
  ...(['project-environment-added', 'project-environment-removed'] as const),
  ...(['default-strategy-updated', 'change-request-configuration-updated'] as const),
]

const SENT: EventType = 'change-request-sent-to-review'

/**
 * Types of events about the outcome of a change request. Does not include the event for a successful scheduled
 * application, because `change-request-applied` is written together with it.
 */
const OF_REQUEST: readonly EventType[] = [
  ...(['change-request-approval-added', 'change-request-approved', 'change-request-rejected'] as const),
  ...(['change-request-applied', 'change-request-cancelled', 'change-request-comment-added'] as const),
  ...(['change-request-scheduled', 'change-request-scheduled-application-failure'] as const),
  'change-request-schedule-suspended',
]

/** Finds events by others about flags that a user follows. Also finds the deletion of flags that the user created. */
export async function ofFlags(reader: Reader, userId: number, which: Notified): Promise<Reasoned[]> {
  const followed = await flagsFollowedBy(reader, userId, MOST_FLAGS)
  const found = await notifiedOfFlags(reader, [...followed.keys()], NOT_OF_FLAG, which)
  const gone = await notifiedOfDeletedFlags(reader, userId, which)
  return [
    ...found.map(({ id, feature_name: name }) => ({ id, reason: followed.get(name ?? '') ?? ('favorite' as const) })),
    ...gone.map(({ id }) => ({ id, reason: 'maker' as const })),
  ]
}

/** Finds events by others about projects that a user has as favorites. */
export async function ofProjects(reader: Reader, userId: number, which: Notified): Promise<Reasoned[]> {
  const found = await notifiedOfProjects(reader, await favoriteProjects(reader, userId), OF_PROJECT, which)
  return found.map(({ id }) => ({ id, reason: 'favorite-project' }))
}

/** Finds events about a user's own change requests, and change requests of others that wait for their review. */
export async function ofRequests(reader: Reader, actor: Actor, which: Notified): Promise<Reasoned[]> {
  const page = { asker: actor.userId, limit: MOST_LISTED }
  const made = await requestsWhere(reader, { createdBy: actor.userId }, page)
  const waiting = await requestsForReview(reader, actor)
  const own = new Set(made.map(({ id }) => id))
  const toReview = new Set(waiting.map(({ id }) => id))
  const projects = [...new Set([...made, ...waiting].map(({ project }) => project))]
  const steps = (
    await notifiedOfRequests(reader, projects, [...OF_REQUEST, SENT], { ...which, limit: MOST_STEPS })
  ).map(({ id, type, data }) => ({ id, type, request: requestOf(data) }))
  const approved = new Set(steps.filter(({ type }) => type === 'change-request-approved').map(({ id }) => id))
  return steps.flatMap(({ id, type, request }): Reasoned[] => {
    if (type === SENT) return toReview.delete(request) ? [{ id, reason: 'to-review' }] : []
    // the deciding approval also causes `change-request-approved`: notify only once
    if (!own.has(request) || (type === 'change-request-approval-added' && approved.has(id + 1))) return []
    return [{ id, reason: 'your-request' }]
  })
}

/** Returns the change request of an event; 0 for none. */
function requestOf(data: unknown): number {
  const { changeRequestId } = (data ?? {}) as { readonly changeRequestId?: unknown }
  return typeof changeRequestId === 'number' ? changeRequestId : 0
}
