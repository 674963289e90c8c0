import type { ImportKind, ImportNote } from '@burgee/protocol/administration/import'
import type { Catalogue } from '../text/languages.ts'

const EN_SOURCES: Readonly<Record<ImportKind, string>> = {
  'unleash-api': 'Unleash server',
  'unleash-state': 'Unleash: file of a state export',
  'unleash-export': 'Unleash: file of exported flags',
  'client-features': 'Unleash: what an SDK downloads',
  launchdarkly: 'LaunchDarkly: file',
  flagd: 'flagd: file',
  flagsmith: 'Flagsmith: document of an environment',
}

const DE_SOURCES: typeof EN_SOURCES = {
  'unleash-api': 'Unleash-Server',
  'unleash-state': 'Unleash: Datei eines Zustands',
  'unleash-export': 'Unleash: Datei mit Schaltern',
  'client-features': 'Unleash: was ein SDK herunterlädt',
  launchdarkly: 'LaunchDarkly: Datei',
  flagd: 'flagd: Datei',
  flagsmith: 'Flagsmith: Dokument einer Umgebung',
}

const DE_KINDS: Readonly<Record<string, string>> = {
  ...{ environment: 'Umgebungen', project: 'Projekte', role: 'Rollen', group: 'Gruppen', user: 'Benutzer' },
  ...{ membership: 'Mitgliedschaften', 'context field': 'Kontextfelder', 'flag type': 'Arten von Schaltern' },
  ...{ 'tag type': 'Arten von Etiketten', 'strategy type': 'Arten von Strategien', segment: 'Segmente' },
  ...{ flag: 'Schalter', dependency: 'Abhängigkeiten', tag: 'Etiketten', token: 'Tokens', event: 'Ereignisse' },
  ...{ 'personal token': 'Persönliche Tokens', favourite: 'Favoriten', integration: 'Integrationen' },
  ...{ 'invite link': 'Einladungen', setting: 'Einstellungen', application: 'Anwendungen', usage: 'Nutzung' },
}

const EN_KINDS: typeof DE_KINDS = {
  ...{ environment: 'Environments', project: 'Projects', role: 'Roles', group: 'Groups', user: 'Users' },
  ...{ membership: 'Memberships', 'context field': 'Context fields', 'flag type': 'Flag types' },
  ...{ 'tag type': 'Tag types', 'strategy type': 'Strategy types', segment: 'Segments' },
  ...{ flag: 'Flags', dependency: 'Dependencies', tag: 'Tags', token: 'Tokens', event: 'Events' },
  ...{ 'personal token': 'Personal tokens', favourite: 'Favourites', integration: 'Integrations' },
  ...{ 'invite link': 'Invite links', setting: 'Settings', application: 'Applications', usage: 'Usage' },
}

const EN_NOTES: Readonly<Record<ImportNote['fidelity'], string>> = {
  approximated: 'Different from before',
  'not carried': 'Not carried',
  exact: 'Worth knowing',
}

const DE_NOTES: typeof EN_NOTES = {
  approximated: 'Anders als vorher',
  'not carried': 'Kommt nicht mit',
  exact: 'Gut zu wissen',
}

const en = {
  title: 'Import',
  intro:
    'Bring in flags from another service, with everything they need. What is here stays: an import only adds. You first see what would come.',
  section: 'Source',
  from: 'Where the flags are',
  sources: EN_SOURCES,
  file: 'File',
  fileHint: 'JSON up to 8 MB, or YAML up to 1 MB',
  tooLong: 'This file is too large: use the command burgee import.',
  address: 'Address',
  token: 'Token of an administrator there',
  tokenHint: 'It is sent to that server, and stored nowhere.',
  environment: 'Environment',
  environmentHint: 'The file does not name one',
  environmentMaybe: 'Used where the file does not name one',
  project: 'Project',
  look: 'Show what would come',
  plan: 'What would come',
  source: (source: string) => `Read: ${source}.`,
  kind: 'Kind',
  kinds: EN_KINDS,
  other: 'Other',
  found: 'Found',
  imported: 'Comes',
  skipped: 'Left out',
  nothing: 'There is nothing in it.',
  notes: EN_NOTES,
  noteTitle: (title: string, count: string) => `${title} (${count})`,
  moreNotes: (count: string) => `and ${count} more`,
  go: 'Import',
  back: 'Choose something else',
  leaveTitle: 'Leave while it is running?',
  leaveText: 'The import goes on without you, but its result is shown nowhere else.',
  leave: 'Leave',
  stay: 'Stay',
  done: 'Imported',
  equal: (flags: string, contexts: string, environments: string) =>
    `The same as what SDKs get there. Compared: ${flags} (flags) × ${contexts} (contexts) × ${environments} (environments).`,
  notCompared: 'It is imported, and could not be compared with what SDKs get there:',
  compared: 'There were no flags to compare in any environment.',
  told: (names: string) => `Different, as explained below: ${names}.`,
  differs: 'It is imported, and these flags are not the same here:',
  difference: (flag: string, environment: string) => `${flag} in ${environment}`,
}

const de: typeof en = {
  title: 'Import',
  intro:
    'Schalter eines anderen Dienstes, mit allem, was sie brauchen. Was hier ist, bleibt: Ein Import fügt nur hinzu. Zuerst sehen Sie, was käme.',
  section: 'Quelle',
  from: 'Wo sie sind',
  sources: DE_SOURCES,
  file: 'Datei',
  fileHint: 'JSON bis 8 MB oder YAML bis 1 MB',
  tooLong: 'Diese Datei ist zu lang: Nehmen Sie den Befehl burgee import.',
  address: 'Adresse',
  token: 'Token eines Administrators dort',
  tokenHint: 'Es wird nur an jenen Server gesendet und nirgends aufbewahrt.',
  environment: 'Umgebung',
  environmentHint: 'Die Datei nennt keine',
  environmentMaybe: 'Wo die Datei keine nennt',
  project: 'Projekt',
  look: 'Zeigen, was käme',
  plan: 'Was käme',
  source: (source) => `Gelesen: ${source}.`,
  kind: 'Art',
  kinds: DE_KINDS,
  other: 'Anderes',
  found: 'Gefunden',
  imported: 'Kommt',
  skipped: 'Bleibt weg',
  nothing: 'Es ist nichts darin.',
  notes: DE_NOTES,
  noteTitle: (title, count) => `${title} (${count})`,
  moreNotes: (count) => `und ${count} weitere`,
  go: 'Übernehmen',
  back: 'Etwas anderes',
  leaveTitle: 'Gehen, während es läuft?',
  leaveText: 'Der Import läuft ohne Sie weiter, aber was daraus wurde, steht sonst nirgends.',
  leave: 'Gehen',
  stay: 'Bleiben',
  done: 'Übernommen',
  equal: (flags, contexts, environments) =>
    `Gleich dem, was SDKs dort bekommen: verglichen wurden ${flags} (Schalter) × ${contexts} (Kontexte) × ${environments} (Umgebungen).`,
  notCompared: 'Es ist übernommen und konnte nicht mit dem verglichen werden, was SDKs dort bekommen:',
  compared: 'Es gab in keiner Umgebung einen Schalter zu vergleichen.',
  told: (names) => `Anders, wie unten gesagt: ${names}.`,
  differs: 'Es ist übernommen, und diese Schalter sind hier nicht gleich:',
  difference: (flag, environment) => `${flag} in ${environment}`,
}

/** UI texts for imports from other services. Notes on single resources are the server's own English texts. */
export const IMPORT_TEXTS: Catalogue<typeof en> = { en, de }
