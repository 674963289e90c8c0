import type { Catalogue } from '../../text/languages.ts'

const en = {
  title: 'Test',
  nothingRead: 'The rules of this flag read no context: all users get the same.',
  intro: 'The fields that this flag reads. Results follow while you type.',
  people: 'Saved people',
  save: 'Save person',
  name: 'Name of the person',
  nameHint: 'Anna, DE, beta',
  forget: (name: string) => `Remove ${name}`,
  clear: 'Clear fields',
  full: (most: number) => `At most ${most} people are saved. Remove one first.`,
  results: 'Results',
  resultIn: (environment: string) => `Result in ${environment}`,
  openPlayground: 'Open in playground',
  notMet: 'not met: ',
}

const de: typeof en = {
  title: 'Testen',
  nothingRead: 'Die Regeln dieses Flags lesen keinen Kontext: Alle Benutzer erhalten dasselbe.',
  intro: 'Felder, die dieses Flag liest. Die Ergebnisse erscheinen während der Eingabe.',
  people: 'Gespeicherte Personen',
  save: 'Person speichern',
  name: 'Name der Person',
  nameHint: 'Anna, DE, Beta',
  forget: (name) => `${name} entfernen`,
  clear: 'Felder leeren',
  full: (most) => `Es können höchstens ${most} Personen gespeichert werden. Entfernen Sie zuerst eine.`,
  results: 'Ergebnisse',
  resultIn: (environment) => `Ergebnis in ${environment}`,
  openPlayground: 'Im Playground öffnen',
  notMet: 'nicht erfüllt: ',
}

/** UI strings for the test panel of a flag. */
export const TESTING_TEXTS: Catalogue<typeof en> = { en, de }
