import { flagsEn } from '../flags/texts.en.ts'
import { sessionEn } from '../shell/session/texts.en.ts'
import { shellEn } from '../shell/texts.en.ts'
import { commonEn } from './common.en.ts'
import type { Language } from './languages.ts'

/**
 * English UI strings of the main bundle. The UI strings of other bundles are loaded with their pages. The UI strings in
 * other languages have the same shape.
 */
export const en = {
  ...commonEn,
  ...shellEn,
  ...sessionEn,
  ...flagsEn,
  language: 'en' as Language,
}

/** Shape of the UI strings in every language. */
export type Texts = typeof en
