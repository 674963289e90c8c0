import type { Catalogue } from '../text/languages.ts'

const en = {
  link: {
    title: 'Choose your password',
    text: (login: string) => `You log in as ${login}.`,
    submit: 'Save the password',
    done: 'Your password is set. Log in with it.',
    gone: 'This link does not work any more',
    goneText: 'It works once, and for a day. Ask an administrator for another one.',
    toLogin: 'To the login',
  },
}

const de: typeof en = {
  link: {
    title: 'Wählen Sie Ihr Passwort',
    text: (login) => `Sie melden sich als ${login} an.`,
    submit: 'Passwort speichern',
    done: 'Ihr Passwort ist gesetzt. Melden Sie sich damit an.',
    gone: 'Dieser Link gilt nicht mehr',
    goneText: 'Er gilt einmal und einen Tag lang. Bitten Sie die Verwaltung um einen neuen.',
    toLogin: 'Zur Anmeldung',
  },
}

/** Texts of the page that sets a password by a link. */
export const LINK_TEXTS: Catalogue<typeof en> = { en, de }
