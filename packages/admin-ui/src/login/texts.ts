import type { Catalogue } from '../text/languages.ts'

const en = {
  link: {
    title: 'Choose your password',
    text: (login: string) => `You log in as ${login}.`,
    submit: 'Save password',
    done: 'Password set. Log in with it.',
    gone: 'This link no longer works',
    goneText: 'It works once and expires in 24 hours. Ask an administrator for a new one.',
    toLogin: 'Go to login',
  },
  join: {
    title: 'Create your account',
    text: 'You have been invited. Your account has read access; an administrator can give you more rights.',
    email: 'E-mail address (your login)',
    name: 'Name',
    submit: 'Create account',
    done: 'Your account is ready. Log in with it.',
    gone: 'This invitation is no longer valid',
    goneText: 'Ask the sender for a new one. If you already have an account, log in with it.',
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
  join: {
    title: 'Legen Sie Ihr Konto an',
    text: 'Sie wurden eingeladen. Mit einem Konto können Sie alles ansehen; mehr kann Ihnen die Verwaltung erlauben.',
    email: 'E-Mail-Adresse, mit der Sie sich anmelden',
    name: 'Name',
    submit: 'Konto anlegen',
    done: 'Ihr Konto ist da. Melden Sie sich damit an.',
    gone: 'Diese Einladung gilt nicht mehr',
    goneText: 'Bitten Sie um eine neue, wo Sie sie bekommen haben. Wenn Sie ein Konto haben, melden Sie sich damit an.',
  },
}

/** UI texts for the pages of password and invite links. */
export const LINK_TEXTS: Catalogue<typeof en> = { en, de }
