import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Web pages that may ask for flags',
  label: 'Addresses of web pages',
  hint: 'Browsers ask this server for flags only from pages at these addresses. * is every page, an empty list none.',
  example: 'https://shop.example.com',
  saved: 'It takes effect in browsers within seconds',
}

const de: typeof en = {
  title: 'Webseiten, die nach Schaltern fragen dürfen',
  label: 'Adressen der Webseiten',
  hint: 'Browser fragen diesen Server nur von Seiten unter diesen Adressen nach Schaltern. * ist jede Seite, eine leere Liste keine.',
  example: 'https://shop.example.com',
  saved: 'Browser erfahren es binnen Sekunden',
}

/** UI texts about web pages that may request flags. */
export const ORIGIN_TEXTS: Catalogue<typeof en> = { en, de }
