import { dePalette } from './de-palette.ts'
import { enPalette, type PaletteTexts } from './en-palette.ts'
import { type Catalogue, useCatalogue } from './texts.tsx'

const PALETTE: Catalogue<PaletteTexts> = { en: enPalette, de: dePalette }

/** Texts of the palette, in the language of the person. */
export const usePaletteTexts = (): PaletteTexts => useCatalogue(PALETTE)
