import type { Language } from './languages.ts'

const STEPS = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

type Unit = (typeof STEPS)[number][0]

interface Words {
  /** Special words for certain distances in time, such as "yesterday". Distances in the past are negative. */
  readonly special: Readonly<Partial<Record<Unit, Readonly<Record<number, string>>>>>
  /** Singular and plural of each unit, for distances that have no special word. */
  readonly units: Readonly<Record<Unit, readonly [one: string, several: string]>>
  readonly past: (distance: string) => string
}

/**
 * Same words as `Intl.RelativeTimeFormat` would produce. `Intl.RelativeTimeFormat` itself is not used, because its
 * first use takes 20 to 40 ms and would delay the first view.
 */
const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    special: {
      year: { [-1]: 'last year', 1: 'next year' },
      month: { [-1]: 'last month', 1: 'next month' },
      day: { [-1]: 'yesterday', 1: 'tomorrow' },
    },
    units: {
      year: ['year', 'years'],
      month: ['month', 'months'],
      day: ['day', 'days'],
      hour: ['hour', 'hours'],
      minute: ['minute', 'minutes'],
    },
    past: (distance) => `${distance} ago`,
  },
  de: {
    special: {
      year: { [-1]: 'letztes Jahr', 1: 'nächstes Jahr' },
      month: { [-1]: 'letzten Monat', 1: 'nächsten Monat' },
      day: { [-2]: 'vorgestern', [-1]: 'gestern', 1: 'morgen', 2: 'übermorgen' },
    },
    units: {
      year: ['Jahr', 'Jahren'],
      month: ['Monat', 'Monaten'],
      day: ['Tag', 'Tagen'],
      hour: ['Stunde', 'Stunden'],
      minute: ['Minute', 'Minuten'],
    },
    past: (distance) => `vor ${distance}`,
  },
}

/** Formats a past or future time difference in the largest unit that fits; undefined below one minute. */
export function formatTimeAgo(millis: number, language: Language): string | undefined {
  const step = STEPS.find(([, length]) => Math.abs(millis) >= length)
  if (step === undefined) return undefined
  const [unit, length] = step
  const count = Math.round(millis / length)
  const { special, units, past } = WORDS[language]
  const word = special[unit]?.[count]
  if (word !== undefined) return word
  const distance = `${Math.abs(count)} ${units[unit][Math.abs(count) === 1 ? 0 : 1]}`
  return count < 0 ? past(distance) : `in ${distance}`
}
