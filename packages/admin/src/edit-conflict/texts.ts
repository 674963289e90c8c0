import type { Catalogue } from '../text/languages.ts'

const en = {
  titles: {
    strategy: 'Somebody else changed this strategy meanwhile',
    segment: 'Somebody else changed this segment meanwhile',
    field: 'Somebody else changed this context field meanwhile',
    integration: 'Somebody else changed this integration meanwhile',
    group: 'Somebody else changed this group meanwhile',
    role: 'Somebody else changed this role meanwhile',
    'sign-in': 'Somebody else changed single sign-on meanwhile',
    variants: 'Somebody else changed these variants meanwhile',
    origins: 'Somebody else changed these addresses meanwhile',
  },
  by: (who: string, when: string) => `${who} changed it ${when}.`,
  unknown: 'Somebody changed it.',
  text: 'Nothing of yours is saved yet. Their version is in effect.',
  theirs: 'Theirs',
  mine: 'Mine',
  differences: (count: number) => (count === 1 ? '1 difference' : `${count} differences`),
}

/** Texts about two people who edit the same thing. */
export const CONFLICT_TEXTS: Catalogue<typeof en> = {
  en,
  de: {
    titles: {
      strategy: 'Jemand anderes hat diese Strategie inzwischen geändert',
      segment: 'Jemand anderes hat dieses Segment inzwischen geändert',
      field: 'Jemand anderes hat dieses Kontextfeld inzwischen geändert',
      integration: 'Jemand anderes hat diese Integration inzwischen geändert',
      group: 'Jemand anderes hat diese Gruppe inzwischen geändert',
      role: 'Jemand anderes hat diese Rolle inzwischen geändert',
      'sign-in': 'Jemand anderes hat Single Sign-on inzwischen geändert',
      variants: 'Jemand anderes hat diese Varianten inzwischen geändert',
      origins: 'Jemand anderes hat diese Adressen inzwischen geändert',
    },
    by: (who, when) => `Geändert von ${who}, ${when}.`,
    unknown: 'Von wem, ist nicht bekannt.',
    text: 'Von Ihnen ist noch nichts gespeichert. Die andere Fassung gilt.',
    theirs: 'Die andere',
    mine: 'Meine',
    differences: (count) => (count === 1 ? '1 Unterschied' : `${count} Unterschiede`),
  },
}
