import type { flagsEn } from './texts.en.ts'

/** German texts of the flag list and of bulk actions. */
export const flagsDe: typeof flagsEn = {
  types: {
    release: 'Release',
    experiment: 'Experiment',
    operational: 'Betrieb',
    'kill-switch': 'Kill-Switch',
    permission: 'Berechtigung',
  },
  flags: {
    title: 'Flags',
    found: (total, shown) => (total === 1 ? '1 Flag' : `${shown} Flags`),
    search: 'Flags suchen',
    searchHint: 'Suchen',
    type: 'Typ',
    state: 'Zustand',
    tag: 'Tag',
    anyType: 'Alle Typen',
    anyState: 'Alle Zustände',
    active: 'Aktiv',
    stale: 'Veraltet',
    tagHint: 'Typ:Wert',
    clear: 'Filter löschen',
    create: 'Flag erstellen',
    empty: 'Noch keine Flags',
    emptyText: 'Mit einem Flag schalten Sie etwas ein oder aus, für alle Benutzer oder einige, ohne Deployment.',
    emptyViewer: 'Dieses Projekt hat noch keine Flags.',
    noMatch: 'Keine passenden Flags',
    noMatchText: 'Versuchen Sie weniger Buchstaben oder löschen Sie die Filter.',
    noneOverdue: 'Kein Flag hat seine erwartete Lebensdauer überschritten',
    table: 'Flags des Projekts',
    sortBy: (column) => `Nach ${column} sortieren`,
    switchLabel: (flag, environment) => `${flag} in ${environment}`,
    on: 'An',
    off: 'Aus',
    switchedOn: (flag, environment) => `${flag} ist in ${environment} an`,
    switchedOff: (flag, environment) => `${flag} ist in ${environment} aus`,
    confirmOff: (flag, environment) => `${flag} in ${environment} ausschalten?`,
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    createTitle: 'Flag erstellen',
    nameHint: 'Wie im Code verwendet. Später nicht änderbar.',
    nameBad: "Nur Buchstaben, Ziffern und - _ . ~ ! * ' ( )",
    namePattern: (pattern: string) => `Namen in diesem Projekt müssen ${pattern} entsprechen`,
    nameExample: (example: string) => `Zum Beispiel ${example}.`,
    descriptionHint: 'Was es tut und wann es entfernt werden kann',
    impression: 'Impression Data',
    impressionHint: 'SDKs melden jede Auswertung als Ereignis an Ihren Code',
    created: (flag) => `${flag} erstellt. Es ist in allen Umgebungen aus.`,
    archiveText:
      'SDKs erhalten es innerhalb von Sekunden nicht mehr, und Ihr Code verwendet seinen Vorgabewert. Sie können es später wiederherstellen, in allen Umgebungen aus.',
    tagType: 'Tag-Typ',
    tagValue: 'Wert',
  },
  stages: {
    initial: 'Neu',
    'pre-live': 'Pre-Live',
    live: 'Live',
    completed: 'Abgeschlossen',
    archived: 'Archiviert',
  },
  list: {
    stage: 'Phase',
    createdBy: 'Erstellt von',
    anyStage: 'Alle Phasen',
    active: 'Aktiv',
    stale: 'Veraltet',
    'potentially-stale': 'Möglicherweise veraltet',
    archived: 'Archiviert',
    lifetime: (type, days, shown) =>
      `Flags vom Typ ${type} sollen ${days === 1 ? 'einen Tag' : `${shown} Tage`} bestehen`,
    forever: (type) => `Flags vom Typ ${type} sind dauerhaft: Sie veralten nie durch ihr Alter`,
    status: 'An oder aus',
    anyStatus: 'An oder aus',
    onIn: (environment) => `An in ${environment}`,
    offIn: (environment) => `Aus in ${environment}`,
    mine: 'Meine Flags',
    mineHint: 'Flags, die Sie erstellt oder als Favorit markiert haben',
    noneMine: 'Keine Flags von Ihnen',
    noneMineText: 'Flags, die Sie erstellen oder mit dem Stern markieren, erscheinen hier.',
    notSeen: 'nie',
    neverSeen: 'nie ausgewertet',
    notSeenYet: 'Noch nicht ausgewertet',
    notSeenHint:
      'SDKs melden Auswertungen etwa einmal pro Minute. Eine einfache Anfrage, etwa mit curl, meldet nichts.',
    sort: 'Reihenfolge',
    select: (flag) => `${flag} auswählen`,
    selectShown: 'Alle geladenen Flags auswählen',
    tags: 'Tags',
    favorite: (flag) => `Favorit: ${flag}`,
    columns: 'Spalten',
    filters: 'Filter',
    savedFilters: 'Gespeicherte Filter',
    compare: 'Vergleichen',
    tooManyToCompare: 'Zu viele Flags für einen gezielten Vergleich ausgewählt: Verglichen werden alle des Projekts.',
    keys: 'Pfeiltasten wechseln die Zeile, x wählt aus, Umschalt + x wählt einen Bereich',
  },
  bulk: {
    label: 'Ausgewählte Flags',
    selected: (count, shown) => (count === 1 ? '1 Flag ausgewählt' : `${shown} Flags ausgewählt`),
    selectAll: (total) => `Alle ${total} auswählen`,
    clear: 'Auswahl aufheben',
    kinds: {
      switch: 'Ein- oder ausschalten',
      tag: 'Tags',
      stale: 'Veraltet',
      archive: 'Archivieren',
      revive: 'Wiederherstellen',
      export: 'Exportieren',
    },
    title: (count, shown) => (count === 1 ? '1 Flag' : `${shown} Flags`),
    archiveTitle: (count, shown) => (count === 1 ? '1 Flag archivieren?' : `${shown} Flags archivieren?`),
    archiveText:
      'SDKs erhalten sie innerhalb von Sekunden nicht mehr, und Ihr Code verwendet seine Vorgabewerte. Sie können sie später wiederherstellen, in allen Umgebungen aus.',
    addTag: 'Tag hinzufügen',
    removeTag: 'Tag entfernen',
    turnOn: (environment) => `In ${environment} einschalten`,
    turnOff: (environment) => `In ${environment} ausschalten`,
    markStale: 'Als veraltet markieren',
    markActive: 'Als aktiv markieren',
    archive: 'Archivieren',
    revive: 'Wiederherstellen',
    willChange: (count, shown) =>
      count === 0 ? 'Nichts ändert sich.' : count === 1 ? '1 Flag ändert sich:' : `${shown} Flags ändern sich:`,
    areSo: (count, shown) =>
      count === 1 ? '1 ist schon in diesem Zustand.' : `${shown} sind schon in diesem Zustand.`,
    andMore: (shown) => `und ${shown} weitere`,
    addsDefault: (count) =>
      `${count} von ihnen ${count === 1 ? 'hat' : 'haben'} dort keine Strategie: Die Standardstrategie des Projekts wird hinzugefügt.`,
    includeUsed: (count, shown) =>
      count === 1
        ? 'Auch das archivieren, nach dem Code noch fragt'
        : `Auch die ${shown} archivieren, nach denen Code noch fragt`,
    archiveUnused: (count, shown) =>
      count === 1 ? 'Das unbenutzte archivieren' : `Die ${shown} unbenutzten archivieren`,
    archiveAll: (shown) => `Alle ${shown} archivieren`,
    lastEvaluated: (ago) => `zuletzt ausgewertet ${ago}`,
    neverEvaluated: 'nie ausgewertet',
    evaluations: (shown) => `${shown} Auswertungen in 24 Stunden`,
    parents: (names) =>
      `Andere Flags hängen von ${names} ab. Wählen Sie auch diese aus oder entfernen Sie die Abhängigkeit.`,
    losesParents:
      'Einige hängen von anderen Flags ab. Diese Abhängigkeiten werden entfernt, und Rückgängig stellt sie nicht wieder her.',
    tagged: (count, tag) => `Tag ${tag} zu ${count === 1 ? '1 Flag' : `${count} Flags`} hinzugefügt`,
    untagged: (count, tag) => `Tag ${tag} von ${count === 1 ? '1 Flag' : `${count} Flags`} entfernt`,
    isOn: (count, environment) =>
      count === 1 ? `1 Flag ist in ${environment} an` : `${count} Flags sind in ${environment} an`,
    isOff: (count, environment) =>
      count === 1 ? `1 Flag ist in ${environment} aus` : `${count} Flags sind in ${environment} aus`,
    isStale: (count) => (count === 1 ? '1 Flag ist veraltet' : `${count} Flags sind veraltet`),
    isActive: (count) => (count === 1 ? '1 Flag ist aktiv' : `${count} Flags sind aktiv`),
    isArchived: (count) =>
      count === 1
        ? '1 Flag archiviert. Rückgängig stellt es wieder her, in allen Umgebungen aus.'
        : `${count} Flags archiviert. Rückgängig stellt sie wieder her, in allen Umgebungen aus.`,
    isRevived: (count) =>
      count === 1
        ? '1 Flag wiederhergestellt, in allen Umgebungen aus'
        : `${count} Flags wiederhergestellt, in allen Umgebungen aus`,
    enablesDisabled: (count) => `Bei ${count} davon sind alle Strategien deaktiviert: Einschalten aktiviert sie.`,
  },
}
