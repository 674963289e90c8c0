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
    done: 'Passwort festgelegt. Melden Sie sich damit an.',
    gone: 'Dieser Link funktioniert nicht mehr',
    goneText: 'Er funktioniert einmal und läuft nach 24 Stunden ab. Bitten Sie einen Administrator um einen neuen.',
    toLogin: 'Zur Anmeldung',
  },
  join: {
    title: 'Konto erstellen',
    text: 'Sie wurden eingeladen. Ihr Konto hat Lesezugriff; ein Administrator kann Ihnen weitere Rechte geben.',
    email: 'E-Mail-Adresse (Ihr Anmeldename)',
    name: 'Name',
    submit: 'Konto erstellen',
    done: 'Ihr Konto ist bereit. Melden Sie sich damit an.',
    gone: 'Diese Einladung ist nicht mehr gültig',
    goneText: 'Bitten Sie den Absender um eine neue. Wenn Sie bereits ein Konto haben, melden Sie sich damit an.',
  },
}

/** UI strings for the pages of password and invite links. */
export const LINK_TEXTS: Catalogue<typeof en> = { en, de }
