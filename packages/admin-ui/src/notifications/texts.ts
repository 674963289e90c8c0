import type { NotificationReason } from '@burgee/protocol/administration/notification'
import type { Catalogue } from '../text/languages.ts'

const en = {
  list: 'Notifications, newest first',
  markRead: 'Mark all as read',
  coming: 'One moment …',
  empty: 'Nothing yet',
  emptyText:
    'Here you see what others change about flags you made or have as favourites, what becomes of your change requests, and which ones wait for your review.',
  isNew: 'New:',
  reasons: {
    'your-request': 'your change request',
    'to-review': 'waits for your review',
    maker: 'you made it',
    favorite: 'favourite',
    'favorite-project': 'favourite project',
  } satisfies Record<NotificationReason, string>,
}

const de: typeof en = {
  list: 'Mitteilungen, neueste zuerst',
  markRead: 'Alle als gelesen markieren',
  coming: 'Einen Moment …',
  empty: 'Noch nichts',
  emptyText:
    'Hier sehen Sie, was andere an Schaltern ändern, die Sie angelegt oder als Favoriten gemerkt haben, was aus Ihren Änderungsanträgen wird und welche auf Ihre Prüfung warten.',
  isNew: 'Neu:',
  reasons: {
    'your-request': 'Ihr Änderungsantrag',
    'to-review': 'wartet auf Ihre Prüfung',
    maker: 'von Ihnen angelegt',
    favorite: 'Favorit',
    'favorite-project': 'Favorisiertes Projekt',
  },
}

/** UI texts for notifications. */
export const NOTIFICATION_TEXTS: Catalogue<typeof en> = { en, de }
