import { deDomain } from './de-domain.ts'
import { type DomainTexts, enDomain } from './en-domain.ts'
import { type Catalogue, useCatalogue } from './texts.tsx'

const DOMAIN: Catalogue<DomainTexts> = { en: enDomain, de: deDomain }

/** Texts of segments, context fields, types of tags and of strategies, in the language of the person. */
export const useDomainTexts = (): DomainTexts => useCatalogue(DOMAIN)
