import type { Catalogue } from '../text/languages.ts'

const en = {
  profile: {
    title: 'Profile and settings',
    who: 'Who you are',
    rename: 'Change name',
    renameHint: 'What others see in lists of people. If empty: what you log in with',
    renamed: (name: string) => `Your name is now ${name}`,
    role: 'Role everywhere',
    projects: 'Projects with a role',
    noProjects: 'none',
    look: 'Appearance and language',
    contrast: 'High contrast',
    contrastHint: 'Black on white or white on black, with strong borders',
    others: 'What others see',
    presence: 'Show others which flag I am looking at',
    presenceHint: 'While its page is open, beside its name. If off, nothing of it is kept either.',
    presenceShown: 'Others see which flag you are looking at',
    presenceHidden: 'Nobody sees which flag you are looking at',
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
    role: 'Rolle überall',
    projects: 'Projekte mit einer Rolle',
    noProjects: 'keine',
    look: 'Aussehen und Sprache',
    contrast: 'Hoher Kontrast',
    contrastHint: 'Schwarz auf Weiß oder Weiß auf Schwarz, mit kräftigen Rändern',
    others: 'Was andere sehen',
    presence: 'Anderen zeigen, welchen Schalter ich mir ansehe',
    presenceHint: 'Solange seine Seite offen ist, neben seinem Namen. Abgeschaltet wird auch nichts davon behalten.',
    presenceShown: 'Andere sehen, welchen Schalter Sie sich ansehen',
    presenceHidden: 'Niemand sieht, welchen Schalter Sie sich ansehen',
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
