import type { Catalogue } from '../text/languages.ts'

const en = {
  titles: {
    strategy: 'Somebody else has changed this strategy in the meantime',
    segment: 'Somebody else has changed this segment in the meantime',
    field: 'Somebody else has changed this context field in the meantime',
    integration: 'Somebody else has changed this integration in the meantime',
    group: 'Somebody else has changed this group in the meantime',
    role: 'Somebody else has changed this role in the meantime',
    'sign-in': 'Somebody else has changed single sign-on in the meantime',
    variants: 'Somebody else has changed these variants in the meantime',
    origins: 'Somebody else has changed these addresses in the meantime',
  },
  by: (who: string, when: string) => `${who} changed it ${when}.`,
  unknown: 'Somebody changed it.',
  text: 'Your changes are not saved yet. Their version is in effect.',
  theirs: 'Theirs',
  mine: 'Mine',
  differences: (count: number) => (count === 1 ? '1 difference' : `${count} differences`),
}

/** UI texts about concurrent edits. */
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
