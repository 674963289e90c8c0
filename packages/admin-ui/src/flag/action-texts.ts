import type { Catalogue } from '../text/languages.ts'

const en = {
  test: 'Test',
  copyYaml: 'Copy as YAML',
  copiedYaml: (flag: string) => `Copied ${flag} as YAML`,
  lastEvaluated: (ago: string) => `Last evaluated ${ago}: code still asks for it until it is removed there.`,
  neverEvaluated: 'Not evaluated yet.',
  markedStale: (flag: string) => `Marked ${flag} as stale`,
  markedActive: (flag: string) => `Marked ${flag} as active`,
}

const de: typeof en = {
  test: 'Testen',
  copyYaml: 'Als YAML kopieren',
  copiedYaml: (flag) => `${flag} als YAML kopiert`,
  lastEvaluated: (ago) => `Zuletzt ausgewertet ${ago}: Der Code fragt es weiterhin ab, bis es dort entfernt wird.`,
  neverEvaluated: 'Noch nicht ausgewertet.',
  markedStale: (flag) => `${flag} als veraltet markiert`,
  markedActive: (flag) => `${flag} als aktiv markiert`,
}

/** UI strings for actions on a whole flag. */
export const ACTION_TEXTS: Catalogue<typeof en> = { en, de }
