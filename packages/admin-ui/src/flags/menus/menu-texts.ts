import type { Catalogue } from '../../text/languages.ts'

const en = {
  menus: {
    favoritesFirst: 'Favorites first',
    none: 'None yet. Filter the list, then save the filters.',
    save: 'Save filters …',
    saveTitle: 'Save filters',
    saveHint: 'Stored in this browser, for every project',
    remove: (name: string) => `Remove “${name}”`,
    saved: (name: string) => `Filters saved as “${name}”`,
  },
}

/** UI texts for the menus above the list. */
export const MENU_TEXTS: Catalogue<typeof en> = {
  en,
  de: {
    menus: {
      favoritesFirst: 'Favoriten zuerst',
      none: 'Noch keine. Filtern Sie die Liste und speichern Sie die Filter unter einem Namen.',
      save: 'Diese Filter speichern …',
      saveTitle: 'Diese Filter speichern',
      saveHint: 'Für Sie, in diesem Browser; für jedes Projekt',
      remove: (name) => `„${name}“ entfernen`,
      saved: (name) => `Die Filter sind als „${name}“ gespeichert`,
    },
  },
}
