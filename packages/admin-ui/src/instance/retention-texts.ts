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
  title: 'Datenaufbewahrung',
  text: 'Ältere Zeilen werden automatisch gelöscht, jeweils wenige auf einmal. Festgelegt durch Serveroptionen beim Start.',
  size: (megabytes) => `Datenbankgröße: ${megabytes} MB, gemessen innerhalb der letzten Stunde.`,
  notCounted: 'Zeilen werden eine Minute nach dem Start gezählt.',
  what: 'Daten',
  kept: 'Aufbewahrung',
  rows: 'Zeilen',
  option: 'Option',
  days: (days, shown) => (days === 0 ? 'unbegrenzt' : days === 1 ? '1 Tag' : `${shown} Tage`),
  kinds: {
    events: 'Verlauf',
    hourlyUsage: 'Stündliche Nutzung, danach täglich',
    usage: 'Tägliche Nutzung',
    unseen: 'Inaktive Anwendungen und unbekannte Flags',
    expiredTokens: 'Abgelaufene Tokens',
    changeRequests: 'Abgeschlossene Änderungsanträge',
    logins: 'Anmeldungen und fehlgeschlagene Anmeldungen',
  },
}

/** UI strings about data retention. */
export const RETENTION_TEXTS: Catalogue<typeof en> = { en, de }
