import type { Catalogue } from '../text/languages.ts'

const en = {
  profile: {
    title: 'Profile and settings',
    who: 'Who you are',
    rename: 'Change name',
    renameHint: 'What others see in lists of people. If empty: what you log in with',
    renamed: (name: string) => `Your name is now ${name}`,
    changeEmail: 'Change e-mail address',
    changeEmailHint: 'You can log in with it, and links for a new password go to it',
    passwordHint: 'So that nobody changes it at a screen that you left unlocked',
    emailBad: 'Enter an e-mail address, such as name@example.com.',
    emailTaken: 'Somebody else has this address, or it as a username.',
    emailEndsLinks: 'Links for a new password that were sent before stop working.',
    emailChanged: (email: string) => `Your e-mail address is now ${email}`,
    emailFrom: {
      'single-sign-on': 'It comes from single sign-on, and is changed there.',
      directory: 'It comes from the directory of your organisation, and is changed there.',
    } as Readonly<Record<string, string>>,
    role: 'Role everywhere',
    projects: 'Projects with a role',
    noProjects: 'none',
    look: 'Appearance and language',
    contrast: 'High contrast',
    contrastHint: 'Black on white or white on black, with strong borders',
    access: 'Password and sessions',
    logoutEverywhere: 'Log out everywhere',
    logoutText: 'Ends all of your sessions, on this device and on all others. Personal tokens keep working.',
    tokens: 'Personal tokens',
    tokensIntro: 'A personal token lets a program act as you, with exactly your rights.',
    create: 'Create personal token',
    empty: 'No personal tokens',
    emptyText: 'Create one for a script or a program that should act as you.',
    onceTitle: 'Copy the token now',
    onceText: 'It is shown only this once. The server keeps only a fingerprint of it.',
  },
}

const de: typeof en = {
  profile: {
    title: 'Profil und Einstellungen',
    who: 'Wer Sie sind',
    rename: 'Namen ändern',
    renameHint: 'Was andere in Listen von Menschen sehen; leer: womit Sie sich anmelden',
    renamed: (name) => `Sie heißen jetzt ${name}`,
    changeEmail: 'E-Mail-Adresse ändern',
    changeEmailHint: 'Mit ihr können Sie sich anmelden, und an sie gehen Links für ein neues Passwort',
    passwordHint: 'Damit niemand sie an einem Bildschirm ändert, den Sie offen gelassen haben',
    emailBad: 'Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.',
    emailTaken: 'Jemand anderes hat diese Adresse, oder sie als Benutzernamen.',
    emailEndsLinks: 'Links für ein neues Passwort, die vorher verschickt wurden, gelten dann nicht mehr.',
    emailChanged: (email) => `Ihre E-Mail-Adresse ist jetzt ${email}`,
    emailFrom: {
      'single-sign-on': 'Sie kommt vom Single Sign-on und wird dort geändert.',
      directory: 'Sie kommt aus dem Verzeichnis Ihrer Organisation und wird dort geändert.',
    },
    role: 'Rolle überall',
    projects: 'Projekte mit einer Rolle',
    noProjects: 'keine',
    look: 'Aussehen und Sprache',
    contrast: 'Hoher Kontrast',
    contrastHint: 'Schwarz auf Weiß oder Weiß auf Schwarz, mit kräftigen Rändern',
    access: 'Passwort und Sitzungen',
    logoutEverywhere: 'Überall abmelden',
    logoutText:
      'Beendet alle Ihre Sitzungen, auf diesem Gerät und auf allen anderen. Persönliche Tokens gelten weiter.',
    tokens: 'Persönliche Tokens',
    tokensIntro: 'Mit einem persönlichen Token handelt ein Programm für Sie, mit genau Ihren Rechten.',
    create: 'Persönliches Token anlegen',
    empty: 'Keine persönlichen Tokens',
    emptyText: 'Legen Sie eines für ein Skript oder Programm an, das für Sie handeln soll.',
    onceTitle: 'Kopieren Sie das Token jetzt',
    onceText: 'Es wird nur dieses eine Mal gezeigt. Der Server behält nur einen Fingerabdruck davon.',
  },
}

/** Texts of one's own page. */
export const PROFILE_TEXTS: Catalogue<typeof en> = { en, de }
