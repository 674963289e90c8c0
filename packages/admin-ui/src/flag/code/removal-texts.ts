import type { Removal, RemovalBlocker } from '@burgee/protocol/administration/removal'
import type { Catalogue } from '../../text/languages.ts'

type Kind = RemovalBlocker['kind']
type Path = NonNullable<Removal['keep']>['path']

const en = {
  title: 'In your code',
  verdicts: {
    ready: 'Ready to be removed',
    notYet: 'Not ready to be removed',
    keep: 'Permanent: keep it',
  } satisfies Record<Removal['verdict'], string>,
  keep: {
    enabled: () => 'Keep the path for which the flag is enabled.',
    disabled: () => 'Keep the path for which the flag is disabled.',
    variant: (name: string) => `Keep the path of the variant ${name}.`,
  } satisfies Record<Path, (name: string) => string>,
  undecided: 'Users get different results in production.',
  since: (day: string) => `All users in production have had this result since ${day}.`,
  blockers: {
    targeting: 'The result differs between users or environments, or has changed in the last 30 days.',
    children: 'Other flags depend on it.',
    plan: 'A release plan is active.',
    changeRequest: 'An open change request would change it.',
    references: 'The code still asks for it: archive it later.',
    evaluated: 'SDKs have asked for it recently: archive it later.',
  } satisfies Record<Kind, string>,
  places: (count: number) => (count === 1 ? 'In code: 1 place' : `In code: ${count} places`),
  none: 'No scan has found this flag. To list its places, run this in each repository:',
  removed: (revision: string, repository: string, day: string) => `Removed in ${revision} of ${repository} on ${day}`,
  brief: 'Download removal brief',
  other: (branch: string) => `branch ${branch}`,
}

const de: typeof en = {
  title: 'In Ihrem Code',
  verdicts: {
    ready: 'Bereit zum Entfernen',
    notYet: 'Noch nicht bereit zum Entfernen',
    keep: 'Dauerhaft: behalten',
  },
  keep: {
    enabled: () => 'Behalten Sie den Pfad für das eingeschaltete Flag.',
    disabled: () => 'Behalten Sie den Pfad für das ausgeschaltete Flag.',
    variant: (name) => `Behalten Sie den Pfad der Variante ${name}.`,
  },
  undecided: 'Benutzer erhalten in Produktionsumgebungen verschiedene Ergebnisse.',
  since: (day) => `In Produktionsumgebungen haben alle Benutzer dieses Ergebnis seit ${day}.`,
  blockers: {
    targeting: 'Das Ergebnis hängt von Benutzer oder Umgebung ab, oder hat sich in den letzten 30 Tagen geändert.',
    children: 'Andere Flags hängen davon ab.',
    plan: 'Ein Release-Plan ist aktiv.',
    changeRequest: 'Ein offener Änderungsantrag würde es ändern.',
    references: 'Der Code fragt noch danach: archivieren Sie es später.',
    evaluated: 'SDKs haben vor Kurzem danach gefragt: archivieren Sie es später.',
  },
  places: (count) => (count === 1 ? 'Im Code: 1 Stelle' : `Im Code: ${count} Stellen`),
  none: 'Kein Scan hat dieses Flag gefunden. Für eine Liste der Stellen führen Sie dies in jedem Repository aus:',
  removed: (revision, repository, day) => `In ${revision} von ${repository} am ${day} entfernt`,
  brief: 'Anleitung zum Entfernen herunterladen',
  other: (branch) => `Branch ${branch}`,
}

/** UI strings for removing a flag from the code. */
export const REMOVAL_TEXTS: Catalogue<typeof en> = { en, de }
