import type { NotificationReason } from '@burgee/protocol/administration/notification-reason'
import type { Catalogue } from '../text/languages.ts'

const en = {
  list: 'Notifications, newest first',
  markRead: 'Mark all as read',
  coming: 'Loading …',
  empty: 'No notifications yet',
  emptyText:
    'You are notified of changes by others to your flags and favorites, of progress of your change requests, of requests that wait for your review, and of flags that nothing uses anymore.',
  isNew: 'New:',
  toArchive: 'you can archive it',
  neverEvaluated: 'No code refers to it, and no SDK has evaluated it',
  lastEvaluated: (ago: string) => `No code refers to it; last evaluated ${ago}`,
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
    'Sie werden benachrichtigt über Änderungen anderer an Ihren Flags und Favoriten, über den Fortschritt Ihrer Änderungsanträge, über Anträge, die auf Ihre Prüfung warten, und über Flags, die nichts mehr verwendet.',
  isNew: 'Neu:',
  toArchive: 'Sie können es archivieren',
  neverEvaluated: 'Kein Code verweist darauf, und kein SDK hat es ausgewertet',
  lastEvaluated: (ago) => `Kein Code verweist darauf; zuletzt ausgewertet ${ago}`,
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
