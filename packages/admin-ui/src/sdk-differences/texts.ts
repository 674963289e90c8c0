import { SDK_ABILITIES, type SdkAbility, type SdkOutcome } from '@burgee/protocol/sdk/sdk-abilities'
import { describeOutcome } from '@burgee/protocol/sdk/sdk-lack-text'
import { type DifferenceKind, READING_DIFFERENCES } from '@burgee/protocol/targeting/reading-differences'
import type { Catalogue } from '../text/languages.ts'

/** Behavior of an application's SDK if it does not support a feature that a strategy uses. */
export interface GapText {
  readonly appName: string
  readonly sdkVersion: string
  readonly ability: SdkAbility
  readonly outcome: SdkOutcome
  readonly knownFrom: string | null
}

const en = {
  label: 'SDK compatibility',
  differences: READING_DIFFERENCES as Readonly<Record<DifferenceKind, string>>,
  gap: ({ appName, sdkVersion, ability, outcome, knownFrom }: GapText) =>
    `${appName} uses ${sdkVersion}, which does not support ${SDK_ABILITIES[ability]}: ${describeOutcome(ability, outcome)} there.` +
    (knownFrom === null ? '' : ` Supported from version ${knownFrom}.`),
}

const ABILITIES_DE: Readonly<Record<SdkAbility, string>> = {
  operators: 'die Vergleiche STR_, DATE_ und SEMVER_ (EQ, GT, LT)',
  numbers: 'die Vergleiche NUM_',
  inverted: 'verneinte Bedingungen',
  dates: 'DATE_-Vergleiche ohne currentTime im Kontext',
  regex: 'REGEX',
  networks: 'IN_CIDR, SEMVER_GTE und SEMVER_LTE',
  ipv6Ranges: 'IPv6-Bereiche in remoteAddress',
  strategyVariants: 'Varianten von Strategien',
  parents: 'übergeordnete Flags',
  parentVariants: 'bestimmte Varianten eines übergeordneten Flags',
}

function outcomeDe(ability: SdkAbility, outcome: SdkOutcome): string {
  if (outcome === 'off') return 'die Strategie gilt dort für niemanden'
  if (outcome === 'on') return 'die Bedingung gilt dort als erfüllt, das Flag ist womöglich für alle Benutzer an'
  if (outcome === 'throws') return 'der Aufruf schlägt dort fehl'
  if (ability === 'inverted') return 'die Bedingung gilt dort unverneint'
  if (ability === 'strategyVariants') return 'das Flag hat dort keine Variante der Strategie'
  if (ability === 'parentVariants') return 'das Flag ist dort bei jeder Variante des übergeordneten an'
  return 'das Flag ist dort an, unabhängig vom übergeordneten'
}

const de: typeof en = {
  label: 'SDK-Kompatibilität',
  differences: {
    malformed: 'Trifft nie zu: Der Wert fehlt oder hat nicht die richtige Form.',
    illFormed: 'Enthält ein halbes Ersatzzeichenpaar: SDKs in Rust können die Flags der ganzen Umgebung nicht lesen.',
    form: 'SDKs lesen diese Schreibweise unterschiedlich; beim erneuten Speichern erhält der Wert die Form, die alle gleich lesen.',
    unknownDay:
      'Diesen Tag gibt es in keinem Monat: SDKs in Node verwenden einen anderen, bei den übrigen trifft die Bedingung nie zu.',
    dateOnField: 'SDKs in Node vergleichen die aktuelle Zeit und ignorieren das Feld, andere vergleichen das Feld.',
    textOfTime: 'SDKs schreiben die aktuelle Zeit unterschiedlich; DATE_AFTER und DATE_BEFORE lesen alle gleich.',
    patternClasses:
      '\\d, \\w, \\s und \\b stehen in SDKs in Node nur für ASCII, in anderen für ganz Unicode; [0-9] und [A-Za-z0-9_] lesen alle gleich.',
    patternSyntax: 'SDKs außer denen in Node können dieses Muster nicht lesen oder lesen es anders.',
    groupId:
      'SDKs berechnen den Hash von Gruppen mit Zeichen außerhalb von ASCII unterschiedlich und wählen andere Benutzer aus.',
    variantStickiness:
      'Mit der Stickiness „default“ wählen SDKs in Node nach userId oder sessionId aus, andere nach der Stickiness der Strategie.',
    ipv6Range: 'SDKs in Node erkennen keine IPv6-Bereiche.',
    payload: 'Der Payload entspricht nicht seinem Typ.',
  },
  gap: ({ appName, sdkVersion, ability, outcome, knownFrom }) =>
    `${appName} verwendet ${sdkVersion}, das ${ABILITIES_DE[ability]} nicht unterstützt: ${outcomeDe(ability, outcome)}.` +
    (knownFrom === null ? '' : ` Unterstützt ab Version ${knownFrom}.`),
}

/** UI strings about SDK differences and unsupported features. */
export const SDK_TEXTS: Catalogue<typeof en> = { en, de }
