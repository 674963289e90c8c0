import type { Catalogue } from '../text/languages.ts'

const en = {
  titles: {
    strategy: 'Someone else has changed this strategy',
    segment: 'Someone else has changed this segment',
    field: 'Someone else has changed this context field',
    integration: 'Someone else has changed this integration',
    group: 'Someone else has changed this group',
    role: 'Someone else has changed this role',
    'sign-in': 'Someone else has changed single sign-on',
    variants: 'Someone else has changed these variants',
    origins: 'Someone else has changed these origins',
    prometheus: 'Someone else has changed the Prometheus server',
  },
  by: (who: string, when: string) => `${who} changed it ${when}.`,
  unknown: 'Changed by an unknown user.',
  text: 'Your changes are not saved yet. Their version is in effect.',
  theirs: 'Theirs',
  mine: 'Mine',
  differences: (count: number) => (count === 1 ? '1 difference' : `${count} differences`),
}

/** UI strings about concurrent edits. */
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
      origins: 'Jemand anderes hat diese Origins inzwischen geändert',
      prometheus: 'Jemand anderes hat den Prometheus-Server inzwischen geändert',
    },
    by: (who, when) => `Geändert von ${who}, ${when}.`,
    unknown: 'Von einem unbekannten Benutzer geändert.',
    text: 'Ihre Änderungen sind noch nicht gespeichert. Die andere Version ist wirksam.',
    theirs: 'Andere Version',
    mine: 'Meine Version',
    differences: (count) => (count === 1 ? '1 Unterschied' : `${count} Unterschiede`),
  },
}
