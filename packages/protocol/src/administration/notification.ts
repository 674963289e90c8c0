import Type, { type Static } from 'typebox'
import { Event } from '../event.ts'

/** Why an event is told to somebody; where several hold, the first of these. An addition. */
export const NOTIFICATION_REASONS = ['your-request', 'to-review', 'maker', 'favorite', 'favorite-project'] as const
export type NotificationReason = (typeof NOTIFICATION_REASONS)[number]

/** More unread ones are not counted. */
export const MOST_UNREAD = 100

/** What somebody else did that concerns the caller: the event as the log has it, and why. */
export const Notification = Type.Object({ ...Event.properties, reason: Type.Enum(NOTIFICATION_REASONS) })
export type Notification = Static<typeof Notification>

/** Query of `GET /api/admin/user/notifications`. */
export const NotificationQuery = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) })

/** Reply of `GET /api/admin/user/notifications`. An addition. */
export const Notifications = Type.Object({
  /** Newest first. */
  notifications: Type.Array(Notification),
  /** How many are newer than what was read, also those that the page leaves out; 100 stands for as many or more. */
  unread: Type.Integer({ minimum: 0, maximum: MOST_UNREAD }),
  /** Id of the event up to which the caller has read. */
  readUpTo: Type.Integer({ minimum: 0 }),
})
export type Notifications = Static<typeof Notifications>

/** Body of `PUT /api/admin/user/notifications/read`: the id of an event. */
export const ReadNotifications = Type.Object(
  { upTo: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) },
  { additionalProperties: false },
)

/** How far the caller has read now, which is never less than before. */
export const NotificationsRead = Type.Pick(Notifications, ['readUpTo'])
