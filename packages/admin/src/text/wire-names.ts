import type { Operator } from '@burgee/protocol/targeting/operator'
import type { Catalogue } from './languages.ts'

const en = {
  title: 'Title',
  segments: 'Segments',
  constraints: 'Constraints',
  variants: 'Variants',
  values: 'Values',
  value: 'Value',
  parameters: 'Parameters',
  rollout: 'Rollout',
  projects: 'Projects',
  tokenName: 'Name of the application',
  expiresAt: 'Expires',
}

/** What people call a field, by its name on the wire. */
export const FIELD_LABELS: Catalogue<typeof en> = {
  en,
  de: {
    title: 'Titel',
    segments: 'Segmente',
    constraints: 'Bedingungen',
    variants: 'Varianten',
    values: 'Werte',
    value: 'Wert',
    parameters: 'Parameter',
    rollout: 'Anteil',
    projects: 'Projekte',
    tokenName: 'Name der Anwendung',
    expiresAt: 'Läuft ab',
  },
}

/** What an operator says between a field and a value. */
export const OPERATOR_WORDS: Catalogue<Readonly<Record<Operator, string>>> = {
  en: {
    IN: 'is',
    NOT_IN: 'is not',
    STR_CONTAINS: 'contains',
    STR_STARTS_WITH: 'starts with',
    STR_ENDS_WITH: 'ends with',
    NUM_EQ: '=',
    NUM_GT: '>',
    NUM_GTE: '≥',
    NUM_LT: '<',
    NUM_LTE: '≤',
    DATE_AFTER: 'is after',
    DATE_BEFORE: 'is before',
    SEMVER_EQ: 'is version',
    SEMVER_GT: 'is a version after',
    SEMVER_GTE: 'is at least version',
    SEMVER_LT: 'is a version before',
    SEMVER_LTE: 'is at most version',
    REGEX: 'matches',
    IN_CIDR: 'is in the network',
  },
  de: {
    IN: 'ist',
    NOT_IN: 'ist nicht',
    STR_CONTAINS: 'enthält',
    STR_STARTS_WITH: 'beginnt mit',
    STR_ENDS_WITH: 'endet mit',
    NUM_EQ: '=',
    NUM_GT: '>',
    NUM_GTE: '≥',
    NUM_LT: '<',
    NUM_LTE: '≤',
    DATE_AFTER: 'ist nach',
    DATE_BEFORE: 'ist vor',
    SEMVER_EQ: 'ist Version',
    SEMVER_GT: 'ist eine Version nach',
    SEMVER_GTE: 'ist mindestens Version',
    SEMVER_LT: 'ist eine Version vor',
    SEMVER_LTE: 'ist höchstens Version',
    REGEX: 'passt auf',
    IN_CIDR: 'ist im Netz',
  },
}
