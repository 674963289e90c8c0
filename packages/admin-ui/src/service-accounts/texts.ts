import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Service accounts',
  intro: 'Accounts for programs that administer flags, such as pipelines. They have tokens, and cannot log in here.',
  create: 'Create service account',
  edit: 'Edit service account',
  editLabel: (name: string) => `Edit ${name}`,
  empty: 'No service accounts yet',
  emptyText: 'Create one for a program, rather than using the token of a person who may leave.',
  username: 'Username',
  fullName: 'Name',
  role: 'Role',
  tokens: 'Tokens',
  tokensOf: (name: string) => `Tokens of ${name}`,
  noTokens: 'No tokens yet.',
  createToken: 'Create token',
  onceTitle: 'Copy the token',
  onceText: 'With it, a program acts as this account. It is shown only this once.',
  created: (name: string) => `${name} is created`,
  saved: (name: string) => `${name} is changed`,
  remove: (name: string) => `Delete ${name}`,
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: 'Its tokens stop working at once. This cannot be undone.',
  removed: (name: string) => `${name} is deleted`,
}

const de: typeof en = {
  title: 'Dienstkonten',
  intro:
    'Konten für Programme, die Schalter verwalten, etwa Pipelines. Sie haben Tokens und können sich hier nicht anmelden.',
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
