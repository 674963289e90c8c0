import type { Catalogue } from '../text/languages.ts'

const en = {
  fields: {
    title: 'Context fields',
    intro: 'What your code tells about a user. Constraints compare it, and rollouts can be sticky on it.',
    create: 'Create context field',
    edit: (name: string) => `Context field ${name}`,
    nameHint: 'As your code sends it. It cannot be changed later.',
    builtIn: 'built in',
    legal: 'Legal values',
    legalHint: 'If there are any, constraints offer them. Paste a list with commas or lines.',
    anyValue: 'any',
    moreValues: (shown: string, rest: number) => `${shown} and ${rest} more`,
    newValues: 'New values',
    addValues: 'Add values',
    valueName: (value: string) => `Description of ${value}`,
    removeValue: (value: string) => `Remove the value ${value}`,
    sticky: 'Stickiness',
    stickyHint: 'Rollouts and variants can give the same answer for the same value of this field',
    saved: (name: string) => `The context field ${name} is saved`,
    removed: (name: string) => `The context field ${name} is removed`,
    remove: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove the context field ${name}?`,
    removeText: 'No constraint reads it. SDKs may go on sending it.',
    empty: 'No context fields',
    emptyText: 'Add what your code knows about its users, such as a country or a plan.',
  },
}

const de: typeof en = {
  fields: {
    title: 'Kontextfelder',
    intro: 'Was SDKs über den Fragenden sagen. Bedingungen vergleichen damit, Rollouts können daran gebunden sein.',
    create: 'Kontextfeld anlegen',
    edit: (name) => `Kontextfeld ${name}`,
    nameHint: 'So, wie der Code es schickt. Später nicht zu ändern.',
    builtIn: 'eingebaut',
    legal: 'Erlaubte Werte',
    legalHint: 'Wo es welche gibt, bieten Bedingungen sie an. Listen mit Kommas oder Zeilen lassen sich einfügen.',
    anyValue: 'beliebig',
    moreValues: (shown, rest) => `${shown} und ${rest} weitere`,
    newValues: 'Neue Werte',
    addValues: 'Werte hinzufügen',
    valueName: (value) => `Beschreibung von ${value}`,
    removeValue: (value) => `Den Wert ${value} entfernen`,
    sticky: 'Bindung',
    stickyHint: 'Rollouts und Varianten dürfen für denselben Wert dieses Feldes bei ihrer Antwort bleiben',
    saved: (name) => `Das Kontextfeld ${name} ist gespeichert`,
    removed: (name) => `Das Kontextfeld ${name} ist entfernt`,
    remove: (name) => `${name} entfernen`,
    removeTitle: (name) => `Das Kontextfeld ${name} entfernen?`,
    removeText: 'Keine Bedingung liest es. SDKs dürfen es weiterhin schicken.',
    empty: 'Keine Kontextfelder',
    emptyText: 'Benennen Sie, was Ihr Code über den Fragenden weiß, etwa ein Land oder einen Tarif.',
  },
}

/** UI texts for the context fields. */
export const CONTEXT_FIELD_TEXTS: Catalogue<typeof en> = { en, de }
