import type { Catalogue } from '../text/languages.ts'

const en = {
  before: 'Before',
  after: 'After',
  changes: 'Changes',
}

const de: typeof en = {
  before: 'Vorher',
  after: 'Nachher',
  changes: 'Änderungen',
}

/** UI strings for the difference table. */
export const DIFF_TEXTS: Catalogue<typeof en> = { en, de }
