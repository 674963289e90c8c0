import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Managed by files',
  comesFrom: (source: string, path: string) => `This flag comes from ${source} (${path}).`,
  revert: 'The next apply of the files reverts changes that are made here.',
  drifted: (ago: string) => `Changed by hand ${ago}. burgee plan lists the differences.`,
  question: (name: string) => `Change ${name} by hand?`,
  several: (count: string) => `${count} flags`,
  text: (name: string, source: string) =>
    `Files of ${source} describe ${name}. The next apply of the files reverts the change, unless you change the files as well.`,
  action: 'Change by hand',
}

const de: typeof en = {
  title: 'Durch Dateien verwaltet',
  comesFrom: (source, path) => `Dieses Flag stammt aus ${source} (${path}).`,
  revert: 'Das nächste Anwenden der Dateien macht hier vorgenommene Änderungen rückgängig.',
  drifted: (ago) => `Von Hand geändert ${ago}. burgee plan listet die Unterschiede auf.`,
  question: (name) => `${name} von Hand ändern?`,
  several: (count) => `${count} Flags`,
  text: (name, source) =>
    `Dateien aus ${source} beschreiben ${name}. Das nächste Anwenden der Dateien macht die Änderung rückgängig, außer Sie ändern auch die Dateien.`,
  action: 'Von Hand ändern',
}

/** UI strings for objects that files manage. */
export const MANAGED_TEXTS: Catalogue<typeof en> = { en, de }
