import type { Catalogue } from '../text/languages.ts'

const en = {
  tagTypes: {
    title: 'Tag types',
    intro: 'Tag types are the part before the colon, as in team:payments.',
    create: 'Create tag type',
    edit: (name: string) => `Tag type ${name}`,
    nameHint: 'Letters, digits, dots, dashes and underscores; it cannot be changed later',
    icon: 'Symbol',
    iconHint: 'One or two characters shown before its tags',
    tags: 'Tags',
    saved: (name: string) => `Saved tag type ${name}`,
    removed: (name: string) => `Deleted tag type ${name}`,
    remove: (name: string) => `Delete ${name}`,
    removeTitle: (name: string) => `Delete tag type ${name}?`,
    removeText: (tags: number) =>
      tags === 0
        ? 'There are no tags of this type.'
        : `Also removes ${tags === 1 ? 'its only tag' : `its ${tags} tags`} from all flags. This cannot be undone.`,
    empty: 'No tag types',
    emptyText: 'Create one, then add tags of this type to flags.',
  },
}

const de: typeof en = {
  tagTypes: {
    title: 'Tag-Typen',
    intro: 'Tag-Typen sind der Teil vor dem Doppelpunkt, wie in team:payments.',
    create: 'Tag-Typ erstellen',
    edit: (name) => `Tag-Typ ${name}`,
    nameHint: 'Buchstaben, Ziffern, Punkte, Binde- und Unterstriche; kann später nicht geändert werden',
    icon: 'Symbol',
    iconHint: 'Ein oder zwei Zeichen, die vor seinen Tags angezeigt werden',
    tags: 'Tags',
    saved: (name) => `Tag-Typ ${name} gespeichert`,
    removed: (name) => `Tag-Typ ${name} gelöscht`,
    remove: (name) => `${name} löschen`,
    removeTitle: (name) => `Tag-Typ ${name} löschen?`,
    removeText: (tags) =>
      tags === 0
        ? 'Es gibt keine Tags dieses Typs.'
        : `Entfernt auch ${tags === 1 ? 'sein einziges Tag' : `seine ${tags} Tags`} von allen Flags. Das kann nicht rückgängig gemacht werden.`,
    empty: 'Keine Tag-Typen',
    emptyText: 'Erstellen Sie einen und fügen Sie dann Flags Tags dieses Typs hinzu.',
  },
}

/** UI strings for tag types. */
export const TAG_TYPE_TEXTS: Catalogue<typeof en> = { en, de }
