import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Allowed origins (CORS)',
  label: 'Origins',
  hint: 'Browsers can request flags only from pages of these origins. * allows every page, an empty list none.',
  example: 'https://shop.example.com',
  saved: 'Saved. Takes effect within seconds.',
}

const de: typeof en = {
  title: 'Erlaubte Origins (CORS)',
  label: 'Origins',
  hint: 'Browser können Flags nur von Seiten dieser Origins anfragen. * erlaubt jede Seite, eine leere Liste keine.',
  example: 'https://shop.example.com',
  saved: 'Gespeichert. Wird innerhalb von Sekunden wirksam.',
}

/** UI strings about web pages that may request flags. */
export const ORIGIN_TEXTS: Catalogue<typeof en> = { en, de }
