import Type, { type Static } from 'typebox'
import { Event } from '../event.ts'
import { NOTIFICATION_REASONS } from './notification-reason.ts'

/** Maximum unread count; further notifications are not counted. */
export const MAX_UNREAD = 100

/** Event by another user that concerns the caller, with the reason for the notification. */
export const Notification = Type.Object({ ...Event.properties, reason: Type.Enum(NOTIFICATION_REASONS) })
export type Notification = Static<typeof Notification>

/** Query of `GET /api/admin/user/notifications`. */
export const NotificationQuery = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) })

/** Response of `GET /api/admin/user/notifications`. Burgee extension. */
export const Notifications = Type.Object({
  /** Newest first. */
  notifications: Type.Array(Notification),
  /** Number of notifications newer than `readUpTo` or about a task, on all pages. 100 means 100 or more. */
  unread: Type.Integer({ minimum: 0, maximum: MAX_UNREAD }),
  /** Id of the last event that the caller has read. */
  readUpTo: Type.Integer({ minimum: 0 }),
})
export type Notifications = Static<typeof Notifications>

/** Body of `PUT /api/admin/user/notifications/read`: the id of an event. */
export const ReadNotifications = Type.Object(
  { upTo: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) },
  { additionalProperties: false },
)

/** Response with the caller's new read position, which never decreases. */
export const NotificationsRead = Type.Pick(Notifications, ['readUpTo'])
