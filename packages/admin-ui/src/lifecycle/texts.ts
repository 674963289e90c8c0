import type { Catalogue } from '../text/languages.ts'

const en = {
  means: {
    initial: 'Not live yet. SDKs may request it already while it is off.',
    'pre-live': 'Evaluated, but not in production yet.',
    live: 'Evaluated in production: real users depend on it.',
    completed: 'No longer needed. Remove it from the code, then archive it.',
    archived: 'No longer served to SDKs.',
  },
  since: (date: string) => `Since ${date}`,
  kept: (variant: string | undefined) =>
    variant === undefined ? 'The code keeps the feature.' : `The code keeps the variant ${variant}.`,
  discarded: 'The code drops the feature.',
  complete: 'Mark as completed',
  reopen: 'Mark as not completed',
  reopened: (flag: string) => `Marked ${flag} as not completed`,
  title: (flag: string) => `Mark ${flag} as completed`,
  text: 'Nothing changes for SDKs. The flag is ready to be removed from the code and then archived.',
  outcome: 'What the code keeps',
  keep: 'The feature',
  keepText: 'The feature stays; remove the flag check.',
  keepVariant: (variant: string) => `The variant ${variant}`,
  drop: 'The previous behavior',
  dropText: 'The experiment is over; remove its code.',
  completed: (flag: string) => `Marked ${flag} as completed`,
}

const de: typeof en = {
  means: {
    initial: 'Noch nicht live. SDKs fragen es möglicherweise schon ab, solange es aus ist.',
    'pre-live': 'Ausgewertet, aber noch nicht in Produktion.',
    live: 'In Produktion ausgewertet: Echte Benutzer hängen davon ab.',
    completed: 'Nicht mehr nötig. Entfernen Sie es aus dem Code und archivieren Sie es dann.',
    archived: 'Wird nicht mehr an SDKs ausgeliefert.',
  },
  since: (date) => `Seit ${date}`,
  kept: (variant) =>
    variant === undefined ? 'Der Code behält die Funktion.' : `Der Code behält die Variante ${variant}.`,
  discarded: 'Der Code entfernt die Funktion.',
  complete: 'Als abgeschlossen markieren',
  reopen: 'Als nicht abgeschlossen markieren',
  reopened: (flag) => `${flag} als nicht abgeschlossen markiert`,
  title: (flag) => `${flag} als abgeschlossen markieren`,
  text: 'Für SDKs ändert sich nichts. Das Flag kann aus dem Code entfernt und dann archiviert werden.',
  outcome: 'Was der Code behält',
  keep: 'Die Funktion',
  keepText: 'Die Funktion bleibt; entfernen Sie die Flag-Abfrage.',
  keepVariant: (variant) => `Die Variante ${variant}`,
  drop: 'Das bisherige Verhalten',
  dropText: 'Das Experiment ist beendet; entfernen Sie seinen Code.',
  completed: (flag) => `${flag} als abgeschlossen markiert`,
}

/** UI strings about lifecycle stages. */
export const LIFECYCLE_TEXTS: Catalogue<typeof en> = { en, de }
