import type { RouteShape } from '@burgee/kit/http/route'
import type { EventType } from '@burgee/protocol/event'
import { isMembershipEvent } from '../../core/access/rights/hidden-projects.ts'
import { GUARDED_EVENTS } from '../change-requests/guard.ts'
import { isDriftEvent } from '../config/drift.ts'
import { ACCESS_EVENTS } from './access-operation-events.ts'
import { AGENT_EVENTS } from './agent-events.ts'
import { CONFIG_EVENTS } from './config-events.ts'
import { ENVIRONMENT_EDITS, FLAG_EVENTS } from './flag-operation-events.ts'
import { RELEASE_EVENTS, REQUESTED_RELEASE_EVENTS } from './release-events.ts'
import { SCIM_EVENTS } from './scim-events.ts'

/**
 * Event types that each operation can write, keyed by method and path. Operations without an entry write no events.
 * `CONSEQUENCES` lists events that follow from other events.
 */
export const OPERATION_EVENTS: Readonly<Record<string, readonly EventType[]>> = {
  ...ACCESS_EVENTS,
  ...AGENT_EVENTS,
  ...CONFIG_EVENTS,
  ...FLAG_EVENTS,
  ...RELEASE_EVENTS,
  'POST /api/admin/addons': ['addon-config-created', 'tag-type-created'],
  'DELETE /api/admin/addons/:id': ['addon-config-deleted'],
  'PUT /api/admin/addons/:id': ['addon-config-updated'],
  'POST /api/admin/environments': ['environment-created'],
  'DELETE /api/admin/environments/:name': ['api-token-deleted', 'environment-deleted', 'project-environment-removed'],
  'POST /api/admin/environments/:name/clone': [
    'default-strategy-updated',
    'environment-created',
    'project-environment-added',
  ],
  'POST /api/admin/environments/:name/off': ['environment-updated'],
  'POST /api/admin/environments/:name/on': ['environment-updated'],
  'PUT /api/admin/environments/:name/traffic-sampling': ['environment-updated'],
  'PUT /api/admin/environments/sort-order': ['environment-updated'],
  'PUT /api/admin/environments/update/:name': ['environment-updated'],
  'POST /api/admin/imports': ['instance-imported'],
  'POST /api/admin/maintenance': ['setting-created', 'setting-updated'],
  'POST /api/admin/projects': ['project-created'],
  'DELETE /api/admin/projects/:projectId': ['api-token-deleted', 'project-deleted', 'segment-deleted'],
  'PUT /api/admin/projects/:projectId': ['project-updated'],
  'DELETE /api/admin/projects/:projectId/change-requests/:id': ['change-request-discarded'],
  'PUT /api/admin/projects/:projectId/change-requests/:id/approvers': ['change-request-approvers-updated'],
  'DELETE /api/admin/projects/:projectId/change-requests/:id/changes/:changeId': ['change-discarded'],
  'PUT /api/admin/projects/:projectId/change-requests/:id/changes/:changeId': ['change-edited'],
  'POST /api/admin/projects/:projectId/change-requests/:id/comments': ['change-request-comment-added'],
  'PUT /api/admin/projects/:projectId/change-requests/:id/state': [
    ...ENVIRONMENT_EDITS,
    'change-request-applied',
    'change-request-approval-added',
    'change-request-approved',
    'change-request-cancelled',
    'change-request-comment-added',
    'change-request-rejected',
    'change-request-reopened',
    'change-request-scheduled',
    'change-request-sent-to-review',
    'feature-archived',
    'feature-dependencies-removed',
    'feature-dependency-added',
    ...REQUESTED_RELEASE_EVENTS,
    'segment-deleted',
    'segment-updated',
  ],
  'PUT /api/admin/projects/:projectId/change-requests/:id/title': ['change-request-title-updated'],
  'POST /api/admin/projects/:projectId/environments': ['project-environment-added'],
  'DELETE /api/admin/projects/:projectId/environments/:environment': ['project-environment-removed'],
  'POST /api/admin/projects/:projectId/environments/:environment/change-requests': [
    'change-added',
    'change-discarded',
    'change-edited',
    'change-request-created',
  ],
  'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config': [
    'change-request-configuration-updated',
  ],
  'POST /api/admin/projects/:projectId/environments/:environment/default-strategy': ['default-strategy-updated'],
  'DELETE /api/admin/projects/:projectId/favorites': ['project-unfavorited'],
  'POST /api/admin/projects/:projectId/favorites': ['project-favorited'],
  'PUT /api/admin/projects/:projectId/settings': ['project-updated'],
  'POST /api/admin/projects/archive/:projectId': ['project-archived'],
  'POST /api/admin/projects/revive/:projectId': ['project-revived'],
  'POST /api/admin/state/import': [
    'api-token-deleted',
    'environment-created',
    'environment-deleted',
    'feature-archived',
    'feature-created',
    'feature-deleted',
    'feature-dependencies-removed',
    'feature-dependency-removed',
    'feature-environment-disabled',
    'feature-environment-enabled',
    'feature-environment-variants-updated',
    'feature-link-added',
    'feature-metadata-updated',
    'feature-stale-off',
    'feature-stale-on',
    'feature-strategy-add',
    'feature-tagged',
    'project-created',
    'project-deleted',
    'project-environment-added',
    'segment-created',
    'segment-deleted',
    'strategy-created',
    'strategy-deleted',
    'strategy-deprecated',
    'tag-created',
    'tag-deleted',
    'tag-type-created',
    'tag-type-deleted',
  ],
  'POST /api/admin/ui-config': ['setting-created', 'setting-updated'],
  'POST /api/admin/ui-config/cors': ['setting-created', 'setting-updated'],
  ...SCIM_EVENTS,
}

/** Event type that follows from certain other event types, regardless of the operation. */
export interface Consequence {
  readonly type: EventType
  /** When the event is written, in words for the documentation. */
  readonly when: string
  readonly followsFrom: (type: EventType) => boolean
}

/** Event types that follow from other event types, regardless of the operation that writes the other events. */
export const CONSEQUENCES: readonly Consequence[] = [
  {
    type: 'change-request-skipped',
    when: 'An administrator changes a protected environment without a change request.',
    followsFrom: (type) => GUARDED_EVENTS.includes(type),
  },
  {
    type: 'addon-config-updated',
    when: 'An integration loses a project that was deleted, or that the user who named it may no longer see.',
    followsFrom: isMembershipEvent,
  },
  {
    type: 'config-drift',
    when: 'A flag, segment, context field or release template that [files](flags-as-code.md#drift) describe is changed by hand.',
    followsFrom: isDriftEvent,
  },
]

/** Event types that the server writes without a request, each with the reason. */
export const BACKGROUND_EVENTS: Partial<Record<EventType, string>> = {
  'api-token-created': 'The first start creates the configured tokens.',
  'change-request-schedule-suspended': 'A flag of a scheduled change request was archived, or its user was removed.',
  'change-request-scheduled-application-failure': 'A scheduled change request could not be applied.',
  'change-request-scheduled-application-success': 'A scheduled change request was applied.',
  'delivery-completed':
    'All known processes and edges have a change of a flag. Written only for integrations that receive these events.',
  'delivery-overdue':
    'Processes or edges lack a change of a flag after `DELIVERY_OVERDUE_MINUTES`. Written only for integrations that receive these events.',
  'feature-potentially-stale-on': 'A flag is older than the expected lifetime of its type.',
  'user-created': 'The first start creates the first administrator.',
}

/** Returns the types of the events that an operation can write, sorted; empty if it writes none. */
function listEventTypes({ method, url }: Pick<RouteShape, 'method' | 'url'>): readonly EventType[] {
  // a client whose configured URL already contains the manifest path requests that path twice
  const path = url.replace(/^(\/openfeature\/v0\/manifest)\1/, '$1')
  const direct = OPERATION_EVENTS[`${method} ${path}`] ?? []
  const further = CONSEQUENCES.filter(({ followsFrom }) => direct.some(followsFrom)).map(({ type }) => type)
  return [...new Set<EventType>([...direct, ...further])].sort()
}

/** Adds the types of the events that a route can write. */
export function withEventTypes<Shape extends RouteShape>(route: Shape): Shape {
  const eventTypes = listEventTypes(route)
  return eventTypes.length === 0 ? route : { ...route, eventTypes }
}
