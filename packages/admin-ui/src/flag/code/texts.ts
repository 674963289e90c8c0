import type { Catalogue } from '../../text/languages.ts'

const en = {
  intro: 'Add it where your code branches. The token is shown when you create one.',
  ask: 'Use this flag',
  contextLabel: 'Context',
  context: (fields: string) => `Its rules use ${fields}. Pass them in the context:`,
  connect: 'Connect an SDK',
  typed: 'Typed access',
  language: 'Language',
  typedText: 'Only this flag’s name, variants and payload types compile. Copy the code again when variants change.',
  use: 'Read the flag with the official SDK, set up as above:',
  useLabel: 'Usage',
  all: 'The OpenFeature CLI generates such code for all flags of a project, in several languages:',
  allLabel: 'Command line',
  curl: 'Try it with curl',
}

const de: typeof en = {
  intro: 'Fügen Sie es dort ein, wo sich Ihr Code verzweigt. Das Token wird angezeigt, wenn Sie eines erstellen.',
  ask: 'Flag verwenden',
  contextLabel: 'Kontext',
  context: (fields) => `Seine Regeln verwenden ${fields}. Übergeben Sie sie im Kontext:`,
  connect: 'SDK verbinden',
  typed: 'Typisierter Zugriff',
  language: 'Sprache',
  typedText:
    'Nur der Name, die Varianten und die Payload-Typen dieses Flags kompilieren. Kopieren Sie den Code erneut, wenn sich Varianten ändern.',
  use: 'Lesen Sie das Flag mit dem offiziellen SDK, das wie oben eingerichtet ist:',
  useLabel: 'Verwendung',
  all: 'Die OpenFeature-CLI erzeugt solchen Code für alle Flags eines Projekts, in mehreren Sprachen:',
  allLabel: 'Kommandozeile',
  curl: 'Mit curl ausprobieren',
}

/** UI strings for the code panel. */
export const CODE_TEXTS: Catalogue<typeof en> = { en, de }
