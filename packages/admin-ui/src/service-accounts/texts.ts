import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Service accounts',
  intro: 'Accounts for programs that manage flags, such as pipelines. They use tokens and cannot log in.',
  create: 'Create service account',
  edit: 'Edit service account',
  editLabel: (name: string) => `Edit ${name}`,
  empty: 'No service accounts yet',
  emptyText: 'Use a service account for programs, not the token of a person who may leave.',
  username: 'Username',
  fullName: 'Name',
  role: 'Role',
  tokens: 'Tokens',
  tokensOf: (name: string) => `Tokens of ${name}`,
  noTokens: 'No tokens yet.',
  createToken: 'Create token',
  onceTitle: 'Copy the token',
  onceText: 'A program with this token acts as this account. You won’t see it again.',
  created: (name: string) => `Created ${name}`,
  saved: (name: string) => `Saved ${name}`,
  remove: (name: string) => `Delete ${name}`,
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: 'Its tokens stop working immediately. This cannot be undone.',
  removed: (name: string) => `Deleted ${name}`,
}

const de: typeof en = {
  title: 'Dienstkonten',
  intro:
    'Konten für Programme, die Flags verwalten, etwa Pipelines. Sie verwenden Tokens und können sich nicht anmelden.',
  create: 'Dienstkonto erstellen',
  edit: 'Dienstkonto bearbeiten',
  editLabel: (name) => `${name} bearbeiten`,
  empty: 'Noch keine Dienstkonten',
  emptyText: 'Verwenden Sie für Programme ein Dienstkonto, nicht das Token einer Person, die ausscheiden kann.',
  username: 'Benutzername',
  fullName: 'Name',
  role: 'Rolle',
  tokens: 'Tokens',
  tokensOf: (name) => `Tokens von ${name}`,
  noTokens: 'Noch keine Tokens.',
  createToken: 'Token erstellen',
  onceTitle: 'Kopieren Sie das Token',
  onceText: 'Ein Programm mit diesem Token handelt als dieses Konto. Es wird nicht noch einmal angezeigt.',
  created: (name) => `${name} erstellt`,
  saved: (name) => `${name} gespeichert`,
  remove: (name) => `${name} löschen`,
  removeTitle: (name) => `${name} löschen?`,
  removeText: 'Seine Tokens funktionieren sofort nicht mehr. Das kann nicht rückgängig gemacht werden.',
  removed: (name) => `${name} gelöscht`,
}

/** UI strings for service accounts. */
export const SERVICE_ACCOUNT_TEXTS: Catalogue<typeof en> = { en, de }
