import type { Catalogue } from '../../text/languages.ts'

const en = {
  menus: {
    favoritesFirst: 'Favorites first',
    twoLines: 'Descriptions below names',
    saveHint: 'Stored in this browser, for every project',
    saved: (name: string) => `View saved as “${name}”`,
    open: 'Open flag',
    copyName: 'Copy name',
    copied: (name: string) => `Copied ${name}`,
    addFavorite: 'Add to favorites',
    removeFavorite: 'Remove from favorites',
    addedFavorite: (flag: string) => `Added ${flag} to favorites`,
    removedFavorite: (flag: string) => `Removed ${flag} from favorites`,
    changeType: 'Change type',
    typeChanged: (flag: string, type: string) => `${flag} is now of type ${type}`,
    archive: 'Archive',
    revive: 'Restore',
  },
}

/** UI strings for the menus of the list. */
export const MENU_TEXTS: Catalogue<typeof en> = {
  en,
  de: {
    menus: {
      favoritesFirst: 'Favoriten zuerst',
      twoLines: 'Beschreibungen unter den Namen',
      saveHint: 'In diesem Browser gespeichert, für alle Projekte',
      saved: (name) => `Ansicht als „${name}“ gespeichert`,
      open: 'Flag öffnen',
      copyName: 'Namen kopieren',
      copied: (name) => `${name} kopiert`,
      addFavorite: 'Zu Favoriten hinzufügen',
      removeFavorite: 'Aus Favoriten entfernen',
      addedFavorite: (flag) => `${flag} zu Favoriten hinzugefügt`,
      removedFavorite: (flag) => `${flag} aus Favoriten entfernt`,
      changeType: 'Typ ändern',
      typeChanged: (flag, type) => `${flag} ist jetzt vom Typ ${type}`,
      archive: 'Archivieren',
      revive: 'Wiederherstellen',
    },
  },
}
