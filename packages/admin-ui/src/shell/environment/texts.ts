import type { Catalogue } from '../../text/languages.ts'

const en = {
  production: (name: string) =>
    name === 'production'
      ? 'This is production: changes go live for real users.'
      : `${name} is a production environment: changes go live for real users.`,
}

/** UI strings for the banner of an environment. */
export const BANNER_TEXTS: Catalogue<typeof en> = {
  en,
  de: {
    production: (name) =>
      name === 'production'
        ? 'Das ist die Produktion: Änderungen werden für echte Benutzer wirksam.'
        : `${name} ist eine Produktionsumgebung: Änderungen werden für echte Benutzer wirksam.`,
  },
}
