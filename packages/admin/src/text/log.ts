import { deLog } from './de-log.ts'
import { enLog, type LogTexts } from './en-log.ts'
import { type Catalogue, useCatalogue } from './texts.tsx'

const LOG: Catalogue<LogTexts> = { en: enLog, de: deLog }

/** Texts of the event log, in the language of the person. */
export const useLogTexts = (): LogTexts => useCatalogue(LOG)
