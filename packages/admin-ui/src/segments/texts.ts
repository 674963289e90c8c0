import { COUNTS } from '../text/counts.ts'
import type { Catalogue } from '../text/languages.ts'

/** Joins the first names and counts the others. */
function some(names: readonly string[], most: number, more: string): string {
  const rest = names.length - most
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` + ${rest} ${more}` : ''}`
}

const en = {
  segments: {
    title: 'Segments',
    intro: 'A segment is a named list of constraints that strategies can share.',
    create: 'Create segment',
    edit: 'Edit segment',
    empty: 'No segments yet',
    emptyText: 'Give a group of users a name, then use it in the strategies of any flag.',
    usedBy: 'Used by',
    constraints: (count: number) => (count === 1 ? '1 constraint' : `${count} constraints`),
    everybody: 'Everybody',
    allProjects: 'All projects',
    remove: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove the segment ${name}?`,
    removeText: 'Nothing uses it. It cannot be brought back.',
    inUse: (count: number) => `In use by ${count === 1 ? '1 flag' : `${count} flags`}: remove it there first`,
    saved: (name: string) => `The segment ${name} is saved`,
    saveTitle: (name: string) => `Save the segment ${name}?`,
    saveText: (environment: string, flags: readonly string[], most: number) =>
      `Real users in ${environment} get it within seconds, in ${some(flags, most, 'more')}.`,
    emptiedText: 'Without constraints the segment matches everybody, in every flag that uses it.',
    save: 'Save the segment',
    asBefore: (name: string) => `The segment ${name} is as it was before`,
    removed: (name: string) => `The segment ${name} is removed`,
  },
}

const de: typeof en = {
  segments: {
    title: 'Segmente',
    intro: 'Ein Segment ist eine Liste von Bedingungen mit einem Namen, die Strategien teilen.',
    create: 'Segment anlegen',
    edit: 'Segment ändern',
    empty: 'Noch keine Segmente',
    emptyText: 'Geben Sie einer Gruppe von Benutzern einen Namen und nehmen Sie sie in den Strategien aller Schalter.',
    usedBy: 'Benutzt von',
    constraints: (count) => (count === 1 ? '1 Bedingung' : `${count} Bedingungen`),
    everybody: 'Alle',
    allProjects: 'Alle Projekte',
    remove: (name) => `${name} entfernen`,
    removeTitle: (name) => `Das Segment ${name} entfernen?`,
    removeText: 'Nichts benutzt es. Es lässt sich nicht zurückholen.',
    inUse: (count) => `Von ${COUNTS.de.flagsDative(count)} benutzt: zuerst dort herausnehmen`,
    saved: (name) => `Das Segment ${name} ist gespeichert`,
    saveTitle: (name) => `Das Segment ${name} speichern?`,
    saveText: (environment, flags, most) =>
      `Echte Benutzer in ${environment} bekommen das binnen Sekunden, in ${some(flags, most, 'weiteren')}.`,
    emptiedText: 'Ohne Bedingungen gilt das Segment für alle, in jedem Schalter, der es benutzt.',
    save: 'Segment speichern',
    asBefore: (name) => `Das Segment ${name} ist wieder wie zuvor`,
    removed: (name) => `Das Segment ${name} ist entfernt`,
  },
}

/** UI texts for the segments. */
export const SEGMENT_TEXTS: Catalogue<typeof en> = { en, de }
