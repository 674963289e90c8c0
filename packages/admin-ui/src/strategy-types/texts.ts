import type { BuiltInStrategy } from '@burgee/protocol/targeting/built-in-strategy'
import type { Catalogue } from '../text/languages.ts'

const descriptionsEn: Readonly<Record<BuiltInStrategy, string>> = {
  flexibleRollout: 'A share of users, sticky by a context field',
  default: 'Every user; constraints and segments narrow it down',
  userWithId: 'Users with listed IDs',
  remoteAddress: 'Requests from listed IP addresses and ranges',
  applicationHostname: 'Processes on listed hosts',
  gradualRolloutUserId: 'Old form of the gradual rollout, sticky by user ID',
  gradualRolloutSessionId: 'Old form of the gradual rollout, sticky by session ID',
  gradualRolloutRandom: 'Old form of the gradual rollout, random for each evaluation',
}

const descriptionsDe: typeof descriptionsEn = {
  flexibleRollout: 'Ein Anteil der Benutzer, stabil nach einem Kontextfeld',
  default: 'Jeder Benutzer; Bedingungen und Segmente schränken ein',
  userWithId: 'Benutzer mit aufgelisteten IDs',
  remoteAddress: 'Anfragen von aufgelisteten IP-Adressen und Bereichen',
  applicationHostname: 'Prozesse auf aufgelisteten Hosts',
  gradualRolloutUserId: 'Alte Form des schrittweisen Rollouts, stabil nach Benutzer-ID',
  gradualRolloutSessionId: 'Alte Form des schrittweisen Rollouts, stabil nach Sitzungs-ID',
  gradualRolloutRandom: 'Alte Form des schrittweisen Rollouts, zufällig bei jeder Auswertung',
}

/** Descriptions of built-in strategy types, in place of the English ones of the server. */
export const STRATEGY_DESCRIPTIONS: Catalogue<Readonly<Record<string, string>>> = {
  en: descriptionsEn,
  de: descriptionsDe,
}

const en = {
  strategyTypes: {
    title: 'Strategy types',
    intro: 'Built-in and custom strategies. Custom ones must be implemented in your SDKs.',
    create: 'Create strategy type',
    edit: (name: string) => `Strategy type ${name}`,
    nameHint: 'As registered in your SDKs. It cannot be changed later.',
    displayTitle: 'Title',
    titleHint: 'Shown when choosing a strategy type',
    builtIn: 'built in',
    deprecated: 'deprecated',
    parameters: 'Parameters',
    parametersHint: 'Inputs of this strategy type; SDKs receive the values as strings',
    noParameters: 'none',
    parameter: (number: number) => `Parameter ${number}`,
    addParameter: 'Add parameter',
    removeParameter: (name: string) => `Remove parameter ${name}`,
    kind: 'Kind',
    kinds: {
      string: 'Text',
      percentage: 'Percentage',
      list: 'List',
      number: 'Number',
      boolean: 'Yes or no',
    },
    required: 'Required',
    twice: 'Two parameters have the same name',
    deprecate: 'Deprecate',
    reactivate: 'Reactivate',
    deprecateOf: (name: string) => `Deprecate ${name}`,
    reactivateOf: (name: string) => `Reactivate ${name}`,
    isDeprecated: (name: string) => `Deprecated ${name}; existing strategies keep working`,
    isActive: (name: string) => `Reactivated ${name}`,
    saved: (name: string) => `Saved strategy type ${name}`,
    removed: (name: string) => `Deleted strategy type ${name}`,
    remove: (name: string) => `Delete ${name}`,
    removeTitle: (name: string) => `Delete strategy type ${name}?`,
    removeText: 'No strategy uses this type. This cannot be undone.',
    empty: 'No strategy types',
    emptyText: 'This server has none.',
  },
}

const de: typeof en = {
  strategyTypes: {
    title: 'Strategietypen',
    intro: 'Eingebaute und eigene Strategien. Eigene müssen in Ihren SDKs implementiert sein.',
    create: 'Strategietyp erstellen',
    edit: (name) => `Strategietyp ${name}`,
    nameHint: 'Wie in Ihren SDKs registriert. Kann später nicht geändert werden.',
    displayTitle: 'Titel',
    titleHint: 'Wird beim Auswählen eines Strategietyps angezeigt',
    builtIn: 'eingebaut',
    deprecated: 'veraltet',
    parameters: 'Parameter',
    parametersHint: 'Eingaben dieses Strategietyps; SDKs erhalten die Werte als Strings',
    noParameters: 'keine',
    parameter: (number) => `Parameter ${number}`,
    addParameter: 'Parameter hinzufügen',
    removeParameter: (name) => `Parameter ${name} entfernen`,
    kind: 'Art',
    kinds: { string: 'Text', percentage: 'Prozentsatz', list: 'Liste', number: 'Zahl', boolean: 'Ja oder nein' },
    required: 'Erforderlich',
    twice: 'Zwei Parameter haben denselben Namen',
    deprecate: 'Als veraltet markieren',
    reactivate: 'Reaktivieren',
    deprecateOf: (name) => `${name} als veraltet markieren`,
    reactivateOf: (name) => `${name} reaktivieren`,
    isDeprecated: (name) => `${name} als veraltet markiert; bestehende Strategien funktionieren weiterhin`,
    isActive: (name) => `${name} reaktiviert`,
    saved: (name) => `Strategietyp ${name} gespeichert`,
    removed: (name) => `Strategietyp ${name} gelöscht`,
    remove: (name) => `${name} löschen`,
    removeTitle: (name) => `Strategietyp ${name} löschen?`,
    removeText: 'Keine Strategie verwendet diesen Typ. Das kann nicht rückgängig gemacht werden.',
    empty: 'Keine Strategietypen',
    emptyText: 'Dieser Server hat keine.',
  },
}

/** UI strings for strategy types. */
export const STRATEGY_TYPE_TEXTS: Catalogue<typeof en> = { en, de }
