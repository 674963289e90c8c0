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
    intro: 'Attribute, die Ihr Code über einen Benutzer sendet, verwendet in Bedingungen und für Stickiness.',
    create: 'Kontextfeld erstellen',
    edit: (name) => `Kontextfeld ${name}`,
    nameHint: 'Wie von Ihrem Code gesendet. Kann später nicht geändert werden.',
    builtIn: 'eingebaut',
    legal: 'Zulässige Werte',
    legalHint: 'Werden in Bedingungen vorgeschlagen. Sie können komma- oder zeilengetrennte Werte einfügen.',
    anyValue: 'beliebig',
    moreValues: (shown, rest) => `${shown} und ${rest} weitere`,
    newValues: 'Neue Werte',
    addValues: 'Werte hinzufügen',
    valueName: (value) => `Beschreibung von ${value}`,
    removeValue: (value) => `Wert ${value} entfernen`,
    sticky: 'Stickiness',
    stickyHint: 'Rollouts und Varianten können dieses Feld für ihre Stickiness verwenden',
    saved: (name) => `Kontextfeld ${name} gespeichert`,
    removed: (name) => `Kontextfeld ${name} gelöscht`,
    remove: (name) => `${name} löschen`,
    removeTitle: (name) => `Kontextfeld ${name} löschen?`,
    removeText: 'Keine Bedingung verwendet es. SDKs können es weiterhin senden.',
    empty: 'Keine Kontextfelder',
    emptyText: 'Fügen Sie Attribute Ihrer Benutzer hinzu, etwa Land oder Tarif.',
  },
}

/** UI strings for the context fields. */
export const CONTEXT_FIELD_TEXTS: Catalogue<typeof en> = { en, de }
