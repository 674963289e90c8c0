import Type, { type Static } from 'typebox'
import { EventAgent } from './administration/agent.ts'

/** Label of a flag. Source: spec "Tag". */
export const Tag = Type.Object({ value: Type.String(), type: Type.String() })
export type Tag = Static<typeof Tag>

/** Tag in the form that users enter. Source: wire protocol */
export const TagInput = Type.Object({
  value: Type.String({ minLength: 2, maxLength: 50 }),
  type: Type.String({ minLength: 1, maxLength: 100 }),
})
export type TagInput = Static<typeof TagInput>

/** Response with the tags of a flag. */
export const Tags = Type.Object({ version: Type.Integer(), tags: Type.Array(Tag) })

/** Request body that adds tags to several flags and removes tags from them. Source: spec "Bulk tag request". */
export const BulkTags = Type.Object(
  {
    features: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 5000 }),
    tags: Type.Object({
      addedTags: Type.Array(Type.Object(TagInput.properties, { additionalProperties: false })),
      removedTags: Type.Array(Type.Object(Tag.properties, { additionalProperties: false })),
    }),
  },
  { additionalProperties: false },
)
export type BulkTags = Static<typeof BulkTags>

/**
 * Record of a change and its author. Source: spec "Events". Fields that do not apply are null, except that `tags` is
 * [].
 */
export const Event = Type.Object({
  id: Type.Integer(),
  createdAt: Type.String({ format: 'date-time' }),
  type: Type.String(),
  createdBy: Type.String(),
  createdByUserId: Type.Integer(),
  environment: Type.Union([Type.String(), Type.Null()]),
  project: Type.Union([Type.String(), Type.Null()]),
  featureName: Type.Union([Type.String(), Type.Null()]),
  data: Type.Unknown(),
  preData: Type.Unknown(),
  tags: Type.Array(Tag),
  /**
   * IP address of the caller, which only administrators can see; null for changes that the server itself made. Burgee
   * extension.
   */
  ip: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** Agent that made the change on behalf of the author; absent if no agent was involved. Burgee extension. */
  agent: Type.Optional(EventAgent),
})
export type Event = Static<typeof Event>

/** Summary of an event, which a user interface uses to determine which data to reload. */
export const EventSummary = Type.Pick(Event, ['id', 'type', 'project', 'environment', 'featureName'])
export type EventSummary = Static<typeof EventSummary>

/** Data of the message `events` in the event stream of the admin UI, in chronological order. Burgee extension. */
export const EventSummaries = Type.Object({ events: Type.Array(EventSummary) })
export type EventSummaries = Static<typeof EventSummaries>

/**
 * Data of `connected`, the first message of the event stream: the current position in the event log. Burgee extension.
 */
export const LogPosition = Type.Object({
  /** Id of the newest event; 0 if there are no events. */
  lastEventId: Type.Integer({ minimum: 0 }),
  /** Database epoch to which the id belongs. Ids from different epochs cannot be compared. */
  epoch: Type.String(),
  /** Age of the newest event in milliseconds. */
  sinceLastEventMs: Type.Integer({ minimum: 0 }),
})
export type LogPosition = Static<typeof LogPosition>

/**
 * Event types. The value is true if events of the type change what SDKs download. Source: the event names of Unleash.
 */
export const EVENTS = {
  'feature-created': true,
  'feature-metadata-updated': true,
  'feature-archived': true,
  'feature-revived': true,
  'feature-project-change': true,
  'feature-stale-on': true,
  'feature-stale-off': true,
  'feature-tagged': true,
  'feature-untagged': true,
  'feature-environment-enabled': true,
  'feature-environment-disabled': true,
  'feature-strategy-add': true,
  'feature-strategy-update': true,
  'feature-strategy-remove': true,
  'strategy-order-changed': true,
  'feature-environment-variants-updated': true,
  'feature-dependency-added': true,
  'feature-dependency-removed': true,
  'feature-dependencies-removed': true,
  'segment-created': true,
  'segment-updated': true,
  'segment-deleted': true,
  'project-deleted': true,
  'project-environment-added': true,
  'project-environment-removed': true,
  'environment-deleted': true,
  'tag-deleted': true,
  'tag-type-deleted': true,
  'instance-imported': true,
  'feature-deleted': false,
  'feature-link-added': false,
  'feature-link-updated': false,
  'feature-link-removed': false,
  'feature-comment-added': false,
  'feature-comment-edited': false,
  'feature-comment-deleted': false,
  'feature-potentially-stale-on': false,
  'feature-favorited': false,
  'feature-unfavorited': false,
  'features-exported': false,
  'features-imported': false,
  'features-promoted': false,
  'config-applied': false,
  'config-drift': false,
  'feature-completed': false,
  'feature-uncompleted': false,
  'feature-snoozed': false,
  'feature-unsnoozed': false,
  'feature-type-updated': false,
  'release-plan-template-created': false,
  'release-plan-template-updated': false,
  'release-plan-template-archived': false,
  'release-plan-template-deleted': false,
  'release-plan-added': false,
  'release-plan-removed': false,
  'release-plan-milestone-started': false,
  'release-plan-progressions-paused': false,
  'release-plan-progressions-resumed': false,
  'milestone-progression-created': false,
  'milestone-progression-updated': false,
  'milestone-progression-deleted': false,
  'safeguard-changed': false,
  'safeguard-deleted': false,
  'safeguard-tripped': false,
  'impact-metric-created': false,
  'impact-metric-updated': false,
  'impact-metric-deleted': false,
  'signal-endpoint-created': false,
  'signal-endpoint-deleted': false,
  'tag-created': false,
  'tag-type-created': false,
  'tag-type-updated': false,
  'context-field-created': false,
  'context-field-updated': false,
  'context-field-deleted': false,
  'strategy-created': false,
  'strategy-updated': false,
  'strategy-deleted': false,
  'strategy-deprecated': false,
  'strategy-reactivated': false,
  'default-strategy-updated': false,
  'project-created': false,
  'project-updated': false,
  'project-archived': false,
  'project-revived': false,
  'project-favorited': false,
  'project-unfavorited': false,
  'project-access-user-roles-updated': false,
  'project-access-user-roles-deleted': false,
  'project-access-group-roles-updated': false,
  'project-access-group-roles-deleted': false,
  'environment-created': false,
  'environment-updated': false,
  'addon-config-created': false,
  'addon-config-updated': false,
  'addon-config-deleted': false,
  'api-token-created': false,
  'api-token-updated': false,
  'api-token-deleted': false,
  'test-run-created': false,
  'test-run-updated': false,
  'test-run-deleted': false,
  'pat-created': false,
  'pat-deleted': false,
  'group-user-added': false,
  'group-user-removed': false,
  'setting-created': false,
  'setting-updated': false,
  'public-signup-token-created': false,
  'public-signup-token-updated': false,
  'public-signup-token-user-added': false,
  'role-created': false,
  'role-updated': false,
  'role-deleted': false,
  'group-created': false,
  'group-updated': false,
  'group-deleted': false,
  'service-account-created': false,
  'service-account-updated': false,
  'service-account-deleted': false,
  'user-created': false,
  'user-updated': false,
  'user-deleted': false,
  'delivery-completed': false,
  'delivery-overdue': false,
  'change-request-configuration-updated': false,
  'change-request-created': false,
  'change-request-discarded': false,
  'change-request-title-updated': false,
  'change-request-comment-added': false,
  'change-request-approvers-updated': false,
  'change-added': false,
  'change-edited': false,
  'change-discarded': false,
  'change-request-sent-to-review': false,
  'change-request-reopened': false,
  'change-request-approval-added': false,
  'change-request-approved': false,
  'change-request-rejected': false,
  'change-request-cancelled': false,
  'change-request-scheduled': false,
  'change-request-scheduled-application-success': false,
  'change-request-scheduled-application-failure': false,
  'change-request-schedule-suspended': false,
  'change-request-applied': false,
  'change-request-skipped': false,
} as const
export type EventType = keyof typeof EVENTS

/** Prefixes of event types that only administrators may see, because they concern users, credentials or settings. */
export const ADMIN_EVENT_PREFIXES = [
  ...['user-', 'api-token-', 'pat-', 'setting-', 'role-', 'group-', 'service-account-'],
  // events of these types contain project names that the reader may not be allowed to see
  ...['addon-config-', 'public-signup-token-'],
]

/** Returns true if only administrators may see events of this type. */
export function isAdminEvent(type: string): boolean {
  return ADMIN_EVENT_PREFIXES.some((beginning) => type.startsWith(beginning))
}

/** Response of `GET /api/admin/events/:featureName`. Source: spec "Feature events response". */
export const FeatureEvents = Type.Object({
  version: Type.Literal(1),
  toggleName: Type.String(),
  events: Type.Array(Event),
  totalEvents: Type.Integer(),
})
export type FeatureEvents = Static<typeof FeatureEvents>
