import type { Catalogue } from '../../text/languages.ts'

const en = {
  title: 'For one user',
  intro: 'Gives one user the flag for a limited time. All others keep what they get now.',
  give: 'Give the flag to a user',
  userId: 'User ID',
  userIdHint: 'The value of userId that the application passes to its SDK.',
  variant: 'Variant',
  noVariant: 'On, without a variant',
  duration: 'Duration',
  durations: { 15: '15 minutes', 60: '1 hour', 480: '8 hours', 1440: '1 day' },
  action: 'Give',
  given: (user: string) => `${user} gets the flag now`,
  until: 'until',
  end: (user: string) => `End the override of ${user}`,
  endAction: 'End',
  ended: (user: string) => `The override of ${user} has ended`,
  off: 'The flag is off everywhere. Turn it on in an environment first.',
}

const de: typeof en = {
  title: 'Für einen Benutzer',
  intro: 'Gibt einem Benutzer das Flag für begrenzte Zeit. Für alle anderen ändert sich nichts.',
  give: 'Einem Benutzer das Flag geben',
  userId: 'Benutzer-ID',
  userIdHint: 'Der Wert von userId, den die Anwendung ihrem SDK übergibt.',
  variant: 'Variante',
  noVariant: 'Ein, ohne Variante',
  duration: 'Dauer',
  durations: { 15: '15 Minuten', 60: '1 Stunde', 480: '8 Stunden', 1440: '1 Tag' },
  action: 'Geben',
  given: (user) => `${user} erhält das Flag jetzt`,
  until: 'bis',
  end: (user) => `Ausnahme für ${user} beenden`,
  endAction: 'Beenden',
  ended: (user) => `Die Ausnahme für ${user} ist beendet`,
  off: 'Das Flag ist überall ausgeschaltet. Schalten Sie es zuerst in einer Umgebung ein.',
}

/** UI strings for overrides of single users. */
export const OVERRIDE_TEXTS: Catalogue<typeof en> = { en, de }
