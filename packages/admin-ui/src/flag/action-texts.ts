import type { Catalogue } from '../text/languages.ts'

const en = {
  test: 'Test with a user',
  archiveLive: (environments: string) => `It is on in ${environments}, where real users are.`,
  markedStale: (flag: string) => `${flag} is marked as stale`,
  markedActive: (flag: string) => `${flag} counts as active again`,
}

const de: typeof en = {
  test: 'Mit einem Benutzer testen',
  archiveLive: (environments) => `Er ist an in ${environments}, wo echte Nutzer sind.`,
  markedStale: (flag) => `${flag} ist als veraltet markiert`,
  markedActive: (flag) => `${flag} gilt wieder als in Gebrauch`,
}

/** UI texts for actions on a whole flag. */
export const ACTION_TEXTS: Catalogue<typeof en> = { en, de }
