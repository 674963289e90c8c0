import type { Catalogue } from '../../text/languages.ts'

const en = {
  label: 'Users and access',
  pages: {
    '/users': 'Users',
    '/invite-links': 'Invite links',
    '/groups': 'Groups',
    '/service-accounts': 'Service accounts',
    '/roles': 'Roles',
    '/single-sign-on': 'Single sign-on',
    '/logins': 'Logins',
  },
}

const de: typeof en = {
  label: 'Wer was darf',
  pages: {
    '/users': 'Benutzer',
    '/invite-links': 'Einladungslinks',
    '/groups': 'Gruppen',
    '/service-accounts': 'Dienstkonten',
    '/roles': 'Rollen',
    '/single-sign-on': 'Single Sign-on',
    '/logins': 'Anmeldungen',
  },
}

/** Names of the access-control pages. */
export const ACCESS_TEXTS: Catalogue<typeof en> = { en, de }
