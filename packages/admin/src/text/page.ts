import { dePage } from './de-page.ts'
import { enPage, type PageTexts } from './en-page.ts'
import { type Catalogue, useCatalogue } from './texts.tsx'

const PAGE: Catalogue<PageTexts> = { en: enPage, de: dePage }

/** Texts of the page of a flag and of the strategy editor, in the language of the person. */
export const usePageTexts = (): PageTexts => useCatalogue(PAGE)
