import type { Catalogue } from '../../text/languages.ts'

const en = {
  banner: 'Maintenance: nothing can be changed here for now. Applications get their flags as before.',
  title: 'Maintenance',
  label: 'Maintenance mode',
  hint: 'While it is on, everybody can look, and nobody can change anything. Applications get their flags as before.',
  onTitle: 'Turn maintenance mode on?',
  onText: 'Nobody can change flags until it is turned off, not even in an emergency.',
  turnOn: 'Turn on',
  isOn: 'Nothing can be changed now',
  isOff: 'Changes are possible again',
}

const de: typeof en = {
  banner: 'Wartung: hier lässt sich zurzeit nichts ändern. Anwendungen bekommen ihre Schalter wie zuvor.',
  title: 'Wartung',
  label: 'Wartungsmodus',
  hint: 'Solange er an ist, kann jeder schauen und niemand etwas ändern. Anwendungen bekommen ihre Schalter wie zuvor.',
  onTitle: 'Wartungsmodus einschalten?',
  onText: 'Niemand kann Schalter ändern, bis er wieder aus ist, auch im Notfall nicht.',
  turnOn: 'Einschalten',
  isOn: 'Jetzt lässt sich nichts ändern',
  isOff: 'Änderungen sind wieder möglich',
}

/** UI texts for maintenance. */
export const MAINTENANCE_TEXTS: Catalogue<typeof en> = { en, de }
