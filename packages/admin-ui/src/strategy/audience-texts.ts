import type { Catalogue } from '../text/languages.ts'
import { STRATEGY_NAMES } from './strategy-type-texts.ts'

const en = {
  audience: {
    everybody: 'All users',
    nobody: 'No users',
    share: (percent: number) => `${percent}%`,
    shareOf: (share: string, segment: string) => `${share} of ${segment}`,
    by: (field: string) => `By ${field}`,
    shareBy: (share: string, field: string) => `${share} by ${field}`,
    rules: (count: number) => (count === 1 ? '1 rule' : `${count} rules`),
    kinds: STRATEGY_NAMES.en,
  },
}

const de: typeof en = {
  audience: {
    everybody: 'Alle Benutzer',
    nobody: 'Keine Benutzer',
    share: (percent) => `${percent}\u00a0%`,
    shareOf: (share, segment) => `${share} von ${segment}`,
    by: (field) => `Nach ${field}`,
    shareBy: (share, field) => `${share} nach ${field}`,
    rules: (count) => (count === 1 ? '1 Regel' : `${count} Regeln`),
    kinds: STRATEGY_NAMES.de,
  },
}

/** UI strings that summarize who gets a flag. */
export const AUDIENCE_TEXTS: Catalogue<typeof en> = { en, de }
