import type { InboxAction } from '@burgee/protocol/administration/inbox'
import type { Catalogue } from '../text/languages.ts'

const en = {
  waiting: 'Waiting for you',
  nothing: 'Nothing is waiting for you',
  nothingText:
    'Reviews, approved change requests, failed deliveries, expiring tokens and flags to archive appear here until they are done.',
  requestActions: {
    'failed-schedule': 'Its schedule failed',
    review: 'Waits for your review',
    apply: 'Approved, ready to apply',
  } satisfies Record<InboxAction, string>,
  requestButtons: {
    'failed-schedule': 'Open',
    review: 'Review',
    apply: 'Apply',
  } satisfies Record<InboxAction, string>,
  requested: 'You were asked to review this',
  by: (name: string) => `by ${name}`,
  deliveryFailed: 'Last delivery failed',
  showDeliveries: 'Show deliveries',
  tokenExpires: (when: string) => `API token expires on ${when}`,
  ownTokenExpires: (when: string) => `Your personal token expires on ${when}`,
  openToken: 'Open',
  readyToArchive: 'Ready to archive',
  neverEvaluated: 'Never evaluated',
  lastEvaluated: (ago: string) => `Last evaluated ${ago}`,
  openFlag: 'Open flag',
  dismiss: 'Dismiss',
  actionOf: (action: string, name: string) => `${action}: ${name}`,
  elsewhere: (count: number) =>
    count === 1 ? '1 request in another project waits for you' : `${count} requests in other projects wait for you`,
  drafts: 'My drafts',
  continueDraft: 'Continue',
  recent: 'Recently opened',
  noRecent: 'Flags that you open appear here.',
  createFlag: 'Create a flag',
  connect: 'Connect your application',
  firstSteps: 'First steps',
  changed: 'Flags I follow changed',
  noChanges: 'Changes by others to flags that you created or marked as favorites appear here.',
  cleanUp: 'Ready to clean up',
  noCleanUp: 'No flag can be removed.',
  allOfThem: (count: string) => `All ${count}`,
}

const de: typeof en = {
  waiting: 'Wartet auf Sie',
  nothing: 'Nichts wartet auf Sie',
  nothingText:
    'Prüfungen, freigegebene Änderungsanträge, fehlgeschlagene Zustellungen, ablaufende Tokens und zu archivierende Flags erscheinen hier, bis sie erledigt sind.',
  requestActions: {
    'failed-schedule': 'Die geplante Anwendung ist fehlgeschlagen',
    review: 'Wartet auf Ihre Prüfung',
    apply: 'Freigegeben, kann angewandt werden',
  },
  requestButtons: {
    'failed-schedule': 'Öffnen',
    review: 'Prüfen',
    apply: 'Anwenden',
  },
  requested: 'Sie wurden um Prüfung gebeten',
  by: (name) => `von ${name}`,
  deliveryFailed: 'Letzte Zustellung fehlgeschlagen',
  showDeliveries: 'Zustellungen anzeigen',
  tokenExpires: (when) => `API-Token läuft am ${when} ab`,
  ownTokenExpires: (when) => `Ihr persönliches Token läuft am ${when} ab`,
  openToken: 'Öffnen',
  readyToArchive: 'Kann archiviert werden',
  neverEvaluated: 'Nie ausgewertet',
  lastEvaluated: (ago) => `Zuletzt ausgewertet ${ago}`,
  openFlag: 'Flag öffnen',
  dismiss: 'Ausblenden',
  actionOf: (action, name) => `${action}: ${name}`,
  elsewhere: (count) =>
    count === 1
      ? '1 Antrag in einem anderen Projekt wartet auf Sie'
      : `${count} Anträge in anderen Projekten warten auf Sie`,
  drafts: 'Meine Entwürfe',
  continueDraft: 'Weiter bearbeiten',
  recent: 'Zuletzt geöffnet',
  noRecent: 'Flags, die Sie öffnen, erscheinen hier.',
  createFlag: 'Flag erstellen',
  connect: 'Anwendung verbinden',
  firstSteps: 'Erste Schritte',
  changed: 'Änderungen an Flags, denen ich folge',
  noChanges: 'Änderungen anderer an Flags, die Sie erstellt oder als Favorit markiert haben, erscheinen hier.',
  cleanUp: 'Bereit zum Aufräumen',
  noCleanUp: 'Kein Flag kann entfernt werden.',
  allOfThem: (count) => `Alle ${count}`,
}

/** UI strings for the home page and for tasks that await the user. */
export const INBOX_TEXTS: Catalogue<typeof en> = { en, de }
