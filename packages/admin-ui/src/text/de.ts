import { flagsDe } from '../flags/texts.de.ts'
import { sessionDe } from '../shell/session/texts.de.ts'
import { shellDe } from '../shell/texts.de.ts'
import { commonDe } from './common.de.ts'
import type { Texts } from './en.ts'

/** German UI strings of the main bundle, loaded only for users of the German UI. */
export const de: Texts = {
  ...commonDe,
  ...shellDe,
  ...sessionDe,
  ...flagsDe,
  language: 'de',
}
