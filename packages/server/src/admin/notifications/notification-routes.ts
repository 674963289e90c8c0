import {
  NotificationQuery,
  Notifications,
  NotificationsRead,
  ReadNotifications,
} from '@burgee/protocol/administration/notification'
import { GUARDED_SEARCH, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { requirePerson } from '../../core/http/route-parts.ts'
import { listNotifications, markNotificationsRead } from './notifications.ts'

const NOTIFICATIONS = '/api/admin/user/notifications'
const DEFAULT_LIMIT = 50

/**
 * Routes for notifications about changes by other users. The routes are not part of the wire protocol:
 * `/api/admin/notifications` of Unleash has another format.
 */
export const notificationRoutes: Routes = [
  route({
    method: 'GET',
    url: NOTIFICATIONS,
    permission: null,
    tag: 'Me',
    summary: 'Lists notifications of the current user, newest first.',
    description:
      'Events of flags that the user created or marked as favorites, of favorite projects, of change requests that the user created, and of change requests that the user can review or apply; `reason` states which of these applies. For a new user, all events count as read, except requests to review or apply, which stay unread until this is done. Covers the newest 25,000 events, and at most 500 flags that the user created and 500 favorites. `unusedFlags` lists the flags that the user can archive, as in the inbox. `unread` is at most 100, and counts requests and flags until the task is done.',
    query: NotificationQuery,
    replies: { 200: { description: 'Events, each with the reason, and flags to archive', schema: Notifications } },
    problems: [...GUARDED_SEARCH, 'InvalidOperationError'],
    handle: ({ query: { limit = DEFAULT_LIMIT }, access }, world) => {
      requirePerson(access)
      return listNotifications(world, access.actor, { limit, unusedFlagDays: world.options.unusedFlagDays })
    },
  }),
  route({
    method: 'PUT',
    url: `${NOTIFICATIONS}/read`,
    permission: null,
    tag: 'Me',
    summary: 'Marks notifications up to an event as read; ignores earlier and future events.',
    body: ReadNotifications,
    replies: { 200: { description: 'Position of the last read notification', schema: NotificationsRead } },
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ body: { upTo }, access }, world) => {
      requirePerson(access)
      return { readUpTo: await markNotificationsRead(world, access.actor, upTo) }
    },
  }),
]
