import { flagsEn } from '../flags/texts.en.ts'
import { sessionEn } from '../shell/session/texts.en.ts'
import { shellEn } from '../shell/texts.en.ts'
import { commonEn } from './common.en.ts'
import type { Language } from './languages.ts'

/**
 * The texts that come with the page, in English; what else a screen says comes with the screen. Other languages have the
 * same shape.
 */
export const en = {
  ...commonEn,
  ...shellEn,
  ...sessionEn,
  ...flagsEn,
  language: 'en' as Language,
}

/** The shape that every language fills. */
export type Texts = typeof en
