import type { sessionEn } from './texts.en.ts'

/** German texts of the login, the session and the user's password. */
export const sessionDe: typeof sessionEn = {
  login: {
    title: 'Bei Burgee anmelden',
    username: 'Benutzername oder E-Mail',
    password: 'Passwort',
    submit: 'Anmelden',
    sso: 'Mit OpenID Connect anmelden',
    ssoElsewhere: 'Single Sign-on öffnet sich in einem anderen Tab. Kommen Sie danach hierher zurück.',
    ssoDone: 'Ich bin angemeldet: weiter',
    ssoNotYet: 'Sie sind noch nicht angemeldet.',
    wrong: 'Benutzername und Passwort passen nicht zusammen.',
    tooMany: 'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    logout: 'Abmelden',
    ended: 'Ihre Sitzung ist zu Ende. Melden Sie sich an, dann geht es dort weiter, wo Sie waren.',
    endedTitle: 'Ihre Sitzung ist zu Ende',
    endedText:
      'Melden Sie sich an, dann geht es weiter. Was Sie geschrieben haben, ist noch da. Wurde eben etwas abgelehnt, dann tun Sie es noch einmal.',
    otherText: 'Das ist jemand anders: Die Seite beginnt dann neu, und was hier nicht gespeichert ist, ist verloren.',
    goOn: 'Anmelden und weiter',
    changeTitle: 'Wählen Sie ein eigenes Passwort',
    changeText:
      'Das Passwort, mit dem Sie sich angemeldet haben, hat jemand anderes ausgedacht. Wählen Sie eines, das nur Sie kennen.',
    changeOwn: 'Passwort ändern',
    oldPassword: 'Jetziges Passwort',
    newPassword: 'Neues Passwort',
    passwordRule: 'Mindestens 10 Zeichen und keine gängigen Wörter',
    repeatPassword: 'Neues Passwort, noch einmal',
    endTokens: 'Auch meine persönlichen Tokens beenden',
    endTokensText: 'Programme, die eines benutzen, werden sofort abgewiesen',
    differ: 'Die beiden neuen Passwörter sind verschieden.',
    changed: 'Ihr Passwort ist geändert',
  },
}
