import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Logins',
  intro: 'Successful and failed logins, with address and method.',
  when: 'When',
  who: 'Account',
  nobody: 'no such account',
  how: 'Method',
  ways: { simple: 'Password', oidc: 'Single sign-on' } as Readonly<Record<string, string>>,
  from: 'From',
  result: 'Result',
  good: 'logged in',
  refused: 'failed',
  search: 'Search accounts and addresses',
  which: 'Which',
  all: 'All',
  failed: 'Failed only',
  empty: 'No logins yet',
  emptyText: 'See the Instance page for the retention period.',
  noMatch: 'No matching logins',
  noMatchText: 'Try fewer letters.',
  more: (shown: string, total: string) => `The last ${shown} of ${total}. Search to find others.`,
}

const de: typeof en = {
  title: 'Anmeldungen',
  intro: 'Erfolgreiche und fehlgeschlagene Anmeldungen, mit Adresse und Methode.',
  when: 'Zeitpunkt',
  who: 'Konto',
  nobody: 'kein solches Konto',
  how: 'Methode',
  ways: { simple: 'Passwort', oidc: 'Single Sign-on' },
  from: 'Von',
  result: 'Ergebnis',
  good: 'angemeldet',
  refused: 'fehlgeschlagen',
  search: 'Konten und Adressen suchen',
  which: 'Welche',
  all: 'Alle',
  failed: 'Nur fehlgeschlagene',
  empty: 'Noch keine Anmeldungen',
  emptyText: 'Die Aufbewahrungsdauer steht auf der Seite „Instanz“.',
  noMatch: 'Keine passenden Anmeldungen',
  noMatchText: 'Versuchen Sie es mit weniger Buchstaben.',
  more: (shown, total) => `Die letzten ${shown} von ${total}. Weitere finden Sie mit der Suche.`,
}

/** UI strings for the login history. */
export const LOGIN_HISTORY_TEXTS: Catalogue<typeof en> = { en, de }
