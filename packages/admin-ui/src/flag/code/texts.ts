import type { Catalogue } from '../../text/languages.ts'

const en = {
  intro: 'Use it where your code decides. The token is shown when you create one.',
  ask: 'Ask for it',
  contextLabel: 'Context',
  context: (fields: string) => `Its rules look at ${fields}. Say these in the context that you ask with:`,
  connect: 'Connect an SDK',
  typed: 'With types',
  language: 'Language',
  typedText:
    'What the flag does not have, this code does not allow: its name, its variants in all environments, and the types of their payloads. Copy it again when variants change.',
  use: 'Read it with the official SDK, set up as above:',
  useLabel: 'Reading it',
  all: 'OpenFeature’s command line makes such code for all flags of a project, in several languages:',
  allLabel: 'Command line',
  curl: 'See it now, from a shell',
}

const de: typeof en = {
  intro: 'Für die Stelle, an der Ihr Code entscheidet. Das Token sehen Sie, wenn Sie eines anlegen.',
  ask: 'Danach fragen',
  contextLabel: 'Kontext',
  context: (fields) => `Seine Regeln sehen auf ${fields}. Nennen Sie diese im Kontext der Frage:`,
  connect: 'SDK anschließen',
  typed: 'Mit Typen',
  language: 'Sprache',
  typedText:
    'Was der Schalter nicht hat, lässt dieser Code nicht zu: seinen Namen, seine Varianten aller Umgebungen und die Typen ihrer Nutzdaten. Kopieren Sie ihn neu, wenn sich Varianten ändern.',
  use: 'So lesen Sie ihn mit dem offiziellen SDK, das wie oben eingerichtet ist:',
  useLabel: 'Auslesen',
  all: 'Die Kommandozeile von OpenFeature erzeugt solchen Code für alle Schalter eines Projekts, in mehreren Sprachen:',
  allLabel: 'Kommandozeile',
  curl: 'Jetzt ansehen, auf der Kommandozeile',
}

/** UI texts for the code panel. */
export const CODE_TEXTS: Catalogue<typeof en> = { en, de }
