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
      'Events of flags that I made or like, of projects that I like as a whole, of change requests that I made, and that I can review or apply; `reason` says which. For a new user all count as read, except requests to review or to apply: these count as unread until that is done. Looked for among the newest 25,000 events, of 500 flags each that I made and like. `unread` counts 100 at most.',
    query: NotificationQuery,
    replies: { 200: { description: 'Events, each with the reason', schema: Notifications } },
    problems: [...GUARDED_SEARCH, 'InvalidOperationError'],
    handle: ({ query: { limit = DEFAULT_LIMIT }, access }, world) => {
      requirePerson(access)
      return listNotifications(world, access.actor, limit)
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
