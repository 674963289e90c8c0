import type { Catalogue } from '../text/languages.ts'

const en = {
  tagTypes: {
    title: 'Tag types',
    intro: 'Tags group flags, such as team:payments. These are the words before the colon.',
    create: 'Create tag type',
    edit: (name: string) => `Tag type ${name}`,
    nameHint: 'Letters, digits, dots, dashes and underscores; it cannot be changed later',
    icon: 'Symbol',
    iconHint: 'One or two characters before its tags',
    tags: 'Tags',
    saved: (name: string) => `The tag type ${name} is saved`,
    removed: (name: string) => `The tag type ${name} is removed`,
    remove: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove the tag type ${name}?`,
    removeText: (tags: number) =>
      tags === 0
        ? 'There are no tags of this type.'
        : `${tags === 1 ? 'Its only tag goes' : `Its ${tags} tags go`} with it, from all flags. This cannot be undone.`,
    empty: 'No tag types',
    emptyText: 'Create one, then give flags tags of this type.',
  },
}

const de: typeof en = {
  tagTypes: {
    title: 'Etikettenarten',
    intro: 'Etiketten fassen Schalter zusammen, etwa team:payments. Hier steht, was vor dem Doppelpunkt stehen darf.',
    create: 'Etikettenart anlegen',
    edit: (name) => `Etikettenart ${name}`,
    nameHint: 'Buchstaben, Ziffern, Punkte, Binde- und Unterstriche; später nicht zu ändern',
    icon: 'Zeichen',
    iconHint: 'Ein oder zwei Zeichen vor ihren Etiketten',
    tags: 'Etiketten',
    saved: (name) => `Die Etikettenart ${name} ist gespeichert`,
    removed: (name) => `Die Etikettenart ${name} ist entfernt`,
    remove: (name) => `${name} entfernen`,
    removeTitle: (name) => `Die Etikettenart ${name} entfernen?`,
    removeText: (tags) =>
      tags === 0
        ? 'Es gibt keine Etiketten davon.'
        : `${tags === 1 ? 'Ihr einziges Etikett verschwindet' : `Ihre ${tags} Etiketten verschwinden`} mit ihr, von allen Schaltern. Das lässt sich nicht zurücknehmen.`,
    empty: 'Keine Etikettenarten',
    emptyText: 'Legen Sie eine an und geben Sie dann Schaltern Etiketten davon.',
  },
}

/** UI texts for tag types. */
export const TAG_TYPE_TEXTS: Catalogue<typeof en> = { en, de }
