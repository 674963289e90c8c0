import type { Catalogue } from './languages.ts'

const en = {
  roles: {
    1: { name: 'Admin', text: 'Can do everything, here and in every project' },
    2: { name: 'Editor', text: 'Can change flags in the default project, and what flags share' },
    3: { name: 'Viewer', text: 'Can look at everything; further rights come from projects' },
    4: { name: 'Owner', text: 'Can change flags and settings of the project, and decide who is in it' },
    5: { name: 'Member', text: 'Can change flags of the project' },
  } as Readonly<Record<number, { readonly name: string; readonly text: string }>>,
  person: {
    user: 'User',
    fullName: 'Name',
    username: 'Username',
    email: 'E-mail address',
    deactivated: 'deactivated',
  },
}

const de: typeof en = {
  roles: {
    1: { name: 'Admin', text: 'Darf alles, hier und in jedem Projekt' },
    2: { name: 'Editor', text: 'Darf Flags im Standardprojekt und gemeinsame Ressourcen ändern' },
    3: { name: 'Viewer', text: 'Darf alles ansehen; weitere Rechte kommen aus Projekten' },
    4: { name: 'Owner', text: 'Darf Flags, Einstellungen und Mitglieder des Projekts ändern' },
    5: { name: 'Member', text: 'Darf Flags des Projekts ändern' },
  },
  person: {
    user: 'Benutzer',
    fullName: 'Name',
    username: 'Benutzername',
    email: 'E-Mail-Adresse',
    deactivated: 'deaktiviert',
  },
}

/** UI strings about roles and users. */
export const PEOPLE_TEXTS: Catalogue<typeof en> = { en, de }
