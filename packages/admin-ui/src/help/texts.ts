import type { Catalogue } from '../text/languages.ts'

type Word = readonly [word: string, meaning: string]

const EN_WORDS: readonly Word[] = [
  ['Flag', 'A name in your code that you turn on or off without a new release.'],
  ['Environment', 'Where your code runs: development, production. A flag has a state of its own in each.'],
  ['Strategy', 'Who a flag is on for. If there are several, meeting one is enough.'],
  ['Constraint', 'A condition of a strategy: country is DE, version is at least 2.1.'],
  ['Segment', 'Conditions with a name, for many strategies. A change to it affects all of them.'],
  ['Variant', 'One of several answers of a flag that is on, each for a share of users.'],
  ['Parent', 'A flag that another one depends on: where the parent is off, the other is off too.'],
  ['Stale', 'A flag that has done its work: take it out of the code, then archive it.'],
  ['Change request', 'Changes that others look at before real users get them.'],
]

const DE_WORDS: typeof EN_WORDS = [
  ['Schalter', 'Ein Name in Ihrem Code, der an oder aus ist, ohne neue Version.'],
  ['Umgebung', 'Wo Ihr Code läuft: Entwicklung, Produktion. Ein Schalter hat in jeder seinen eigenen Zustand.'],
  ['Strategie', 'Für wen ein Schalter an ist. Von mehreren genügt eine, die zutrifft.'],
  ['Bedingung', 'Was eine Strategie verlangt: Land ist DE, Version mindestens 2.1.'],
  ['Segment', 'Bedingungen mit einem Namen, für viele Strategien. Eine Änderung wirkt in allen.'],
  ['Variante', 'Eine von mehreren Antworten eines Schalters, der an ist, jede für einen Anteil der Benutzer.'],
  ['Elternschalter', 'Ein Schalter, von dem ein anderer abhängt: Ist er aus, ist es auch der andere.'],
  ['Veraltet', 'Ein Schalter, der seine Arbeit getan hat: Nehmen Sie ihn aus dem Code, dann ins Archiv.'],
  ['Änderungsantrag', 'Änderungen, die andere ansehen, bevor echte Benutzer sie bekommen.'],
]

const en = {
  title: 'Help',
  steps: 'First steps',
  create: 'Create a flag',
  createText: 'It is off everywhere until you turn it on.',
  token: 'Create a token',
  tokenText: 'Your SDK needs it, and the address of this server.',
  playground: 'See who gets it',
  playgroundText: 'The playground tells you what any user gets, and why.',
  events: 'See what happened',
  eventsText: 'Everything that was changed, by whom, and how to undo it.',
  words: 'Words',
  list: EN_WORDS,
  more: 'More',
  keys: 'Keyboard shortcuts: press ? on any page.',
  api: 'API documentation',
}

const de: typeof en = {
  title: 'Hilfe',
  steps: 'Erste Schritte',
  create: 'Einen Schalter anlegen',
  createText: 'Er ist überall aus, bis Sie ihn einschalten.',
  token: 'Ein Token anlegen',
  tokenText: 'Ihr SDK braucht es, und die Adresse dieses Servers.',
  playground: 'Sehen, wer ihn bekommt',
  playgroundText: 'Die Spielwiese sagt für jeden Benutzer, was er bekommt und warum.',
  events: 'Sehen, was geschah',
  eventsText: 'Alles, was geändert wurde, von wem, mit dem Weg zurück.',
  words: 'Wörter',
  list: DE_WORDS,
  more: 'Mehr',
  keys: 'Tastenkürzel: Drücken Sie auf einer beliebigen Seite ?.',
  api: 'API-Dokumentation',
}

/** UI texts for the help page. */
export const HELP_TEXTS: Catalogue<typeof en> = { en, de }
