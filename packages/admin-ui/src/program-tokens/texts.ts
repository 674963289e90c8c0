import type { Catalogue } from '../text/languages.ts'

const en = {
  purpose: 'Purpose',
  lastUsed: 'Last used',
  expires: 'Expires',
  days: { '7': 'In 7 days', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' } as Readonly<
    Record<string, string>
  >,
  token: 'Token',
  onceDone: 'Done',
  revoke: 'Revoke',
  revokeLabel: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText: 'Clients using it are rejected immediately. This cannot be undone.',
  revoked: (name: string) => `Revoked token ${name}`,
}

const de: typeof en = {
  purpose: 'Zweck',
  lastUsed: 'Zuletzt verwendet',
  expires: 'Läuft ab',
  days: { '7': 'In 7 Tagen', '30': 'In 30 Tagen', '90': 'In 90 Tagen', '365': 'In einem Jahr' },
  token: 'Token',
  onceDone: 'Fertig',
  revoke: 'Widerrufen',
  revokeLabel: (name) => `${name} widerrufen`,
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeText: 'Clients, die es verwenden, werden sofort abgewiesen. Das kann nicht rückgängig gemacht werden.',
  revoked: (name) => `Token ${name} widerrufen`,
}

/** UI strings for tokens for programs. */
export const PROGRAM_TOKEN_TEXTS: Catalogue<typeof en> = { en, de }
