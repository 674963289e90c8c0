import type { Catalogue } from '../text/languages.ts'

const flags = (count: number, shown: string) => (count === 1 ? '1 flag' : `${shown} flags`)
const schalter = (count: number, shown: string) => (count === 1 ? '1 Schalter' : `${shown} Schalter`)

const en = {
  title: 'Insights',
  health: 'Health',
  healthOf: (percent: string) => `${percent} %`,
  noFlags: 'There are no flags in this project yet, so there is nothing to report.',
  made: (well: string, all: string) =>
    `${well} of ${all} flags are healthy: nobody has marked them as stale, and they have not outlived their type.`,
  allWell: 'All flags are healthy. Nothing to do.',
  overdue: (count: number, shown: string) =>
    `${flags(count, shown)} ${count === 1 ? 'has' : 'have'} outlived ${count === 1 ? 'its' : 'their'} type: what was meant to be temporary is still here.`,
  stale: (count: number, shown: string) =>
    `${flags(count, shown)} ${count === 1 ? 'is' : 'are'} marked as stale: nobody needs ${count === 1 ? 'it' : 'them'} any more, but code may still ask.`,
  show: 'Show',
  showOverdue: 'Show flags that have outlived their type',
  showStale: 'Show stale flags',
  andMore: (count: string) => `and ${count} more`,
  raise: 'What would raise it',
  raiseStale: (percent: string) => `Archive the stale ones: ${percent} %.`,
  raiseOverdue: (percent: string) =>
    `Archive those that have outlived their type, or give them a type that lives longer (such as kill switch or permission): ${percent} %.`,
  life: 'Where the flags are in their life cycle',
  stageHints: {
    initial: 'no SDK has asked for them yet',
    preLive: 'asked for, but not where real users are',
    live: 'asked for in production, where they are on',
    completed: 'somebody has said that they have done their work',
    archived: 'out of use',
  },
  stay: (days: string) => `${days} days on average`,
  recently: (count: string) => `${count} in the last 30 days`,
  production: 'Time to production',
  average: (days: string) => `${days} days on average from a flag’s creation until it was first on in production.`,
  noAverage: 'No flag of this project has been on in production yet.',
  slowest: 'The longest',
  days: (days: string) => `${days} days`,
  time: 'Time',
  flag: 'Flag',
  month: 'The last 30 days',
  createdNow: 'Flags created',
  archivedNow: 'Flags archived',
  activity: 'Changes',
  before: (count: string) => `${count} in the 30 days before`,
}

const de: typeof en = {
  title: 'Einblicke',
  health: 'Gesundheit',
  healthOf: (percent) => `${percent} %`,
  noFlags: 'In diesem Projekt gibt es noch keine Schalter, also nichts, dem etwas fehlen könnte.',
  made: (well, all) =>
    `${well} von ${all} Schaltern geht es gut: Niemand hat sie als veraltet markiert, und sie sind nicht älter, als ihr Typ leben soll.`,
  allWell: 'Allen Schaltern geht es gut. Nichts zu tun.',
  overdue: (count, shown) =>
    `${schalter(count, shown)} ${count === 1 ? 'hat seinen' : 'haben ihren'} Typ überlebt: Was vorübergehend sein sollte, ist noch da.`,
  stale: (count, shown) =>
    `${schalter(count, shown)} ${count === 1 ? 'ist' : 'sind'} als veraltet markiert: Niemand braucht ${count === 1 ? 'ihn' : 'sie'} mehr, aber vielleicht fragt noch Code danach.`,
  show: 'Zeigen',
  showOverdue: 'Schalter zeigen, die ihren Typ überlebt haben',
  showStale: 'Veraltete Schalter zeigen',
  andMore: (count) => `und ${count} weitere`,
  raise: 'Was sie verbessern würde',
  raiseStale: (percent) => `Die veralteten archivieren: ${percent} %.`,
  raiseOverdue: (percent) =>
    `Die archivieren, die ihren Typ überlebt haben, oder ihnen einen Typ geben, der länger lebt (etwa Notschalter, Berechtigung): ${percent} %.`,
  life: 'Lebenszyklus der Schalter',
  stageHints: {
    initial: 'noch kein SDK hat nach ihnen gefragt',
    preLive: 'gefragt, aber nicht dort, wo echte Nutzer sind',
    live: 'in Produktion gefragt, und dort an',
    completed: 'jemand hat gesagt, dass sie ausgedient haben',
    archived: 'außer Gebrauch',
  },
  stay: (days) => `im Mittel ${days} Tage`,
  recently: (count) => `${count} in den letzten 30 Tagen`,
  production: 'Zeit bis zur Produktion',
  average: (days) => `Im Mittel ${days} Tage, bis ein Schalter nach dem Anlegen zum ersten Mal in Produktion an war.`,
  noAverage: 'Noch kein Schalter dieses Projekts war in Produktion an.',
  slowest: 'Am längsten',
  days: (days) => `${days} Tage`,
  time: 'Zeit',
  flag: 'Schalter',
  month: 'Die letzten 30 Tage',
  createdNow: 'Angelegte Schalter',
  archivedNow: 'Archivierte Schalter',
  activity: 'Änderungen',
  before: (count) => `${count} in den 30 Tagen davor`,
}

/** UI texts for the insights page. */
export const INSIGHT_TEXTS: Catalogue<typeof en> = { en, de }
