import type { Catalogue } from '../text/languages.ts'

const flags = (count: number, shown: string) => (count === 1 ? '1 flag' : `${shown} flags`)
const flagsDe = (count: number, shown: string) => (count === 1 ? '1 Flag' : `${shown} Flags`)

const en = {
  title: 'Insights',
  health: 'Health',
  healthOf: (percent: string) => `${percent}%`,
  noFlags: 'This project has no flags yet.',
  made: (well: string, all: string) =>
    `${well} of ${all} flags are healthy: not marked as stale and within their expected lifetime.`,
  allWell: 'All flags are healthy.',
  overdue: (count: number, shown: string) =>
    `${flags(count, shown)} ${count === 1 ? 'is past its' : 'are past their'} expected lifetime.`,
  stale: (count: number, shown: string) =>
    `${flags(count, shown)} ${count === 1 ? 'is' : 'are'} marked as stale, but code may still use ${count === 1 ? 'it' : 'them'}.`,
  show: 'Show',
  showOverdue: 'Show flags past their expected lifetime',
  showStale: 'Show stale flags',
  andMore: (count: string) => `and ${count} more`,
  raise: 'How to improve it',
  raiseStale: (percent: string) => `Archive stale flags → ${percent}%`,
  raiseOverdue: (percent: string) =>
    `Archive flags past their expected lifetime, or give them a longer-lived type such as kill switch or permission → ${percent}%`,
  life: 'Lifecycle',
  stageHints: {
    initial: 'not live yet',
    preLive: 'evaluated outside production only',
    live: 'on and evaluated in production',
    completed: 'marked as completed',
    archived: 'no longer served to SDKs',
  },
  stay: (days: string) => `${days} days on average`,
  recently: (count: string) => `${count} in the last 30 days`,
  production: 'Time to production',
  average: (days: string) => `${days} days on average from a flag’s creation until it was first on in production.`,
  noAverage: 'No flag of this project has been on in production yet.',
  slowest: 'Slowest',
  days: (days: string) => `${days} days`,
  time: 'Time',
  flag: 'Flag',
  month: 'Last 30 days',
  createdNow: 'Flags created',
  archivedNow: 'Flags archived',
  activity: 'Changes',
  before: (count: string) => `${count} in the 30 days before`,
}

const de: typeof en = {
  title: 'Insights',
  health: 'Gesundheit',
  healthOf: (percent) => `${percent} %`,
  noFlags: 'Dieses Projekt hat noch keine Flags.',
  made: (well, all) =>
    `${well} von ${all} Flags sind gesund: nicht als veraltet markiert und innerhalb ihrer erwarteten Lebensdauer.`,
  allWell: 'Alle Flags sind gesund.',
  overdue: (count, shown) =>
    `${flagsDe(count, shown)} ${count === 1 ? 'hat seine' : 'haben ihre'} erwartete Lebensdauer überschritten.`,
  stale: (count, shown) =>
    `${flagsDe(count, shown)} ${count === 1 ? 'ist' : 'sind'} als veraltet markiert, aber Code verwendet ${count === 1 ? 'es' : 'sie'} vielleicht noch.`,
  show: 'Anzeigen',
  showOverdue: 'Flags mit überschrittener Lebensdauer anzeigen',
  showStale: 'Veraltete Flags anzeigen',
  andMore: (count) => `und ${count} weitere`,
  raise: 'So verbessern Sie sie',
  raiseStale: (percent) => `Veraltete Flags archivieren → ${percent} %`,
  raiseOverdue: (percent) =>
    `Flags mit überschrittener Lebensdauer archivieren oder ihnen einen langlebigeren Typ wie Kill-Switch oder Berechtigung geben → ${percent} %`,
  life: 'Lebenszyklus',
  stageHints: {
    initial: 'noch nicht live',
    preLive: 'nur außerhalb der Produktion ausgewertet',
    live: 'in Produktion an und ausgewertet',
    completed: 'als abgeschlossen markiert',
    archived: 'nicht mehr an SDKs ausgeliefert',
  },
  stay: (days) => `im Mittel ${days} Tage`,
  recently: (count) => `${count} in den letzten 30 Tagen`,
  production: 'Zeit bis zur Produktion',
  average: (days) => `Im Mittel ${days} Tage, bis ein Flag nach dem Erstellen erstmals in Produktion an war.`,
  noAverage: 'Noch kein Flag dieses Projekts war in Produktion an.',
  slowest: 'Am langsamsten',
  days: (days) => `${days} Tage`,
  time: 'Zeit',
  flag: 'Flag',
  month: 'Letzte 30 Tage',
  createdNow: 'Erstellte Flags',
  archivedNow: 'Archivierte Flags',
  activity: 'Änderungen',
  before: (count) => `${count} in den 30 Tagen davor`,
}

/** UI texts for the insights page. */
export const INSIGHT_TEXTS: Catalogue<typeof en> = { en, de }
