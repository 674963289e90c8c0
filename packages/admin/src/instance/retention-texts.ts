import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'What is kept how long',
  text: 'Older rows go by themselves, a few at a time. Operators set it when the server starts.',
  size: (megabytes: string) => `The database has ${megabytes} MB, as of the last look within an hour.`,
  notCounted: 'How much there is, is counted a minute after the start.',
  what: 'What',
  kept: 'Kept',
  rows: 'Rows',
  option: 'Option',
  days: (days: number, shown: string) => (days === 0 ? 'for ever' : days === 1 ? '1 day' : `${shown} days`),
  kinds: {
    events: 'History',
    hourlyUsage: 'Usage by the hour, then by the day',
    usage: 'Usage by the day',
    unseen: 'Applications that are silent, and unknown flags',
    expiredTokens: 'Tokens that have run out',
    changeRequests: 'Change requests that are decided',
    logins: 'Who has logged in, and who tried',
  },
}

const de: typeof en = {
  title: 'Was wie lange bleibt',
  text: 'Ältere Zeilen gehen von selbst, wenige auf einmal. Der Betrieb stellt es beim Start des Servers ein.',
  size: (megabytes) => `Die Datenbank hat ${megabytes} MB, nach dem letzten Blick innerhalb einer Stunde.`,
  notCounted: 'Wie viel da ist, wird eine Minute nach dem Start gezählt.',
  what: 'Was',
  kept: 'Bleibt',
  rows: 'Zeilen',
  option: 'Option',
  days: (days, shown) => (days === 0 ? 'für immer' : days === 1 ? '1 Tag' : `${shown} Tage`),
  kinds: {
    events: 'Verlauf',
    hourlyUsage: 'Nutzung je Stunde, danach je Tag',
    usage: 'Nutzung je Tag',
    unseen: 'Anwendungen, die schweigen, und unbekannte Schalter',
    expiredTokens: 'Abgelaufene Tokens',
    changeRequests: 'Entschiedene Änderungsanträge',
    logins: 'Wer sich angemeldet hat und wer es versucht hat',
  },
}

/** Texts of what is kept how long. */
export const RETENTION_TEXTS: Catalogue<typeof en> = { en, de }
