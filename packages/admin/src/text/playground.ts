import { dePlayground } from './de-playground.ts'
import { enPlayground, type PlaygroundTexts } from './en-playground.ts'
import { type Catalogue, useCatalogue } from './texts.tsx'

const PLAYGROUND: Catalogue<PlaygroundTexts> = { en: enPlayground, de: dePlayground }

/** Texts of the playground, in the language of the person. */
export const usePlaygroundTexts = (): PlaygroundTexts => useCatalogue(PLAYGROUND)
