import type { enList } from './en-list.ts'

/** Texts of the list of flags and of what is done with several of them, in German. */
export const deList: typeof enList = {
  list: {
    active: 'In Gebrauch',
    stale: 'Veraltet',
    'potentially-stale': 'Vielleicht veraltet',
    archived: 'Archiviert',
    lifetime: (type, days, shown) =>
      `Schalter der Art ${type} sollen ${days === 1 ? 'einen Tag' : `${shown} Tage`} leben`,
    status: 'Ein oder aus',
    anyStatus: 'An oder aus',
    onIn: (environment) => `Ein in ${environment}`,
    offIn: (environment) => `Aus in ${environment}`,
    sort: 'Reihenfolge',
    select: (flag) => `${flag} auswählen`,
    selectShown: 'Die geladenen Schalter auswählen',
    tags: 'Etiketten',
    keys: 'Pfeiltasten wechseln die Zeile, x wählt aus, Umschalt + x alles dazwischen',
  },
  bulk: {
    label: 'Ausgewählte Schalter',
    selected: (count, shown) => (count === 1 ? '1 Schalter ausgewählt' : `${shown} Schalter ausgewählt`),
    selectAll: (total) => `Alle ${total} auswählen`,
    clear: 'Auswahl aufheben',
    kinds: {
      switch: 'Ein- oder ausschalten',
      tag: 'Etiketten',
      stale: 'Veraltet',
      archive: 'Archivieren',
      revive: 'Zurückholen',
    },
    title: (count) => `${count} Schalter`,
    addTag: 'Etikett hinzufügen',
    removeTag: 'Etikett entfernen',
    turnOn: (environment) => `In ${environment} einschalten`,
    turnOff: (environment) => `In ${environment} ausschalten`,
    markStale: 'Als veraltet kennzeichnen',
    markActive: 'Als in Gebrauch kennzeichnen',
    archive: 'Archivieren',
    revive: 'Zurückholen',
    willChange: (count, shown) =>
      count === 0 ? 'Nichts ändert sich.' : count === 1 ? '1 Schalter ändert sich:' : `${shown} Schalter ändern sich:`,
    areSo: (count, shown) => (count === 1 ? '1 ist schon so.' : `${shown} sind schon so.`),
    andMore: (shown) => `und ${shown} weitere`,
    parents: (names) =>
      `Andere Schalter hängen von ${names} ab. Wählen Sie auch diese aus, oder nehmen Sie die Abhängigkeit weg.`,
    losesParents:
      'Einige hängen von anderen Schaltern ab. Diese Abhängigkeiten gehen, und Rückgängigmachen bringt sie nicht zurück.',
    tagged: (count, tag) => `${count} Schalter ${count === 1 ? 'hat' : 'haben'} das Etikett ${tag}`,
    untagged: (count, tag) => `${count} Schalter ${count === 1 ? 'hat' : 'haben'} das Etikett ${tag} nicht mehr`,
    isOn: (count, environment) => `${count} Schalter ${count === 1 ? 'ist' : 'sind'} ein in ${environment}`,
    isOff: (count, environment) => `${count} Schalter ${count === 1 ? 'ist' : 'sind'} aus in ${environment}`,
    isStale: (count) => `${count} Schalter ${count === 1 ? 'ist' : 'sind'} veraltet`,
    isActive: (count) => `${count} Schalter ${count === 1 ? 'ist' : 'sind'} in Gebrauch`,
    isArchived: (count) =>
      count === 1
        ? '1 Schalter ist archiviert. Rückgängig holt ihn zurück, überall aus.'
        : `${count} Schalter sind archiviert. Rückgängig holt sie zurück, überall aus.`,
    isRevived: (count) => `${count} Schalter ${count === 1 ? 'ist' : 'sind'} zurück, überall aus`,
    enablesDisabled: (count) =>
      `Bei ${count} davon sind alle Strategien abgeschaltet: Einschalten schaltet sie wieder ein.`,
  },
}
