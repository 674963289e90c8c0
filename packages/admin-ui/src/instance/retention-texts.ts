import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Data retention',
  text: 'Older rows are deleted automatically, a few at a time. Set by server options at start.',
  size: (megabytes: string) => `Database size: ${megabytes} MB, measured within the last hour.`,
  notCounted: 'Rows are counted a minute after the start.',
  what: 'Data',
  kept: 'Kept',
  rows: 'Rows',
  option: 'Option',
  days: (days: number, shown: string) => (days === 0 ? 'indefinitely' : days === 1 ? '1 day' : `${shown} days`),
  kinds: {
    events: 'History',
    hourlyUsage: 'Hourly usage, then daily',
    usage: 'Daily usage',
    unseen: 'Inactive applications and unknown flags',
    expiredTokens: 'Expired tokens',
    changeRequests: 'Closed change requests',
    logins: 'Logins and failed logins',
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
    unseen: 'Inaktive Anwendungen und unbekannte Flags',
    expiredTokens: 'Abgelaufene Tokens',
    changeRequests: 'Entschiedene Änderungsanträge',
    logins: 'Wer sich angemeldet hat und wer es versucht hat',
  },
}

/** UI texts about data retention. */
export const RETENTION_TEXTS: Catalogue<typeof en> = { en, de }
