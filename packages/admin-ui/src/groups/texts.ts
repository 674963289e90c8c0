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
  intro: 'Gruppen geben mehreren Benutzern dieselben Rollen, global oder in Projekten.',
  create: 'Gruppe erstellen',
  edit: 'Gruppe bearbeiten',
  editLabel: (name) => `${name} bearbeiten`,
  empty: 'Noch keine Gruppen',
  emptyText: 'Geben Sie einem ganzen Team eine Rolle statt jeder einzelnen Person.',
  members: 'Mitglieder',
  choose: 'Personen auswählen',
  role: 'Globale Rolle',
  roleHint: 'Zusätzlich zur eigenen Rolle jedes Mitglieds',
  noRole: 'Keine',
  projects: 'Projektrollen',
  sso: 'Single-Sign-on-Gruppen',
  ssoHint: 'Benutzer mit einer dieser Gruppen beim Anbieter treten dieser Gruppe bei der Anmeldung bei',
  created: (name) => `${name} erstellt`,
  saved: (name) => `${name} gespeichert`,
  remove: (name) => `${name} löschen`,
  removeTitle: (name) => `${name} löschen?`,
  removeText: 'Ihre Mitglieder verlieren sofort die Rechte der Gruppe. Das kann nicht rückgängig gemacht werden.',
  removed: (name) => `${name} gelöscht`,
}

/** UI strings for groups. */
export const GROUP_TEXTS: Catalogue<typeof en> = { en, de }
