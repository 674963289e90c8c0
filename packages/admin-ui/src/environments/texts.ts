import { COUNTS } from '../text/counts.ts'
import type { Catalogue } from '../text/languages.ts'

const en = {
  environments: {
    title: 'Environments',
    intro:
      'Every flag has its own state and rules in each of them. Production environments ask before a flag is switched.',
    create: 'Create environment',
    edit: 'Edit environment',
    editLabel: (name: string) => `Edit ${name}`,
    enabledFlags: 'Flags that are on',
    tokens: 'API tokens',
    projects: 'Projects',
    active: 'In use',
    inactive: 'Switched off',
    empty: 'No environments',
    emptyText: 'Create one for each place where your software runs.',
    name: 'Name',
    nameHint: 'Appears in SDK tokens and addresses; it cannot be changed later.',
    nameBad: "Only letters, digits, and - _ . ~ ! * ' ( )",
    type: 'Type',
    typeHint: 'The type "production" asks before each switch.',
    types: {
      development: 'Development',
      test: 'Test',
      preproduction: 'Pre-production',
      production: 'Production',
    } as Readonly<Record<string, string>>,
    sampling: 'Editors see what a change does to recent traffic',
    samplingHint:
      'For this the server keeps the contexts (user ids, addresses, properties) of up to 10,000 recent requests from front ends: in memory only, encrypted, for a day at most. They are never written to disk or a log, and nobody can read them here: editors see counts. Once this is switched off, all are forgotten at once.',
    samplingHeld: (contexts: string) => `Now in the memory of this server node: ${contexts}.`,
    created: (name: string) => `${name} is created; add it to projects in their settings`,
    saved: (name: string) => `${name} is changed`,
    more: (name: string) => `More: ${name}`,
    connect: 'Connect an SDK',
    connectLabel: (name: string) => `Connect an SDK with ${name}`,
    compare: 'Compare …',
    compareAll: 'Compare environments',
    compareLabel: (name: string) => `Compare ${name} with another environment`,
    clone: 'Clone',
    cloneLabel: (name: string) => `Clone ${name}`,
    cloneProjectsHint: (name: string) => `Projects that get it; empty: all that use ${name}`,
    cloneStrategies: 'Copy strategies and variants',
    cloneEnabled: 'Turn on what is on',
    cloneEnabledHint: 'Otherwise all flags are off in the new environment',
    clonePermissions: 'Roles can do in it what they can do here',
    cloned: (name: string, from: string) => `${name} is a clone of ${from}`,
    moveUp: 'Move up',
    moveDown: 'Move down',
    up: (name: string) => `Move up: ${name}`,
    down: (name: string) => `Move down: ${name}`,
    moved: (name: string) => `${name} is moved`,
    movedBack: (name: string) => `${name} is where it was`,
    turnOff: 'Turn off',
    turnOffLabel: (name: string) => `Turn off ${name}`,
    turnOffTitle: (name: string) => `Turn ${name} off?`,
    turnOffText: (on: number) =>
      `New projects will not use it. Nothing changes for projects that do: ${
        on === 0 ? 'flags' : `${COUNTS.en.flags(on)} that ${on === 1 ? 'is' : 'are'} on`
      }, tokens and SDKs there keep working as before.`,
    turnOn: 'Turn on',
    turnOnLabel: (name: string) => `Turn on ${name}`,
    turnedOn: (name: string) => `${name} is on: new projects will use it`,
    turnedOff: (name: string) => `${name} is off: new projects will not use it`,
    remove: (name: string) => `Delete ${name}`,
    removeTitle: (name: string) => `Delete the environment ${name}?`,
    removeText: 'No project and no token uses it.',
    removeBlocked: (projectCount: number, tokenCount: number) =>
      `In use by ${[
        projectCount > 0 && COUNTS.en.projects(projectCount),
        tokenCount > 0 && COUNTS.en.tokens(tokenCount),
      ]
        .filter(Boolean)
        .join(' and ')}: remove it there first`,
    removeProtected: 'This environment is protected',
    removed: (name: string) => `${name} is deleted`,
    restored: (name: string) => `${name} is back`,
  },
}

const de: typeof en = {
  environments: {
    title: 'Umgebungen',
    intro:
      'Jeder Schalter hat in jeder von ihnen einen eigenen Zustand und eigene Regeln. Produktionsumgebungen fragen vor dem Schalten.',
    create: 'Umgebung anlegen',
    edit: 'Umgebung ändern',
    editLabel: (name) => `${name} ändern`,
    enabledFlags: 'Schalter an',
    tokens: 'API-Tokens',
    projects: 'Projekte',
    active: 'In Gebrauch',
    inactive: 'Abgeschaltet',
    empty: 'Keine Umgebungen',
    emptyText: 'Legen Sie eine für jeden Ort an, an dem Ihre Software läuft.',
    name: 'Name',
    nameHint: 'Wie SDK-Tokens und Adressen ihn haben; er lässt sich später nicht ändern.',
    nameBad: "Nur Buchstaben, Ziffern und - _ . ~ ! * ' ( )",
    type: 'Art',
    typeHint: 'Die Art „production“ fragt vor jedem Schalten.',
    types: { development: 'Entwicklung', test: 'Test', preproduction: 'Vorproduktion', production: 'Produktion' },
    sampling: 'Beim Bearbeiten zeigen, was eine Änderung für den Verkehr der letzten Zeit tut',
    samplingHint:
      'Dafür behält der Server die Kontexte (Benutzerkennungen, Adressen, Eigenschaften) von bis zu 10.000 Anfragen von Frontends der letzten Zeit: nur im Speicher, verschlüsselt, längstens einen Tag. Sie kommen nie auf die Platte oder in ein Protokoll, und niemand kann sie hier lesen: Wer bearbeitet, sieht Anzahlen. Beim Ausschalten sind alle sofort vergessen.',
    samplingHeld: (contexts) => `Jetzt im Speicher dieses Serverknotens: ${contexts}.`,
    created: (name) => `${name} ist angelegt; Projekte bekommen sie in ihren Einstellungen`,
    saved: (name) => `${name} ist geändert`,
    more: (name) => `Mehr: ${name}`,
    connect: 'SDK anschließen',
    connectLabel: (name) => `SDK an ${name} anschließen`,
    compare: 'Vergleichen …',
    compareAll: 'Umgebungen vergleichen',
    compareLabel: (name) => `${name} mit einer anderen Umgebung vergleichen`,
    clone: 'Klonen',
    cloneLabel: (name) => `${name} klonen`,
    cloneProjectsHint: (name) => `Projekte, die sie bekommen; leer: alle, die ${name} benutzen`,
    cloneStrategies: 'Strategien und Varianten kopieren',
    cloneEnabled: 'Anschalten, was an ist',
    cloneEnabledHint: 'Sonst sind in der neuen Umgebung alle Schalter aus',
    clonePermissions: 'Rollen dürfen in ihr, was sie hier dürfen',
    cloned: (name, from) => `${name} ist aus ${from} entstanden`,
    moveUp: 'Nach oben',
    moveDown: 'Nach unten',
    up: (name) => `Nach oben: ${name}`,
    down: (name) => `Nach unten: ${name}`,
    moved: (name) => `${name} ist verschoben`,
    movedBack: (name) => `${name} ist, wo sie war`,
    turnOff: 'Abschalten',
    turnOffLabel: (name) => `${name} abschalten`,
    turnOffTitle: (name) => `${name} abschalten?`,
    turnOffText: (on) =>
      `Künftige Projekte benutzen sie nicht. Für die anderen ändert sich nichts: ${
        on === 0 ? 'Schalter' : `${COUNTS.de.flags(on)}, ${on === 1 ? 'der an ist' : 'die an sind'}`
      }, Tokens und SDKs dort laufen weiter wie bisher.`,
    turnOn: 'Anschalten',
    turnOnLabel: (name) => `${name} anschalten`,
    turnedOn: (name) => `${name} ist an: künftige Projekte benutzen sie`,
    turnedOff: (name) => `${name} ist aus: künftige Projekte benutzen sie nicht`,
    remove: (name) => `${name} löschen`,
    removeTitle: (name) => `Die Umgebung ${name} löschen?`,
    removeText: 'Kein Projekt und kein Token benutzt sie.',
    removeBlocked: (projectCount, tokenCount) =>
      `Von ${[projectCount > 0 && COUNTS.de.projects(projectCount), tokenCount > 0 && COUNTS.de.tokens(tokenCount)]
        .filter(Boolean)
        .join(' und ')} benutzt: zuerst dort herausnehmen`,
    removeProtected: 'Diese Umgebung ist geschützt',
    removed: (name) => `${name} ist gelöscht`,
    restored: (name) => `${name} ist wieder da`,
  },
}

/** UI texts for the environments. */
export const ENVIRONMENT_TEXTS: Catalogue<typeof en> = { en, de }
