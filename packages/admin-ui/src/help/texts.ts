import type { Catalogue } from '../text/languages.ts'

type Word = readonly [word: string, meaning: string]

const EN_WORDS: readonly Word[] = [
  ['Flag', 'A name in your code that you turn on or off without a new release.'],
  ['Environment', 'Where your code runs: development, production. A flag has a state of its own in each.'],
  ['Strategy', 'Who a flag is on for. With several strategies, matching one is enough.'],
  ['Constraint', 'A condition of a strategy: country is DE, version is at least 2.1.'],
  ['Segment', 'Named, reusable conditions for many strategies. A change affects all of them.'],
  ['Variant', 'One of several values of a flag that is on, each for a share of users.'],
  ['Parent', 'A flag that another flag depends on: if the parent is off, the other is off too.'],
  ['Stale', 'A flag no longer needed: remove it from the code, then archive it.'],
  ['Change request', 'Changes that others review before they go live.'],
]

const DE_WORDS: typeof EN_WORDS = [
  ['Flag', 'Ein Name in Ihrem Code, den Sie ohne neues Release ein- oder ausschalten.'],
  ['Umgebung', 'Wo Ihr Code läuft: Entwicklung, Produktion. Ein Flag hat in jeder Umgebung einen eigenen Zustand.'],
  ['Strategie', 'Legt fest, für wen ein Flag an ist. Bei mehreren Strategien genügt es, wenn eine passt.'],
  ['Bedingung', 'Eine Voraussetzung einer Strategie: Land ist DE, Version ist mindestens 2.1.'],
  ['Segment', 'Benannte, wiederverwendbare Bedingungen für viele Strategien. Eine Änderung betrifft sie alle.'],
  ['Variante', 'Einer von mehreren Werten eines Flags, das an ist, jeder für einen Anteil der Benutzer.'],
  ['Übergeordnetes Flag', 'Ein Flag, von dem ein anderes abhängt: Ist es aus, ist auch das andere aus.'],
  ['Veraltet', 'Ein nicht mehr benötigtes Flag: Entfernen Sie es aus dem Code und archivieren Sie es dann.'],
  ['Änderungsantrag', 'Änderungen, die andere prüfen, bevor sie wirksam werden.'],
]

const en = {
  title: 'Help',
  steps: 'First steps',
  create: 'Create a flag',
  createText: 'It is off everywhere until you turn it on.',
  token: 'Create a token',
  tokenText: 'Your SDK needs it, and the URL of this server.',
  playground: 'See who gets it',
  playgroundText: 'The playground shows what a user gets, and why.',
  events: 'See what happened',
  eventsText: 'Every change, its author, and how to undo it.',
  words: 'Glossary',
  list: EN_WORDS,
  more: 'More',
  keys: 'Keyboard shortcuts: press ? on any page.',
  api: 'API documentation',
}

const de: typeof en = {
  title: 'Hilfe',
  steps: 'Erste Schritte',
  create: 'Flag erstellen',
  createText: 'Es ist überall aus, bis Sie es einschalten.',
  token: 'Token erstellen',
  tokenText: 'Ihr SDK braucht es und die URL dieses Servers.',
  playground: 'Prüfen, wer es erhält',
  playgroundText: 'Der Playground zeigt, was ein Benutzer erhält und warum.',
  events: 'Sehen, was passiert ist',
  eventsText: 'Jede Änderung, ihr Autor und wie Sie sie rückgängig machen.',
  words: 'Glossar',
  list: DE_WORDS,
  more: 'Mehr',
  keys: 'Tastenkürzel: Drücken Sie auf einer beliebigen Seite ?.',
  api: 'API-Dokumentation',
}

/** UI strings for the help page. */
export const HELP_TEXTS: Catalogue<typeof en> = { en, de }
