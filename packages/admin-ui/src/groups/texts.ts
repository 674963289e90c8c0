import type { Catalogue } from '../text/languages.ts'

const en = {
  title: 'Groups',
  intro: 'People who share roles, globally or per project.',
  create: 'Create group',
  edit: 'Edit group',
  editLabel: (name: string) => `Edit ${name}`,
  empty: 'No groups yet',
  emptyText: 'Give a role to a whole team instead of each person.',
  members: 'Members',
  choose: 'Choose people',
  role: 'Global role',
  roleHint: 'In addition to each member’s own role',
  noRole: 'None',
  projects: 'Project roles',
  sso: 'Single sign-on groups',
  ssoHint: 'Users with one of these groups at the provider join this group at login',
  created: (name: string) => `Created ${name}`,
  saved: (name: string) => `Saved ${name}`,
  remove: (name: string) => `Delete ${name}`,
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: 'Its members lose its rights immediately. This cannot be undone.',
  removed: (name: string) => `Deleted ${name}`,
}

const de: typeof en = {
  title: 'Gruppen',
  intro: 'Menschen, die Rollen gemeinsam bekommen: überall oder in den Einstellungen eines Projekts.',
  create: 'Gruppe anlegen',
  edit: 'Gruppe ändern',
  editLabel: (name) => `${name} ändern`,
  empty: 'Noch keine Gruppen',
  emptyText: 'Nehmen Sie die Leute eines Teams in eine Gruppe auf und geben Sie ihr Rollen statt jedem einzeln.',
  members: 'Mitglieder',
  choose: 'Menschen wählen',
  role: 'Rolle überall',
  roleHint: 'Neben der eigenen Rolle jedes Mitglieds',
  noRole: 'Keine eigene',
  projects: 'In Projekten',
  sso: 'Namen beim Single Sign-on',
  ssoHint: 'Wer sich mit einer Gruppe dieses Namens anmeldet, ist in dieser',
  created: (name) => `${name} ist angelegt`,
  saved: (name) => `${name} ist geändert`,
  remove: (name) => `${name} löschen`,
  removeTitle: (name) => `${name} löschen?`,
  removeText: 'Ihre Mitglieder verlieren sofort, was sie durch sie dürfen. Es lässt sich nicht rückgängig machen.',
  removed: (name) => `${name} ist gelöscht`,
}

/** UI texts for groups. */
export const GROUP_TEXTS: Catalogue<typeof en> = { en, de }
