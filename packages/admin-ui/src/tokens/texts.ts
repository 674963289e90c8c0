import type { Catalogue } from '../text/languages.ts'
import { FIELD_LABELS } from '../text/wire-names.ts'

const en = {
  tokens: {
    title: 'API tokens',
    intro: 'SDKs and programs need a token to read or change flags.',
    create: 'Create token',
    empty: 'No tokens yet',
    emptyText: 'Create a client token for servers, or a frontend token for browsers and phones.',
    kind: 'Type',
    kinds: {
      client: 'Client (server SDKs)',
      frontend: 'Frontend (browsers and phones)',
      admin: 'Admin',
    } as Readonly<Record<string, string>>,
    kindHints: {
      client: 'Receives all rules; keep it secret',
      frontend: 'Receives results only; may be public',
      admin: 'Full access',
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
    onceText: 'You won’t see it again: the server stores only a hash.',
    done: 'Done',
    revoke: (name: string) => `Revoke ${name}`,
    revokeTitle: (name: string) => `Revoke token ${name}?`,
    revokeText: 'Clients using it are rejected immediately. This cannot be undone.',
    revokeAction: 'Revoke',
    revoked: (name: string) => `Revoked token ${name}`,
    projects: FIELD_LABELS.en.projects,
    tokenName: FIELD_LABELS.en.tokenName,
    expires: FIELD_LABELS.en.expiresAt,
  },
}

const de: typeof en = {
  tokens: {
    title: 'API-Tokens',
    intro: 'SDKs und Programme brauchen ein Token, um Flags zu lesen oder zu ändern.',
    create: 'Token erstellen',
    empty: 'Noch keine Tokens',
    emptyText: 'Erstellen Sie ein Client-Token für Server oder ein Frontend-Token für Browser und Mobilgeräte.',
    kind: 'Typ',
    kinds: { client: 'Client (Server-SDKs)', frontend: 'Frontend (Browser und Mobilgeräte)', admin: 'Admin' },
    kindHints: {
      client: 'Erhält alle Regeln; halten Sie es geheim',
      frontend: 'Erhält nur Ergebnisse; darf öffentlich sein',
      admin: 'Voller Zugriff',
    },
    token: 'Token',
    allProjects: 'Alle Projekte',
    expiry: { never: 'Nie', '7': 'In 7 Tagen', '30': 'In 30 Tagen', '90': 'In 90 Tagen', '365': 'In einem Jahr' },
    expired: 'abgelaufen',
    onceTitle: 'Kopieren Sie das Token jetzt',
    onceText: 'Es wird nicht noch einmal angezeigt: Der Server speichert nur einen Hash.',
    done: 'Fertig',
    revoke: (name) => `${name} widerrufen`,
    revokeTitle: (name) => `Token ${name} widerrufen?`,
    revokeText: 'Clients, die es verwenden, werden sofort abgewiesen. Das kann nicht rückgängig gemacht werden.',
    revokeAction: 'Widerrufen',
    revoked: (name) => `Token ${name} widerrufen`,
    projects: FIELD_LABELS.de.projects,
    tokenName: FIELD_LABELS.de.tokenName,
    expires: FIELD_LABELS.de.expiresAt,
  },
}

/** UI strings for the API tokens. */
export const TOKEN_TEXTS: Catalogue<typeof en> = { en, de }
