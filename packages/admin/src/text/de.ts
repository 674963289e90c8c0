import { flagsDe } from '../flags/texts.de.ts'
import { sessionDe } from '../shell/session/texts.de.ts'
import { shellDe } from '../shell/texts.de.ts'
import { commonDe } from './common.de.ts'
import type { Texts } from './en.ts'

/** The texts that come with the page, in German; they are loaded by those who read German. */
export const de: Texts = {
  ...commonDe,
  ...shellDe,
  ...sessionDe,
  ...flagsDe,
  language: 'de',
}
