import { en, type Texts } from './en.ts'

/** Every text of the UI in German. */
export const de: Texts = { ...en }
