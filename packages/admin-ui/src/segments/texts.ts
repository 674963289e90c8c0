import { COUNTS } from '../text/counts.ts'
import type { Catalogue } from '../text/languages.ts'

/** Joins the first names and appends the number of remaining names. */
function some(names: readonly string[], most: number, more: string): string {
  const rest = names.length - most
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` + ${rest} ${more}` : ''}`
}

const en = {
  segments: {
    title: 'Segments',
    usableIn: 'Project',
    anyProject: 'Segments of all projects',
    usableInProject: (name: string) => `Usable in ${name}`,
    intro: 'A segment is a named list of constraints that strategies share.',
    create: 'Create segment',
    edit: 'Edit segment',
    empty: 'No segments yet',
    emptyText: 'Name a group of users, then use it in strategies of any flag.',
    usedBy: 'Used by',
    constraints: (count: number) => (count === 1 ? '1 constraint' : `${count} constraints`),
    everybody: 'All users',
    allProjects: 'All projects',
    remove: (name: string) => `Delete ${name}`,
    removeTitle: (name: string) => `Delete segment ${name}?`,
    removeText: 'Nothing uses it. This cannot be undone.',
    inUse: (count: number) => `In use by ${count === 1 ? '1 flag' : `${count} flags`}: remove it there first`,
    saved: (name: string) => `Saved segment ${name}`,
    saveTitle: (name: string) => `Save segment ${name}?`,
    saveText: (environment: string, flags: readonly string[], most: number) =>
      `Goes live in ${environment} within seconds, in ${some(flags, most, 'more')}.`,
    emptiedText: 'Without constraints the segment matches all users, in every flag that uses it.',
    save: 'Save segment',
    asBefore: (name: string) => `Restored segment ${name}`,
    removed: (name: string) => `Deleted segment ${name}`,
  },
}

const de: typeof en = {
  segments: {
    title: 'Segmente',
    usableIn: 'Projekt',
    anyProject: 'Segmente aller Projekte',
    usableInProject: (name) => `Verwendbar in ${name}`,
    intro: 'Ein Segment ist eine benannte Liste von Bedingungen, die sich Strategien teilen.',
    create: 'Segment erstellen',
    edit: 'Segment bearbeiten',
    empty: 'Noch keine Segmente',
    emptyText: 'Benennen Sie eine Gruppe von Benutzern und verwenden Sie sie in Strategien beliebiger Flags.',
    usedBy: 'Verwendet von',
    constraints: (count) => (count === 1 ? '1 Bedingung' : `${count} Bedingungen`),
    everybody: 'Alle Benutzer',
    allProjects: 'Alle Projekte',
    remove: (name) => `${name} löschen`,
    removeTitle: (name) => `Segment ${name} löschen?`,
    removeText: 'Nichts verwendet es. Das kann nicht rückgängig gemacht werden.',
    inUse: (count) => `Verwendet von ${COUNTS.de.flagsDative(count)}: Entfernen Sie es zuerst dort`,
    saved: (name) => `Segment ${name} gespeichert`,
    saveTitle: (name) => `Segment ${name} speichern?`,
    saveText: (environment, flags, most) =>
      `Wird in ${environment} innerhalb von Sekunden wirksam, in ${some(flags, most, 'weiteren')}.`,
    emptiedText: 'Ohne Bedingungen passt das Segment auf alle Benutzer, in jedem Flag, das es verwendet.',
    save: 'Segment speichern',
    asBefore: (name) => `Segment ${name} wiederhergestellt`,
    removed: (name) => `Segment ${name} gelöscht`,
  },
}

/** UI strings for the segments. */
export const SEGMENT_TEXTS: Catalogue<typeof en> = { en, de }
