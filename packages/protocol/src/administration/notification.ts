import Type, { type Static } from 'typebox'
import { Event } from '../event.ts'
import { InboxFlag } from './inbox.ts'
import { NOTIFICATION_REASONS } from './notification-reason.ts'

/** Maximum of the unread count; notifications beyond it are not counted. */
export const MAX_UNREAD = 100

/** Event that another user caused and that concerns the caller, with the reason why the caller is notified. */
export const Notification = Type.Object({ ...Event.properties, reason: Type.Enum(NOTIFICATION_REASONS) })
export type Notification = Static<typeof Notification>

/** Query of `GET /api/admin/user/notifications`. */
export const NotificationQuery = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) })

/** Response of `GET /api/admin/user/notifications`. Burgee extension. */
export const Notifications = Type.Object({
  /** Newest first. */
  notifications: Type.Array(Notification),
  /** Flags that the caller can archive, most recent removal from the code first; unread until that is done. */
  unusedFlags: Type.Array(InboxFlag),
  /**
   * Number of notifications on all pages that are newer than `readUpTo` or are about an open task, including
   * `unusedFlags`. 100 means 100 or more.
   */
  unread: Type.Integer({ minimum: 0, maximum: MAX_UNREAD }),
  /** Id of the last event that the caller has read. */
  readUpTo: Type.Integer({ minimum: 0 }),
})
export type Notifications = Static<typeof Notifications>

/** Request body of `PUT /api/admin/user/notifications/read`: the id of an event. */
export const ReadNotifications = Type.Object(
  { upTo: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) },
  { additionalProperties: false },
)

/** Response with the id of the last event that the caller has read; this id never decreases. */
export const NotificationsRead = Type.Pick(Notifications, ['readUpTo'])
