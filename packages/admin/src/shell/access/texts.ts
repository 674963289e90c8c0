import type { Catalogue } from '../../text/languages.ts'

const en = {
  label: 'Who may what',
  pages: {
    '/users': 'Users',
    '/groups': 'Groups',
    '/service-accounts': 'Service accounts',
    '/roles': 'Roles',
    '/single-sign-on': 'Single sign-on',
  },
}

const de: typeof en = {
  label: 'Wer was darf',
  pages: {
    '/users': 'Benutzer',
    '/groups': 'Gruppen',
    '/service-accounts': 'Dienstkonten',
    '/roles': 'Rollen',
    '/single-sign-on': 'Single Sign-on',
  },
}

/** Names of the pages of who may what. */
export const ACCESS_TEXTS: Catalogue<typeof en> = { en, de }
