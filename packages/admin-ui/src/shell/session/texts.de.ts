import type { sessionEn } from './texts.en.ts'

/** German UI strings for the login, the session and the user's password. */
export const sessionDe: typeof sessionEn = {
  login: {
    title: 'Bei Burgee anmelden',
    username: 'Benutzername oder E-Mail',
    password: 'Passwort',
    reveal: 'Zeichen anzeigen oder verbergen',
    submit: 'Anmelden',
    sso: 'Mit OpenID Connect anmelden',
    ssoElsewhere: 'Single Sign-on öffnet sich in einem anderen Tab. Kommen Sie danach hierher zurück.',
    ssoDone: 'Ich bin angemeldet, weiter',
    ssoNotYet: 'Sie sind noch nicht angemeldet.',
    wrong: 'Benutzername oder Passwort ist falsch.',
    tooMany: 'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es erneut.',
    logout: 'Abmelden',
    ended: 'Ihre Sitzung ist beendet. Melden Sie sich an, um dort fortzufahren, wo Sie waren.',
    endedTitle: 'Ihre Sitzung ist beendet',
    endedText:
      'Melden Sie sich an, um fortzufahren. Ihre Eingaben sind noch da. Falls Ihre letzte Aktion fehlgeschlagen ist, wiederholen Sie sie.',
    otherText:
      'Sie melden sich als jemand anderes an: Die Seite wird neu geladen, und nicht gespeicherte Änderungen hier gehen verloren.',
    goOn: 'Anmelden und fortfahren',
    changeTitle: 'Eigenes Passwort festlegen',
    changeText: 'Das aktuelle Passwort wurde für Sie erzeugt. Wählen Sie eines, das nur Sie kennen.',
    changeOwn: 'Passwort ändern',
    oldPassword: 'Aktuelles Passwort',
    newPassword: 'Neues Passwort',
    passwordRule: 'Mindestens 10 Zeichen, kein gängiges Passwort',
    repeatPassword: 'Neues Passwort wiederholen',
    endTokens: 'Auch meine persönlichen Tokens widerrufen',
    endTokensText: 'Clients, die sie verwenden, werden sofort abgewiesen',
    differ: 'Die beiden neuen Passwörter stimmen nicht überein.',
    changed: 'Passwort geändert',
  },
}
