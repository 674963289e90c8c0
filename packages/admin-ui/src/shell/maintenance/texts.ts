import type { Catalogue } from '../../text/languages.ts'

const en = {
  banner: 'Maintenance mode: changes are disabled. Applications receive flags as usual.',
  title: 'Maintenance',
  label: 'Maintenance mode',
  hint: 'While it is on, no one can change anything. Applications receive flags as usual.',
  onTitle: 'Turn maintenance mode on?',
  onText: 'No one can change flags until it is turned off, not even in an emergency.',
  turnOn: 'Turn on',
  isOn: 'Maintenance mode turned on',
  isOff: 'Maintenance mode turned off',
}

const de: typeof en = {
  banner: 'Wartungsmodus: Änderungen sind deaktiviert. Anwendungen erhalten Flags wie gewohnt.',
  title: 'Wartung',
  label: 'Wartungsmodus',
  hint: 'Solange er an ist, kann niemand etwas ändern. Anwendungen erhalten Flags wie gewohnt.',
  onTitle: 'Wartungsmodus einschalten?',
  onText: 'Niemand kann Flags ändern, bis er ausgeschaltet wird, auch nicht im Notfall.',
  turnOn: 'Einschalten',
  isOn: 'Wartungsmodus eingeschaltet',
  isOff: 'Wartungsmodus ausgeschaltet',
}

/** UI strings for maintenance. */
export const MAINTENANCE_TEXTS: Catalogue<typeof en> = { en, de }
