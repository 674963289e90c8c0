import type { Catalogue } from '../text/languages.ts'

const en = {
  turnOn: (flag: string, who: string, environment: string) => `Turn ${flag} on for ${who} in ${environment}?`,
  // Sentences about strategies, with a capital letter at the start.
  inSentence: (who: string) => who.replace(/^(All|Users|Hosts|No)\b/, (word) => word.toLowerCase()),
  everybody: '100% of users',
  several: (count: number) => `users who match one of ${count} strategies`,
  getsIt: 'Who gets it',
  losesIt: 'Who loses it',
  added: 'No strategy is enabled, so the project’s default one is added.',
  activated: 'Its disabled strategies are enabled.',
  live: 'Goes live within seconds.',
  ended: 'Off for all users within seconds.',
  staysOff: 'It is off, and stays off: no effect until it is turned on.',
  andMore: (count: string) => `and ${count} more`,
  editFirst: 'Edit strategy first',
  now: 'Now',
  before: 'Before',
  after: 'After',
  off: 'Off',
  upTo: (share: string) => `up to ${share}`,
  share: (percent: string) => `${percent}%`,
  lastEvaluated: (ago: string) => `Last evaluated ${ago}`,
  neverEvaluated: 'Not evaluated here yet',
  requiredBy: (flags: string) => `Required by ${flags}`,
}

const de: typeof en = {
  turnOn: (flag, who, environment) => `${flag} in ${environment} einschalten für ${who}?`,
  inSentence: (who) => who.replace(/^(Alle)\b/, (word) => word.toLowerCase()),
  everybody: '100\u00a0% der Benutzer',
  several: (count) => `Benutzer, auf die eine von ${count} Strategien passt`,
  getsIt: 'Wer es erhält',
  losesIt: 'Wer es verliert',
  added: 'Keine Strategie ist aktiv, daher wird die Standardstrategie des Projekts hinzugefügt.',
  activated: 'Seine deaktivierten Strategien werden aktiviert.',
  live: 'Wird innerhalb von Sekunden wirksam.',
  ended: 'Innerhalb von Sekunden für alle Benutzer aus.',
  staysOff: 'Es ist aus und bleibt aus: keine Wirkung, bis es eingeschaltet wird.',
  andMore: (count) => `und ${count} weitere`,
  editFirst: 'Erst Strategie bearbeiten',
  now: 'Jetzt',
  before: 'Vorher',
  after: 'Danach',
  off: 'Aus',
  upTo: (share) => `bis zu ${share}`,
  share: (percent) => `${percent}\u00a0%`,
  lastEvaluated: (ago) => `Zuletzt ausgewertet ${ago}`,
  neverEvaluated: 'Hier noch nicht ausgewertet',
  requiredBy: (flags) => `Benötigt von ${flags}`,
}

/** UI strings for the dialog that is shown before a change goes live. */
export const GO_LIVE_TEXTS: Catalogue<typeof en> = { en, de }
