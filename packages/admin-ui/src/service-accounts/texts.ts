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
  create: 'Dienstkonto anlegen',
  edit: 'Dienstkonto ändern',
  editLabel: (name) => `${name} ändern`,
  empty: 'Noch keine Dienstkonten',
  emptyText: 'Legen Sie eins für ein Programm an, statt des Tokens eines Menschen, der gehen kann.',
  username: 'Benutzername',
  fullName: 'Name',
  role: 'Rolle',
  tokens: 'Tokens',
  tokensOf: (name) => `Tokens von ${name}`,
  noTokens: 'Noch keine Tokens.',
  createToken: 'Token anlegen',
  onceTitle: 'Kopieren Sie das Token',
  onceText: 'Damit handelt ein Programm als dieses Konto. Es wird nur dieses eine Mal gezeigt.',
  created: (name) => `${name} ist angelegt`,
  saved: (name) => `${name} ist geändert`,
  remove: (name) => `${name} löschen`,
  removeTitle: (name) => `${name} löschen?`,
  removeText: 'Seine Tokens gelten sofort nicht mehr. Es lässt sich nicht rückgängig machen.',
  removed: (name) => `${name} ist gelöscht`,
}

/** UI texts for service accounts. */
export const SERVICE_ACCOUNT_TEXTS: Catalogue<typeof en> = { en, de }
