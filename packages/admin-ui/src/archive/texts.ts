import { COUNTS } from '../text/counts.ts'
import type { Catalogue } from '../text/languages.ts'

const en = {
  archive: {
    title: 'Archive',
    intro: 'Archived flags are off for every SDK. They can be revived, or deleted for good.',
    search: 'Search archived flags',
    searchHint: 'Name or description',
    anyProject: 'All projects',
    empty: 'Nothing is archived',
    emptyText: 'Flags that are no longer needed can be archived on their page.',
    noMatch: 'No archived flag matches',
    noMatchText: 'Try fewer letters, or all projects.',
    found: (total: number, shown: string) => (total === 1 ? '1 archived flag' : `${shown} archived flags`),
    archivedAt: 'Archived',
    select: (name: string) => `Select ${name}`,
    selectAll: 'Select all on this page',
    selected: (count: number) => `${COUNTS.en.flags(count)} selected`,
    clear: 'Clear the selection',
    revive: 'Revive',
    reviveLabel: (name: string) => `Revive ${name}`,
    revived: (names: readonly string[]) =>
      names.length === 1 ? `${names[0]} is back, off everywhere` : `${names.length} flags are back, off everywhere`,
    archivedAgain: (names: readonly string[]) =>
      names.length === 1 ? `${names[0]} is archived again` : `${names.length} flags are archived again`,
    delete: 'Delete for good',
    deleteLabel: (name: string) => `Delete for good: ${name}`,
    deleteTitle: (count: number) => `Delete ${COUNTS.en.flags(count)} for good?`,
    deleteText: (names: readonly string[]) =>
      `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}: strategies, variants, tags and counts are lost, and the names become free. This cannot be undone.`,
    deleted: (names: readonly string[]) =>
      names.length === 1 ? `${names[0]} is deleted` : `${names.length} flags are deleted`,
    older: 'Next page',
    newer: 'Previous page',
    page: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
    pages: 'Pages',
  },
}

const de: typeof en = {
  archive: {
    title: 'Archiv',
    intro: 'Archivierte Schalter sind für jedes SDK aus. Sie lassen sich zurückholen oder endgültig löschen.',
    search: 'Archivierte Schalter suchen',
    searchHint: 'Name oder Beschreibung',
    anyProject: 'Alle Projekte',
    empty: 'Nichts ist archiviert',
    emptyText: 'Schalter, die niemand mehr braucht, lassen sich auf ihrer Seite archivieren.',
    noMatch: 'Kein archivierter Schalter passt',
    noMatchText: 'Versuchen Sie weniger Buchstaben oder alle Projekte.',
    found: (total, shown) => (total === 1 ? '1 archivierter Schalter' : `${shown} archivierte Schalter`),
    archivedAt: 'Archiviert',
    select: (name) => `${name} auswählen`,
    selectAll: 'Alle auf dieser Seite auswählen',
    selected: (count) => `${COUNTS.de.flags(count)} ausgewählt`,
    clear: 'Auswahl aufheben',
    revive: 'Zurückholen',
    reviveLabel: (name) => `${name} zurückholen`,
    revived: (names) =>
      names.length === 1
        ? `${names[0]} ist wieder da, überall aus`
        : `${names.length} Schalter sind wieder da, überall aus`,
    archivedAgain: (names) =>
      names.length === 1 ? `${names[0]} ist wieder archiviert` : `${names.length} Schalter sind wieder archiviert`,
    delete: 'Endgültig löschen',
    deleteLabel: (name) => `${name} endgültig löschen`,
    deleteTitle: (count) => `${COUNTS.de.flags(count)} endgültig löschen?`,
    deleteText: (names) =>
      `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` und ${names.length - 5} weitere` : ''}: Strategien, Varianten, Etiketten und Zählungen gehen verloren, und die Namen werden frei. Es lässt sich nicht zurücknehmen.`,
    deleted: (names) => (names.length === 1 ? `${names[0]} ist gelöscht` : `${names.length} Schalter sind gelöscht`),
    older: 'Nächste Seite',
    newer: 'Vorige Seite',
    page: (from, to, total) => `${from} bis ${to} von ${total}`,
    pages: 'Seiten',
  },
}

/** UI texts for the archive. */
export const ARCHIVE_TEXTS: Catalogue<typeof en> = { en, de }
