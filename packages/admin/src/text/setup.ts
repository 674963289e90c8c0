import { deSetup } from './de-setup.ts'
import { enSetup } from './en-setup.ts'
import type { Catalogue } from './texts.tsx'

/** Texts of projects, environments, the archive and the installation. */
export const SETUP_TEXTS: Catalogue<typeof enSetup> = { en: enSetup, de: deSetup }
