import { COUNTS } from '../text/counts.ts'
import type { Catalogue } from '../text/languages.ts'

const en = {
  archive: {
    title: 'Archived flags',
    intro: 'Archived flags are off in every SDK. You can restore them or delete them permanently.',
    search: 'Search archived flags',
    searchHint: 'Name or description',
    anyProject: 'All projects',
    empty: 'No archived flags',
    emptyText: 'You can archive a flag on its page.',
    noMatch: 'No matching archived flags',
    noMatchText: 'Try fewer letters, or all projects.',
    found: (total: number, shown: string) => (total === 1 ? '1 archived flag' : `${shown} archived flags`),
    archivedAt: 'Archived',
    stillEvaluated: 'Still evaluated',
    stillEvaluatedHint: 'Code evaluated the flag after it was archived, and got its default.',
    select: (name: string) => `Select ${name}`,
    selectAll: 'Select all on this page',
    selected: (count: number) => `${COUNTS.en.flags(count)} selected`,
    clear: 'Clear selection',
    revive: 'Restore',
    reviveLabel: (name: string) => `Restore ${name}`,
    revived: (names: readonly string[]) =>
      names.length === 1
        ? `Restored ${names[0]}, off in every environment`
        : `Restored ${names.length} flags, off in every environment`,
    archivedAgain: (names: readonly string[]) =>
      names.length === 1 ? `Archived ${names[0]} again` : `Archived ${names.length} flags again`,
    delete: 'Delete permanently',
    deleteLabel: (name: string) => `Delete permanently: ${name}`,
    deleteTitle: (count: number) => `Delete ${COUNTS.en.flags(count)} permanently?`,
    deleteText: (names: readonly string[]) =>
      `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}: deletes strategies, variants, tags and usage. The names become available again. This cannot be undone.`,
    deleted: (names: readonly string[]) =>
      names.length === 1 ? `Deleted ${names[0]}` : `Deleted ${names.length} flags`,
    older: 'Next page',
    newer: 'Previous page',
    page: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
    pages: 'Pages',
  },
}

const de: typeof en = {
  archive: {
    title: 'Archivierte Flags',
    intro: 'Archivierte Flags sind in jedem SDK aus. Sie können sie wiederherstellen oder endgültig löschen.',
    search: 'Archivierte Flags suchen',
    searchHint: 'Name oder Beschreibung',
    anyProject: 'Alle Projekte',
    empty: 'Keine archivierten Flags',
    emptyText: 'Sie können ein Flag auf seiner Seite archivieren.',
    noMatch: 'Keine passenden archivierten Flags',
    noMatchText: 'Versuchen Sie es mit weniger Buchstaben oder mit allen Projekten.',
    found: (total, shown) => (total === 1 ? '1 archiviertes Flag' : `${shown} archivierte Flags`),
    archivedAt: 'Archiviert',
    stillEvaluated: 'Wird noch ausgewertet',
    stillEvaluatedHint: 'Der Code hat das Flag nach dem Archivieren ausgewertet und seinen Vorgabewert erhalten.',
    select: (name) => `${name} auswählen`,
    selectAll: 'Alle auf dieser Seite auswählen',
    selected: (count) => `${COUNTS.de.flags(count)} ausgewählt`,
    clear: 'Auswahl aufheben',
    revive: 'Wiederherstellen',
    reviveLabel: (name) => `${name} wiederherstellen`,
    revived: (names) =>
      names.length === 1
        ? `${names[0]} wiederhergestellt, in allen Umgebungen aus`
        : `${names.length} Flags wiederhergestellt, in allen Umgebungen aus`,
    archivedAgain: (names) =>
      names.length === 1 ? `${names[0]} wieder archiviert` : `${names.length} Flags wieder archiviert`,
    delete: 'Endgültig löschen',
    deleteLabel: (name) => `${name} endgültig löschen`,
    deleteTitle: (count) => `${COUNTS.de.flags(count)} endgültig löschen?`,
    deleteText: (names) =>
      `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` und ${names.length - 5} weitere` : ''}: löscht Strategien, Varianten, Tags und Nutzung. Die Namen werden wieder frei. Das kann nicht rückgängig gemacht werden.`,
    deleted: (names) => (names.length === 1 ? `${names[0]} gelöscht` : `${names.length} Flags gelöscht`),
    older: 'Nächste Seite',
    newer: 'Vorige Seite',
    page: (from, to, total) => `${from} bis ${to} von ${total}`,
    pages: 'Seiten',
  },
}

/** UI strings for the archive. */
export const ARCHIVE_TEXTS: Catalogue<typeof en> = { en, de }
