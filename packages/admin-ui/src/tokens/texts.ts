import type { Catalogue } from '../text/languages.ts'
import { FIELD_LABELS } from '../text/wire-names.ts'

const en = {
  tokens: {
    title: 'API tokens',
    intro: 'SDKs and programs need a token to read flags or to change them.',
    create: 'Create token',
    empty: 'No tokens yet',
    emptyText: 'An SDK needs one: client tokens for servers, frontend tokens for browsers and phones.',
    kind: 'For',
    kinds: {
      client: 'Server SDKs',
      frontend: 'Browsers and phones',
      admin: 'Administration',
    } as Readonly<Record<string, string>>,
    kindHints: {
      client: 'Gets all rules; must stay secret',
      frontend: 'Gets results only; may be public',
      admin: 'Can do everything',
    } as Readonly<Record<string, string>>,
    token: 'Token',
    allProjects: 'All projects',
    expiry: {
      never: 'Never',
      '7': 'In 7 days',
      '30': 'In 30 days',
      '90': 'In 90 days',
      '365': 'In a year',
    } as Readonly<Record<string, string>>,
    expired: 'expired',
    onceTitle: 'Copy the token now',
    onceText: 'It is shown only this once. The server keeps only a fingerprint of it.',
    done: 'I have copied it',
    revoke: (name: string) => `Revoke ${name}`,
    revokeTitle: (name: string) => `Revoke the token ${name}?`,
    revokeText: 'Whatever uses it is refused at once. It cannot be brought back.',
    revokeAction: 'Revoke',
    revoked: (name: string) => `The token ${name} is revoked`,
    projects: FIELD_LABELS.en.projects,
    tokenName: FIELD_LABELS.en.tokenName,
    expires: FIELD_LABELS.en.expiresAt,
  },
}

const de: typeof en = {
  tokens: {
    title: 'API-Tokens',
    intro: 'SDKs und Programme zeigen ein Token vor, um Schalter zu bekommen oder zu ändern.',
    create: 'Token anlegen',
    empty: 'Noch keine Tokens',
    emptyText: 'Ein SDK braucht eines: Client-Tokens für Server, Frontend-Tokens für Browser und Mobilgeräte.',
    kind: 'Für',
    kinds: { client: 'Server-SDKs', frontend: 'Browser und Mobilgeräte', admin: 'Verwaltung' },
    kindHints: {
      client: 'Bekommt alle Regeln; muss geheim bleiben',
      frontend: 'Bekommt nur Ergebnisse; darf öffentlich sein',
      admin: 'Darf alles',
    },
    token: 'Token',
    allProjects: 'Alle Projekte',
    expiry: { never: 'Nie', '7': 'In 7 Tagen', '30': 'In 30 Tagen', '90': 'In 90 Tagen', '365': 'In einem Jahr' },
    expired: 'abgelaufen',
    onceTitle: 'Kopieren Sie das Token jetzt',
    onceText: 'Es wird nur dieses eine Mal gezeigt. Der Server behält nur einen Fingerabdruck davon.',
    done: 'Ich habe es kopiert',
    revoke: (name) => `${name} widerrufen`,
    revokeTitle: (name) => `Das Token ${name} widerrufen?`,
    revokeText: 'Was es benutzt, wird sofort abgewiesen. Es lässt sich nicht zurückholen.',
    revokeAction: 'Widerrufen',
    revoked: (name) => `Das Token ${name} ist widerrufen`,
    projects: FIELD_LABELS.de.projects,
    tokenName: FIELD_LABELS.de.tokenName,
    expires: FIELD_LABELS.de.expiresAt,
  },
}

/** UI texts for the API tokens. */
export const TOKEN_TEXTS: Catalogue<typeof en> = { en, de }
