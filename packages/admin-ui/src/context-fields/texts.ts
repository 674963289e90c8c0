import type { Catalogue } from '../text/languages.ts'

const en = {
  fields: {
    title: 'Context fields',
    intro: 'Attributes your code sends about a user, used in constraints and stickiness.',
    create: 'Create context field',
    edit: (name: string) => `Context field ${name}`,
    nameHint: 'As sent by your code. It cannot be changed later.',
    builtIn: 'built in',
    legal: 'Legal values',
    legalHint: 'Offered in constraints. Paste comma- or line-separated values.',
    anyValue: 'any',
    moreValues: (shown: string, rest: number) => `${shown} and ${rest} more`,
    newValues: 'New values',
    addValues: 'Add values',
    valueName: (value: string) => `Description of ${value}`,
    removeValue: (value: string) => `Remove value ${value}`,
    sticky: 'Stickiness',
    stickyHint: 'Rollouts and variants can be sticky on this field',
    saved: (name: string) => `Saved context field ${name}`,
    removed: (name: string) => `Deleted context field ${name}`,
    remove: (name: string) => `Delete ${name}`,
    removeTitle: (name: string) => `Delete context field ${name}?`,
    removeText: 'No constraint uses it. SDKs can continue to send it.',
    empty: 'No context fields',
    emptyText: 'Add attributes of your users, such as country or plan.',
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
    removeValue: (value) => `Wert ${value} entfernen`,
    sticky: 'Bindung',
    stickyHint: 'Rollouts und Varianten dürfen für denselben Wert dieses Feldes bei ihrer Antwort bleiben',
    saved: (name) => `Das Kontextfeld ${name} ist gespeichert`,
    removed: (name) => `Kontextfeld ${name} gelöscht`,
    remove: (name) => `${name} löschen`,
    removeTitle: (name) => `Kontextfeld ${name} löschen?`,
    removeText: 'Keine Bedingung liest es. SDKs dürfen es weiterhin schicken.',
    empty: 'Keine Kontextfelder',
    emptyText: 'Benennen Sie, was Ihr Code über den Fragenden weiß, etwa ein Land oder einen Tarif.',
  },
}

/** UI texts for the context fields. */
export const CONTEXT_FIELD_TEXTS: Catalogue<typeof en> = { en, de }
