import type { NotificationReason } from '@burgee/protocol/administration/notification-reason'
import type { Catalogue } from '../text/languages.ts'

const en = {
  list: 'Notifications, newest first',
  markRead: 'Mark all as read',
  coming: 'Loading …',
  empty: 'No notifications yet',
  emptyText:
    'You are notified of changes by others to your flags and favorites, of progress of your change requests, and of requests that wait for your review.',
  isNew: 'New:',
  reasons: {
    'your-request': 'your change request',
    'to-apply': 'approved, you can apply it',
    'to-review': 'waits for your review',
    maker: 'you created it',
    favorite: 'favorite',
    'favorite-project': 'favorite project',
  } satisfies Record<NotificationReason, string>,
}

const de: typeof en = {
  list: 'Benachrichtigungen, neueste zuerst',
  markRead: 'Alle als gelesen markieren',
  coming: 'Lädt …',
  empty: 'Noch keine Benachrichtigungen',
  emptyText:
    'Sie werden benachrichtigt über Änderungen anderer an Ihren Flags und Favoriten, über den Fortschritt Ihrer Änderungsanträge und über Anträge, die auf Ihre Prüfung warten.',
  isNew: 'Neu:',
  reasons: {
    'your-request': 'Ihr Änderungsantrag',
    'to-apply': 'freigegeben, Sie können ihn anwenden',
    'to-review': 'wartet auf Ihre Prüfung',
    maker: 'von Ihnen erstellt',
    favorite: 'Favorit',
    'favorite-project': 'Favorisiertes Projekt',
  },
}

/** UI strings for notifications. */
export const NOTIFICATION_TEXTS: Catalogue<typeof en> = { en, de }
