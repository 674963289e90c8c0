import Type, { type Static } from 'typebox'
import { NamedPerson } from './comment.ts'
import { CodeRemoval } from './removal.ts'

/** Actions on a change request that the caller is expected to take, in order of urgency. Burgee extension. */
export const INBOX_ACTIONS = ['failed-schedule', 'review', 'apply'] as const
export type InboxAction = (typeof INBOX_ACTIONS)[number]

const RequestSummary = {
  id: Type.Integer(),
  title: Type.String(),
  project: Type.String(),
  environment: Type.String(),
}

/** Change request that awaits an action by the caller. */
export const InboxRequest = Type.Object({
  ...RequestSummary,
  action: Type.Enum(INBOX_ACTIONS),
  createdBy: NamedPerson,
  /** Time at which the change request entered its current state. */
  since: Type.String(),
  /** True if the change request names the caller as a reviewer. */
  requested: Type.Boolean(),
  /** Reason why the scheduled application failed or was suspended. */
  reason: Type.Optional(Type.String()),
})
export type InboxRequest = Static<typeof InboxRequest>

/** Integration whose most recent delivery failed. */
export const InboxDelivery = Type.Object({
  integrationId: Type.Integer(),
  provider: Type.String(),
  description: Type.String(),
  failedAt: Type.String(),
})
export type InboxDelivery = Static<typeof InboxDelivery>

/** Token that will expire soon: an API token, or a personal token of the caller. */
export const InboxToken = Type.Object({
  id: Type.String(),
  name: Type.String(),
  personal: Type.Boolean(),
  expiresAt: Type.String(),
})
export type InboxToken = Static<typeof InboxToken>

/** Flag that can be archived: no code refers to it anymore, and no SDK evaluates it. */
export const InboxFlag = Type.Object({
  project: Type.String(),
  feature: Type.String(),
  /** Most recent commit that removed the flag from the default branch of a repository. */
  removal: CodeRemoval,
  /** Time of the last evaluation; null if no SDK has evaluated the flag. */
  lastSeenAt: Type.Union([Type.String(), Type.Null()]),
})
export type InboxFlag = Static<typeof InboxFlag>

/** Draft of a change request that the caller has not submitted. */
export const UserDraft = Type.Object({
  ...RequestSummary,
  createdAt: Type.String(),
  /** Distinct names of the flags and segments that the draft changes. */
  features: Type.Array(Type.String()),
  segments: Type.Array(Type.String()),
})
export type UserDraft = Static<typeof UserDraft>

/** Response of `GET /api/admin/user/inbox`. Burgee extension. */
export const Inbox = Type.Object({
  /** Number of items that await the caller, not counting drafts. */
  total: Type.Integer(),
  /** Change requests, sorted by the urgency of the action and then by how long they have been waiting. */
  requests: Type.Array(InboxRequest),
  deliveries: Type.Array(InboxDelivery),
  /** Soonest expiry first. */
  tokens: Type.Array(InboxToken),
  /** Flags that the caller can archive, most recent removal first. */
  unusedFlags: Type.Array(InboxFlag),
  /** Newest first. */
  drafts: Type.Array(UserDraft),
})
export type Inbox = Static<typeof Inbox>
