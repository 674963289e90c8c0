import type { RouteShape } from '@burgee/kit/http/route'
import type { EventType } from '@burgee/protocol/event'
import { isMembershipEvent } from '../../core/access/rights/hidden-projects.ts'
import { GUARDED_EVENTS } from '../change-requests/guard.ts'
import { AGENT_EVENTS } from './agent-events.ts'
import { CONFIG_EVENTS } from './config-events.ts'
import { RELEASE_EVENTS, REQUESTED_RELEASE_EVENTS } from './release-events.ts'
import { SCIM_EVENTS } from './scim-events.ts'

/** Types of events that change the state of a flag in an environment. */
const ENVIRONMENT_EDITS = [
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-environment-variants-updated',
  'feature-strategy-add',
  'feature-strategy-update',
  'feature-strategy-remove',
  'strategy-order-changed',
] as const satisfies readonly EventType[]

/**
 * Event types that each operation can write, keyed by method and path. Operations without an entry write no events.
 * `CONSEQUENCES` lists events that follow from other events.
 */
export const OPERATION_EVENTS: Readonly<Record<string, readonly EventType[]>> = {
  ...AGENT_EVENTS,
  ...CONFIG_EVENTS,
  ...RELEASE_EVENTS,
  'POST /api/admin/addons': ['addon-config-created', 'tag-type-created'],
  'DELETE /api/admin/addons/:id': ['addon-config-deleted'],
  'PUT /api/admin/addons/:id': ['addon-config-updated'],
  'POST /api/admin/api-tokens': ['api-token-created'],
  'DELETE /api/admin/api-tokens/:token': ['api-token-deleted'],
  'PUT /api/admin/api-tokens/:token': ['api-token-updated'],
  'DELETE /api/admin/archive/:featureName': ['feature-deleted', 'feature-dependency-removed'],
  'POST /api/admin/archive/revive/:featureName': ['feature-environment-disabled', 'feature-revived'],
  'POST /api/admin/auth/oidc/settings': ['setting-created', 'setting-updated'],
  'POST /api/admin/auth/simple/settings': ['setting-created', 'setting-updated'],
  'POST /api/admin/context': ['context-field-created'],
  'DELETE /api/admin/context/:contextField': ['context-field-deleted'],
  'PUT /api/admin/context/:contextField': ['context-field-updated'],
  'POST /api/admin/context/:contextField/legal-values': ['context-field-updated'],
  'DELETE /api/admin/context/:contextField/legal-values/:legalValue': ['context-field-updated'],
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
  'PUT /api/admin/feature-types/:id/lifetime': ['feature-type-updated'],
  'POST /api/admin/features-batch/export': ['features-exported'],
  'POST /api/admin/features-batch/import': [
    'context-field-created',
    'feature-created',
    'feature-dependency-added',
    'feature-environment-disabled',
    'feature-environment-enabled',
    'feature-environment-variants-updated',
    'feature-metadata-updated',
    'feature-stale-off',
    'feature-stale-on',
    'feature-strategy-add',
    'feature-strategy-remove',
    'feature-tagged',
    'features-imported',
    'segment-created',
    'tag-created',
    'tag-type-created',
  ],
  'POST /api/admin/features/:featureName/tags': ['feature-tagged', 'tag-created'],
  'PUT /api/admin/features/:featureName/tags': ['feature-tagged', 'feature-untagged', 'tag-created'],
  'DELETE /api/admin/features/:featureName/tags/:type/:value': ['feature-untagged'],
  'POST /api/admin/groups': ['group-created', 'group-user-added'],
  'DELETE /api/admin/groups/:groupId': ['group-deleted'],
  'PUT /api/admin/groups/:groupId': ['group-updated', 'group-user-added', 'group-user-removed'],
  'DELETE /api/admin/groups/scim-groups': ['group-deleted'],
  'POST /api/admin/imports': ['instance-imported'],
  'POST /api/admin/invite-link/tokens': ['public-signup-token-created'],
  'PUT /api/admin/invite-link/tokens/:token': ['public-signup-token-updated'],
  'POST /api/admin/maintenance': ['setting-created', 'setting-updated'],
  'POST /api/admin/projects': ['project-created'],
  'DELETE /api/admin/projects/:projectId': ['api-token-deleted', 'project-deleted', 'segment-deleted'],
  'PUT /api/admin/projects/:projectId': ['project-updated'],
  'POST /api/admin/projects/:projectId/access': [
    'project-access-group-roles-updated',
    'project-access-user-roles-updated',
  ],
  'PUT /api/admin/projects/:projectId/access': [
    'project-access-group-roles-deleted',
    'project-access-group-roles-updated',
    'project-access-user-roles-deleted',
    'project-access-user-roles-updated',
  ],
  'POST /api/admin/projects/:projectId/api-tokens': ['api-token-created'],
  'DELETE /api/admin/projects/:projectId/api-tokens/:token': ['api-token-deleted'],
  'POST /api/admin/projects/:projectId/archive': ['feature-archived', 'feature-dependencies-removed'],
  'POST /api/admin/projects/:projectId/bulk_features/environments/:environment/off': ['feature-environment-disabled'],
  'POST /api/admin/projects/:projectId/bulk_features/environments/:environment/on': [
    'feature-environment-enabled',
    'feature-strategy-add',
    'feature-strategy-update',
  ],
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
  'POST /api/admin/projects/:projectId/delete': ['feature-deleted', 'feature-dependency-removed'],
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
  'POST /api/admin/projects/:projectId/environments/:environment/promotions': [
    ...ENVIRONMENT_EDITS,
    'change-added',
    'change-request-created',
    'features-promoted',
  ],
  'POST /api/admin/projects/:projectId/environments/:environment/promotions/undo': [...ENVIRONMENT_EDITS],
  'DELETE /api/admin/projects/:projectId/favorites': ['project-unfavorited'],
  'POST /api/admin/projects/:projectId/favorites': ['project-favorited'],
  'POST /api/admin/projects/:projectId/features': [
    'feature-created',
    'feature-link-added',
    'feature-tagged',
    'tag-created',
  ],
  'DELETE /api/admin/projects/:projectId/features/:featureName': ['feature-archived', 'feature-dependencies-removed'],
  'PATCH /api/admin/projects/:projectId/features/:featureName': [
    'feature-metadata-updated',
    'feature-stale-off',
    'feature-stale-on',
  ],
  'PUT /api/admin/projects/:projectId/features/:featureName': [
    'feature-metadata-updated',
    'feature-stale-off',
    'feature-stale-on',
  ],
  'POST /api/admin/projects/:projectId/features/:featureName/changeProject': ['feature-project-change'],
  'POST /api/admin/projects/:projectId/features/:featureName/clone': [
    'feature-created',
    'feature-dependency-added',
    'feature-environment-variants-updated',
    'feature-link-added',
    'feature-strategy-add',
  ],
  'POST /api/admin/projects/:projectId/features/:featureName/comments': ['feature-comment-added'],
  'DELETE /api/admin/projects/:projectId/features/:featureName/comments/:id': ['feature-comment-deleted'],
  'PUT /api/admin/projects/:projectId/features/:featureName/comments/:id': ['feature-comment-edited'],
  'DELETE /api/admin/projects/:projectId/features/:featureName/dependencies': ['feature-dependencies-removed'],
  'POST /api/admin/projects/:projectId/features/:featureName/dependencies': ['feature-dependency-added'],
  'DELETE /api/admin/projects/:projectId/features/:featureName/dependencies/:parent': ['feature-dependency-removed'],
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off': [
    'feature-environment-disabled',
  ],
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on': [
    'feature-environment-enabled',
    'feature-strategy-add',
    'feature-strategy-update',
  ],
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies': [
    'feature-environment-disabled',
    'feature-strategy-add',
  ],
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId': [
    'feature-environment-disabled',
    'feature-strategy-remove',
  ],
  'PATCH /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId': [
    'feature-environment-disabled',
    'feature-strategy-update',
  ],
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId': [
    'feature-environment-disabled',
    'feature-strategy-update',
  ],
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/set-sort-order': [
    'strategy-order-changed',
  ],
  'PATCH /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants': [
    'feature-environment-variants-updated',
  ],
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants': [
    'feature-environment-variants-updated',
  ],
  'DELETE /api/admin/projects/:projectId/features/:featureName/favorites': ['feature-unfavorited'],
  'POST /api/admin/projects/:projectId/features/:featureName/favorites': ['feature-favorited'],
  'POST /api/admin/projects/:projectId/features/:featureName/history/restoration': [
    ...ENVIRONMENT_EDITS,
    'feature-link-added',
    'feature-link-removed',
    'feature-link-updated',
    'feature-metadata-updated',
    'feature-tagged',
    'feature-untagged',
    'tag-created',
  ],
  'POST /api/admin/projects/:projectId/features/:featureName/lifecycle/complete': ['feature-completed'],
  'POST /api/admin/projects/:projectId/features/:featureName/lifecycle/uncomplete': ['feature-uncompleted'],
  'POST /api/admin/projects/:projectId/features/:featureName/link': ['feature-link-added'],
  'DELETE /api/admin/projects/:projectId/features/:featureName/link/:linkId': ['feature-link-removed'],
  'PUT /api/admin/projects/:projectId/features/:featureName/link/:linkId': ['feature-link-updated'],
  'PATCH /api/admin/projects/:projectId/features/:featureName/variants': ['feature-environment-variants-updated'],
  'PUT /api/admin/projects/:projectId/features/:featureName/variants': ['feature-environment-variants-updated'],
  'PUT /api/admin/projects/:projectId/features/:featureName/variants-batch': ['feature-environment-variants-updated'],
  'DELETE /api/admin/projects/:projectId/groups/:groupId/roles': ['project-access-group-roles-deleted'],
  'PUT /api/admin/projects/:projectId/groups/:groupId/roles': [
    'project-access-group-roles-deleted',
    'project-access-group-roles-updated',
  ],
  'DELETE /api/admin/projects/:projectId/groups/:groupId/roles/:roleId': [
    'project-access-group-roles-deleted',
    'project-access-group-roles-updated',
  ],
  'POST /api/admin/projects/:projectId/groups/:groupId/roles/:roleId': ['project-access-group-roles-updated'],
  'POST /api/admin/projects/:projectId/revive': ['feature-environment-disabled', 'feature-revived'],
  'POST /api/admin/projects/:projectId/role/:roleId/access': [
    'project-access-group-roles-updated',
    'project-access-user-roles-updated',
  ],
  'PUT /api/admin/projects/:projectId/settings': ['project-updated'],
  'POST /api/admin/projects/:projectId/snooze': ['feature-snoozed', 'feature-unsnoozed'],
  'POST /api/admin/projects/:projectId/stale': ['feature-stale-off', 'feature-stale-on'],
  'PUT /api/admin/projects/:projectId/tags': ['feature-tagged', 'feature-untagged', 'tag-created'],
  'DELETE /api/admin/projects/:projectId/users/:userId/roles': ['project-access-user-roles-deleted'],
  'PUT /api/admin/projects/:projectId/users/:userId/roles': [
    'project-access-user-roles-deleted',
    'project-access-user-roles-updated',
  ],
  'DELETE /api/admin/projects/:projectId/users/:userId/roles/:roleId': [
    'project-access-user-roles-deleted',
    'project-access-user-roles-updated',
  ],
  'POST /api/admin/projects/:projectId/users/:userId/roles/:roleId': ['project-access-user-roles-updated'],
  'POST /api/admin/projects/archive/:projectId': ['project-archived'],
  'POST /api/admin/projects/revive/:projectId': ['project-revived'],
  'POST /api/admin/roles': ['role-created'],
  'DELETE /api/admin/roles/:roleId': ['role-deleted'],
  'PUT /api/admin/roles/:roleId': ['role-updated'],
  'POST /api/admin/scim-settings': ['setting-created', 'setting-updated'],
  'POST /api/admin/scim-settings/generate-new-token': ['setting-created', 'setting-updated'],
  'POST /api/admin/segments': ['segment-created'],
  'DELETE /api/admin/segments/:segmentId': ['segment-deleted'],
  'PUT /api/admin/segments/:segmentId': ['segment-updated'],
  'POST /api/admin/segments/strategies': ['feature-strategy-update'],
  'POST /api/admin/service-account': ['service-account-created'],
  'DELETE /api/admin/service-account/:accountId': ['service-account-deleted'],
  'PUT /api/admin/service-account/:accountId': ['service-account-updated'],
  'POST /api/admin/service-account/:accountId/token': ['pat-created'],
  'DELETE /api/admin/service-account/:accountId/token/:tokenId': ['pat-deleted'],
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
  'POST /api/admin/strategies': ['strategy-created'],
  'DELETE /api/admin/strategies/:strategyName': ['strategy-deleted'],
  'PUT /api/admin/strategies/:strategyName': ['strategy-updated'],
  'POST /api/admin/strategies/:strategyName/deprecate': ['strategy-deprecated'],
  'POST /api/admin/strategies/:strategyName/reactivate': ['strategy-reactivated'],
  'POST /api/admin/tag-types': ['tag-type-created'],
  'DELETE /api/admin/tag-types/:name': ['tag-type-deleted'],
  'PUT /api/admin/tag-types/:name': ['tag-type-updated'],
  'POST /api/admin/tags': ['tag-created'],
  'DELETE /api/admin/tags/:type/:value': ['tag-deleted'],
  'POST /api/admin/ui-config': ['setting-created', 'setting-updated'],
  'POST /api/admin/ui-config/cors': ['setting-created', 'setting-updated'],
  'POST /api/admin/user-admin': ['project-access-user-roles-updated', 'user-created'],
  'DELETE /api/admin/user-admin/sessions': ['user-updated'],
  'DELETE /api/admin/user-admin/:userId/sessions': ['user-updated'],
  'DELETE /api/admin/user-admin/:userId': ['user-deleted'],
  'PUT /api/admin/user-admin/:userId': ['user-updated'],
  'POST /api/admin/user-admin/:userId/change-password': ['pat-deleted', 'user-updated'],
  'POST /api/admin/user-admin/inactive/delete': ['user-deleted'],
  'POST /api/admin/user-admin/reset-password': ['user-updated'],
  'DELETE /api/admin/user-admin/scim-users': ['user-deleted'],
  'POST /api/admin/user/change-password': ['pat-deleted', 'user-updated'],
  'PUT /api/admin/user/profile': ['user-updated'],
  'POST /api/admin/user/sessions/end': ['user-updated'],
  'POST /api/admin/user/tokens': ['pat-created'],
  'DELETE /api/admin/user/tokens/:id': ['pat-deleted'],
  'GET /auth/oidc/callback': ['group-user-added', 'group-user-removed', 'pat-deleted', 'user-created', 'user-updated'],
  'POST /auth/reset/password': ['pat-deleted', 'user-updated'],
  'POST /auth/reset/password-email': ['user-updated'],
  'POST /invite/:token/signup': ['project-access-user-roles-updated', 'public-signup-token-user-added', 'user-created'],
  'POST /openfeature/v0/manifest/flags': ['feature-created'],
  'DELETE /openfeature/v0/manifest/flags/:key': ['feature-archived'],
  'PUT /openfeature/v0/manifest/flags/:key': ['feature-metadata-updated'],
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
]

/** Event types that the server writes without a request, each with the reason. */
export const BACKGROUND_EVENTS: Partial<Record<EventType, string>> = {
  'api-token-created': 'The first start creates the configured tokens.',
  'change-request-schedule-suspended': 'A flag of a scheduled change request was archived, or its user was removed.',
  'change-request-scheduled-application-failure': 'A scheduled change request could not be applied.',
  'change-request-scheduled-application-success': 'A scheduled change request was applied.',
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
