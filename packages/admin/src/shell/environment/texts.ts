import { type Catalogue, useCatalogue } from '../../text/texts.tsx'

const en = {
  banner: (name: string, type: string) => `This is ${name}${type === '' || type === name ? '' : ` (${type})`}.`,
  production: (name: string) =>
    name === 'production'
      ? 'This is production: real users get what you save.'
      : `This is ${name}, a production environment: real users get what you save.`,
}

const BANNER: Catalogue<typeof en> = {
  en,
  de: {
    banner: (name, type) => `Das ist ${name}${type === '' || type === name ? '' : ` (${type})`}.`,
    production: (name) =>
      name === 'production'
        ? 'Das ist die Produktion: was Sie speichern, bekommen echte Benutzer.'
        : `Das ist ${name}, eine Produktionsumgebung: was Sie speichern, bekommen echte Benutzer.`,
  },
}

/** Texts of the banner of an environment, in the language of the person. */
export const useBannerTexts = (): typeof en => useCatalogue(BANNER)
